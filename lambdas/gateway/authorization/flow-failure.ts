/** Plain words for the person in front of the page; never text from outside. */
export interface FlowFailureText {
  readonly title: string;
  readonly happened: string;
  /** Whose move it is, and which. */
  readonly next: string;
}

export interface FlowFailureDefinition {
  readonly status: FlowStatus;
  readonly errorType: FlowErrorType;
  /** Whether the same person can get further by trying again. */
  readonly canRetry: boolean;
  readonly text: FlowFailureText;
}

function failure(
  status: FlowStatus,
  errorType: FlowErrorType,
  canRetry: boolean,
  title: string,
  happened: string,
  next: string,
): FlowFailureDefinition {
  return { status, errorType, canRetry, text: { title, happened, next } };
}

const AGAIN = 'Try again.';
const DEVELOPER = 'The developer of the app you came from has to';

/** Every way a flow can fail. */
export const FLOW_FAILURES = {
  malformed_answer: failure(
    400,
    'url_param_err',
    true,
    'The answer could not be read',
    'The address you came back with is incomplete or was changed on the way. Nothing was connected.',
    AGAIN,
  ),
  unknown_state: failure(
    400,
    'state_err',
    true,
    'This step is already over',
    'This sign-in was finished before, or was never started here. Nothing was changed by opening it again.',
    'If your account is not connected yet, try again.',
  ),
  other_browser: failure(
    403,
    'state_cookie_err',
    true,
    'Started in another browser',
    'This sign-in was started in another browser, or this browser has deleted its cookies. Nothing was connected.',
    'If you started it yourself, open the link from the app again, in the browser you want to use. If you did not, close this page.',
  ),
  timed_out: failure(
    400,
    'state_err',
    true,
    'That took too long',
    'A sign-in has to be finished within ten minutes. Nothing was connected.',
    AGAIN,
  ),
  session_ended: failure(
    400,
    'state_err',
    false,
    'This link has ended',
    'The app has withdrawn the link this sign-in belongs to. Nothing was connected.',
    'Go back to the app and ask for a new one.',
  ),
  session_used: failure(
    409,
    'state_err',
    false,
    'This link was already used',
    'An account was already connected with this link. This sign-in changed nothing.',
    'To connect another account, go back to the app and ask for a new link.',
  ),
  other_issuer: failure(
    400,
    'callback_err',
    true,
    'The answer came from somewhere else',
    'The answer names another provider than the one you were sent to, so it was not used. Nothing was connected.',
    AGAIN,
  ),
  refused: failure(
    400,
    'callback_err',
    true,
    'You did not grant access',
    'Google says that access was not granted, so nothing was connected.',
    'If that was not your intention, try again and choose Allow.',
  ),
  pick_cancelled: failure(
    400,
    'callback_err',
    true,
    'No file was selected',
    'You came back without selecting a file. Nothing was changed.',
    'If that was not your intention, try again and select at least one.',
  ),
  admin_blocked: failure(
    400,
    'callback_err',
    true,
    'Your organization does not allow this app',
    'The administrator of your Google Workspace has blocked this app or the access it asks for. Nothing was connected.',
    'Ask your administrator to allow the app in the Google Admin console, then try again.',
  ),
  account_restricted: failure(
    400,
    'token_err',
    true,
    'Google restricts this account',
    'Google does not let apps use this account at the moment: Google itself or your administrator restricts it. Nothing was connected.',
    'Look at myaccount.google.com for what Google asks of you, or ask your administrator; then try again.',
  ),
  sign_in_needed: failure(
    400,
    'callback_err',
    true,
    'Google needs you to choose an account',
    'Google could not go on without asking you something first. Nothing was connected.',
    'Try again and follow the steps on the Google pages.',
  ),
  provider_trouble: failure(
    400,
    'callback_err',
    true,
    'Google had a problem',
    'Google could not answer the request. Nothing was connected.',
    'Wait a minute, then try again.',
  ),
  app_misconfigured: failure(
    400,
    'callback_err',
    false,
    'The app is not set up correctly',
    'Google does not accept the way this app asks for access. Nothing was connected.',
    `${DEVELOPER} correct its settings in the Google Cloud console. Tell them what Google said.`,
  ),
  app_disabled: failure(
    400,
    'callback_err',
    false,
    'Google has disabled the app',
    "Google has switched this app's sign-in off, or no longer lets new users in before it is verified. Nothing was connected.",
    `${DEVELOPER} look into it in the Google Cloud console. Tell them what Google said.`,
  ),
  provider_refused: failure(
    400,
    'callback_err',
    true,
    'Google did not grant access',
    'Google ended the sign-in without granting access. Nothing was connected.',
    'Try again. If it happens again, tell the developer of the app what Google said.',
  ),
  integration_gone: failure(
    400,
    'unknown_config_key',
    false,
    'This connection is no longer offered',
    'The app removed this integration while you were connecting. Nothing was connected.',
    'Go back to the app; its developer can tell you what replaces it.',
  ),
  integration_changed: failure(
    400,
    'callback_err',
    true,
    'The app changed while you were connecting',
    'The developer changed what this app asks for, so your answer no longer fits. Nothing was connected.',
    'Try again to see what it asks for now.',
  ),
  credentials_missing: failure(
    400,
    'callback_err',
    false,
    'The app is not set up completely',
    'The app has no OAuth client that may be used for this. Nothing was connected.',
    `${DEVELOPER} add its own OAuth client to the integration.`,
  ),
  client_rejected: failure(
    400,
    'token_err',
    false,
    'Google does not accept the app',
    "Google refuses this app's OAuth client. Nothing was connected.",
    `${DEVELOPER} correct its client id, client secret or redirect URI. Tell them what Google said.`,
  ),
  code_rejected: failure(
    400,
    'token_err',
    true,
    'Google did not accept the answer',
    'The one-time code of this sign-in was not accepted. Nothing was connected.',
    AGAIN,
  ),
  provider_unreachable: failure(
    502,
    'token_err',
    true,
    'Google could not be reached',
    'The last step, with Google, did not work just now. Nothing was connected.',
    'Wait a minute, then try again.',
  ),
  no_refresh_token: failure(
    400,
    'token_err',
    true,
    'Google gave access for one hour only',
    'Google sent no permission that lasts, so the connection would have ended within the hour. It was not stored.',
    'Try again. If it happens again, remove the app at myaccount.google.com/connections first.',
  ),
  only_sign_in: failure(
    400,
    'callback_err',
    true,
    'No permission was ticked',
    'You signed in, but granted nothing the app could work with. Nothing was connected.',
    'Try again and tick at least one permission.',
  ),
  account_unproven: failure(
    400,
    'token_err',
    true,
    'The account could not be confirmed',
    'Google did not prove which account this is, so it was not used. Nothing was changed.',
    AGAIN,
  ),
  wrong_account: failure(
    409,
    'callback_err',
    true,
    'That is a different Google account',
    'This connection belongs to another Google account than the one you chose. Nothing was changed.',
    'Try again with the account it belongs to.',
  ),
  wrong_domain: failure(
    403,
    'callback_err',
    true,
    'That account is not in the right organization',
    'The app takes accounts of one organization only, and you chose an account outside it. Nothing was connected.',
    'Try again with your account of that organization.',
  ),
  connection_deleted: failure(
    409,
    'callback_err',
    false,
    'The connection is gone',
    'The connection was deleted while you were signing in. Nothing was connected.',
    'Go back to the app and connect the account anew.',
  ),
  connection_ended: failure(
    409,
    'callback_err',
    false,
    'The connection has ended',
    'Google no longer accepts the connection that the files were for. Nothing was changed.',
    'Go back to the app and connect the account again, then select the files.',
  ),
  changed_meanwhile: failure(
    409,
    'callback_err',
    true,
    'Something else changed the connection',
    'The connection was changed at the same moment, several times. Nothing was stored.',
    AGAIN,
  ),
  internal: failure(
    500,
    'unknown_err',
    true,
    'Something went wrong on our side',
    'The connection could not be made. Nothing was stored.',
    'Try again. If it happens again, tell the developer of the app the request number below.',
  ),
} as const satisfies Record<string, FlowFailureDefinition>;

export type FlowFailureKind = keyof typeof FLOW_FAILURES;

/** Names of failed flows, as front ends of a compatible peer know them. */
export type FlowErrorType =
  | 'url_param_err'
  | 'state_err'
  | 'state_cookie_err'
  | 'callback_err'
  | 'token_err'
  | 'unknown_config_key'
  | 'unknown_err';

/** Answer codes of the page that ends a flow. */
export type FlowStatus = 400 | 403 | 409 | 500 | 502;

export interface FlowFailureDetails {
  /** The provider's own words, to be shown escaped. */
  readonly providerSaid?: string | undefined;
  /** What the gateway found, for whoever looks into it. */
  readonly detail?: string;
  /** Replaces the kind's text where it has to name something. */
  readonly text?: FlowFailureText;
  readonly cause?: unknown;
}

/** A flow that cannot end in a connection: what happened, whose move it is, and whether trying again can help. */
export class FlowFailure extends Error {
  readonly kind: FlowFailureKind;
  readonly status: FlowStatus;
  readonly errorType: FlowErrorType;
  readonly text: FlowFailureText;
  readonly canRetry: boolean;
  readonly providerSaid: string | undefined;
  readonly detail: string | undefined;

  constructor(kind: FlowFailureKind, details: FlowFailureDetails = {}) {
    const definition = FLOW_FAILURES[kind];
    const text = details.text ?? definition.text;
    super(`${text.happened} ${text.next}`, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'FlowFailure';
    this.kind = kind;
    this.status = definition.status;
    this.errorType = definition.errorType;
    this.text = text;
    this.canRetry = definition.canRetry;
    this.providerSaid = details.providerSaid;
    this.detail = details.detail;
  }
}
