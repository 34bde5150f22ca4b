import type { FlowText } from '../providers/authorization-server.rules.ts';

const AGAIN = 'Try again.';
const DEVELOPER = 'The developer of the app you came from must';

/**
 * Every failure of a flow, in English: its title, what happened, and what to do next. Never contains text from outside; `{provider}` is
 * the provider's name.
 */
export const FLOW_FAILURE_TEXTS = {
  malformed_answer: {
    title: 'The answer could not be read',
    happened: 'The address you came back with is incomplete or was changed on the way. Nothing was connected.',
    next: AGAIN,
  },
  unknown_state: {
    title: 'This step is already over',
    happened: 'This sign-in was finished before, or was never started here. Nothing was changed by opening it again.',
    next: 'If your account is not connected yet, try again.',
  },
  other_browser: {
    title: 'Started in another browser',
    happened:
      'This sign-in was started in another browser, or this browser has deleted its cookies. Nothing was connected.',
    next: 'If you started it yourself, open the link from the app again, in the browser you want to use. If you did not, close this page.',
  },
  timed_out: {
    title: 'That took too long',
    happened: 'A sign-in has to be finished within ten minutes. Nothing was connected.',
    next: AGAIN,
  },
  session_ended: {
    title: 'This link has ended',
    happened: 'The app has withdrawn the link this sign-in belongs to. Nothing was connected.',
    next: 'Go back to the app and ask for a new one.',
  },
  session_used: {
    title: 'This link was already used',
    happened: 'An account was already connected with this link. This sign-in changed nothing.',
    next: 'To connect another account, go back to the app and ask for a new link.',
  },
  other_issuer: {
    title: 'The answer came from somewhere else',
    happened:
      'The answer names another provider than the one you were sent to, so it was not used. Nothing was connected.',
    next: AGAIN,
  },
  refused: {
    title: 'You did not grant access',
    happened: '{provider} says that access was not granted, so nothing was connected.',
    next: 'If that was not your intention, try again and choose Allow.',
  },
  pick_cancelled: {
    title: 'No file was selected',
    happened: 'You came back without selecting a file. Nothing was changed.',
    next: 'If that was not your intention, try again and select at least one.',
  },
  admin_blocked: {
    title: 'Your organization does not allow this app',
    happened:
      'The administrator of your organization has blocked this app or the access it asks for. Nothing was connected.',
    next: 'Ask your administrator to allow the app, then try again.',
  },
  account_restricted: {
    title: '{provider} restricts this account',
    happened:
      '{provider} does not let apps use this account at the moment: {provider} itself or your administrator restricts it. Nothing was connected.',
    next: 'Look at your account there for what is asked of you, or ask your administrator; then try again.',
  },
  account_protected: {
    title: 'This account is specially protected',
    happened: '{provider} protects this account in a way that does not admit the app. Nothing was connected.',
    next: 'Try again with another account; this one can be connected only once that protection is off.',
  },
  organization_only: {
    title: 'The app is for accounts of its own organization',
    happened:
      'At {provider}, this app admits only accounts of the organization that made it, and the account you chose is not one of them. Nothing was connected.',
    next: `Try again with an account of that organization. ${DEVELOPER} open the app at {provider} if others are to use it.`,
  },
  sign_in_needed: {
    title: '{provider} needs you to choose an account',
    happened: '{provider} could not continue without asking you something first. Nothing was connected.',
    next: 'Try again and follow the steps there.',
  },
  provider_trouble: {
    title: '{provider} had a problem',
    happened: '{provider} could not answer the request. Nothing was connected.',
    next: 'Wait a minute, then try again.',
  },
  app_misconfigured: {
    title: 'The app is not set up correctly',
    happened: '{provider} does not accept the way this app asks for access. Nothing was connected.',
    next: `${DEVELOPER} correct its settings at {provider}. Tell them what {provider} said.`,
  },
  app_disabled: {
    title: '{provider} has disabled the app',
    happened: "{provider} has switched this app's sign-in off. Nothing was connected.",
    next: `${DEVELOPER} look into it at {provider}. Tell them what {provider} said.`,
  },
  provider_refused: {
    title: '{provider} did not grant access',
    happened: '{provider} ended the sign-in without granting access. Nothing was connected.',
    next: 'Try again. If it happens again, tell the developer of the app what {provider} said.',
  },
  integration_gone: {
    title: 'This connection is no longer offered',
    happened: 'The app removed this integration while you were connecting. Nothing was connected.',
    next: 'Go back to the app; its developer can tell you what replaces it.',
  },
  integration_changed: {
    title: 'The app changed while you were connecting',
    happened: 'The developer changed what this app asks for, so your answer no longer fits. Nothing was connected.',
    next: 'Try again to see what it asks for now.',
  },
  credentials_missing: {
    title: 'The app is not set up completely',
    happened: 'The app has no OAuth client that may be used for this. Nothing was connected.',
    next: `${DEVELOPER} add its own OAuth client to the integration.`,
  },
  client_rejected: {
    title: '{provider} does not accept the app',
    happened: "{provider} refuses this app's OAuth client. Nothing was connected.",
    next: `${DEVELOPER} correct its client id, client secret or redirect URI. Tell them what {provider} said.`,
  },
  code_rejected: {
    title: '{provider} did not accept the answer',
    happened: 'The one-time code of this sign-in was not accepted. Nothing was connected.',
    next: AGAIN,
  },
  provider_unreachable: {
    title: '{provider} could not be reached',
    happened: 'The last step, with {provider}, did not work just now. Nothing was connected.',
    next: 'Wait a minute, then try again.',
  },
  no_refresh_token: {
    title: '{provider} gave access for a short time only',
    happened: '{provider} sent no permission that lasts, so the connection would soon have ended. It was not stored.',
    next: 'Try again. If it happens again, remove the app in your account at {provider} first.',
  },
  only_sign_in: {
    title: 'No permission was ticked',
    happened: 'You signed in, but granted nothing the app could work with. Nothing was connected.',
    next: 'Try again and tick at least one permission.',
  },
  account_unproven: {
    title: 'The account could not be confirmed',
    happened: '{provider} did not prove which account this is, so it was not used. Nothing was changed.',
    next: AGAIN,
  },
  wrong_account: {
    title: 'That is a different {provider} account',
    happened: 'This connection belongs to another {provider} account than the one you chose. Nothing was changed.',
    next: 'Try again with the account it belongs to.',
  },
  wrong_domain: {
    title: 'That account is not in the right organization',
    happened:
      'The app takes accounts of one organization only, and you chose an account outside it. Nothing was connected.',
    next: 'Try again with your account of that organization.',
  },
  connection_deleted: {
    title: 'The connection is gone',
    happened: 'The connection was deleted while you were signing in. Nothing was connected.',
    next: 'Go back to the app and connect the account again.',
  },
  connection_ended: {
    title: 'The connection has ended',
    happened: '{provider} no longer accepts the connection that the files were for. Nothing was changed.',
    next: 'Go back to the app and connect the account again, then select the files.',
  },
  changed_meanwhile: {
    title: 'Something else changed the connection',
    happened: 'The connection was changed at the same moment, several times. Nothing was stored.',
    next: AGAIN,
  },
  internal: {
    title: 'Something went wrong on our side',
    happened: 'The connection could not be made. Nothing was stored.',
    next: 'Try again. If it happens again, tell the developer of the app the request number below.',
  },
} as const satisfies Record<string, FlowText>;

export type FlowFailureKind = keyof typeof FLOW_FAILURE_TEXTS;
