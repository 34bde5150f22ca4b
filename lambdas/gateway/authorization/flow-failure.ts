import type { FlowFailureWords } from '../languages/failure-text.rules.ts';
import { type AuthorizationServer, type FlowText, named } from '../providers/authorization-server.rules.ts';

export interface FlowFailureDefinition {
  readonly status: FlowStatus;
  readonly errorType: FlowErrorType;
  /** Whether the same person can get further by trying again. */
  readonly canRetry: boolean;
  readonly text: FlowText;
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

/** Every way a flow can fail; `{provider}` stands for the name of the one that was asked. */
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
    '{provider} says that access was not granted, so nothing was connected.',
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
    'The administrator of your organization has blocked this app or the access it asks for. Nothing was connected.',
    'Ask your administrator to allow the app, then try again.',
  ),
  account_restricted: failure(
    400,
    'token_err',
    true,
    '{provider} restricts this account',
    '{provider} does not let apps use this account at the moment: {provider} itself or your administrator restricts it. Nothing was connected.',
    'Look at your account there for what is asked of you, or ask your administrator; then try again.',
  ),
  sign_in_needed: failure(
    400,
    'callback_err',
    true,
    '{provider} needs you to choose an account',
    '{provider} could not go on without asking you something first. Nothing was connected.',
    'Try again and follow the steps there.',
  ),
  provider_trouble: failure(
    400,
    'callback_err',
    true,
    '{provider} had a problem',
    '{provider} could not answer the request. Nothing was connected.',
    'Wait a minute, then try again.',
  ),
  app_misconfigured: failure(
    400,
    'callback_err',
    false,
    'The app is not set up correctly',
    '{provider} does not accept the way this app asks for access. Nothing was connected.',
    `${DEVELOPER} correct its settings at {provider}. Tell them what {provider} said.`,
  ),
  app_disabled: failure(
    400,
    'callback_err',
    false,
    '{provider} has disabled the app',
    "{provider} has switched this app's sign-in off. Nothing was connected.",
    `${DEVELOPER} look into it at {provider}. Tell them what {provider} said.`,
  ),
  provider_refused: failure(
    400,
    'callback_err',
    true,
    '{provider} did not grant access',
    '{provider} ended the sign-in without granting access. Nothing was connected.',
    'Try again. If it happens again, tell the developer of the app what {provider} said.',
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
    '{provider} does not accept the app',
    "{provider} refuses this app's OAuth client. Nothing was connected.",
    `${DEVELOPER} correct its client id, client secret or redirect URI. Tell them what {provider} said.`,
  ),
  code_rejected: failure(
    400,
    'token_err',
    true,
    '{provider} did not accept the answer',
    'The one-time code of this sign-in was not accepted. Nothing was connected.',
    AGAIN,
  ),
  provider_unreachable: failure(
    502,
    'token_err',
    true,
    '{provider} could not be reached',
    'The last step, with {provider}, did not work just now. Nothing was connected.',
    'Wait a minute, then try again.',
  ),
  no_refresh_token: failure(
    400,
    'token_err',
    true,
    '{provider} gave access for a short time only',
    '{provider} sent no permission that lasts, so the connection would soon have ended. It was not stored.',
    'Try again. If it happens again, remove the app in your account at {provider} first.',
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
    '{provider} did not prove which account this is, so it was not used. Nothing was changed.',
    AGAIN,
  ),
  wrong_account: failure(
    409,
    'callback_err',
    true,
    'That is a different {provider} account',
    'This connection belongs to another {provider} account than the one you chose. Nothing was changed.',
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
    '{provider} no longer accepts the connection that the files were for. Nothing was changed.',
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
  readonly detail?: string | undefined;
  /** Replaces the kind's text where it has to name something. */
  readonly text?: FlowText | undefined;
  /** What that text names, for the same in other languages. */
  readonly words?: FlowFailureWords | undefined;
  readonly cause?: unknown;
}

/** A flow that cannot end in a connection: what happened, whose move it is, and whether trying again can help. */
export class FlowFailure extends Error {
  readonly kind: FlowFailureKind;
  readonly status: FlowStatus;
  readonly errorType: FlowErrorType;
  readonly text: FlowText;
  readonly words: FlowFailureWords;
  readonly canRetry: boolean;
  readonly providerSaid: string | undefined;
  readonly detail: string | undefined;
  /** The provider that was asked; undefined where no flow is known. */
  readonly server: AuthorizationServer | undefined;
  readonly #details: FlowFailureDetails;

  constructor(kind: FlowFailureKind, details: FlowFailureDetails = {}, server?: AuthorizationServer) {
    const definition = FLOW_FAILURES[kind];
    const text = inWords(details.text ?? server?.flowTexts?.[kind] ?? definition.text, server);
    super(`${text.happened} ${text.next}`, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'FlowFailure';
    this.kind = kind;
    this.status = definition.status;
    this.errorType = definition.errorType;
    this.text = text;
    this.words = details.words ?? {};
    this.canRetry = definition.canRetry;
    this.providerSaid = details.providerSaid;
    this.detail = details.detail;
    this.server = server;
    this.#details = details;
  }

  /** The same failure in words that name the provider. */
  at(server: AuthorizationServer | undefined): FlowFailure {
    return server === undefined ? this : new FlowFailure(this.kind, this.#details, server);
  }
}

function inWords({ title, happened, next }: FlowText, server: AuthorizationServer | undefined): FlowText {
  const words = (sentence: string): string => named(sentence, server ?? { displayName: 'the provider' });
  return { title: words(title), happened: words(happened), next: words(next) };
}
