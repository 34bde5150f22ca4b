import type { FlowText } from '../authorization-server.rules.ts';

/** Texts of failures at Google, where its own error codes help. */
export const GOOGLE_FLOW_TEXTS: Readonly<Record<string, FlowText>> = {
  admin_blocked: {
    title: 'Your organization does not allow this app',
    happened:
      'The administrator of your Google Workspace has blocked this app or the access it asks for. Nothing was connected.',
    next: 'Ask your administrator to allow the app in the Google Admin console, then try again.',
  },
  account_restricted: {
    title: 'Google restricts this account',
    happened:
      'Google does not let apps use this account at the moment: Google itself or your administrator restricts it. Nothing was connected.',
    next: 'Look at myaccount.google.com for what Google asks of you, or ask your administrator; then try again.',
  },
  account_protected: {
    title: 'Your account has Advanced Protection',
    happened:
      'Your Google account is in the Advanced Protection Program, which refuses apps that Google has not approved for it. Nothing was connected.',
    next: 'Try again with another Google account; this one can be connected only after you have left the program.',
  },
  organization_only: {
    title: 'The app is for accounts of its own organization',
    happened:
      'At Google, this app admits only accounts of the organization that made it, and the account you chose is not one of them. Nothing was connected.',
    next: 'Try again with an account of that organization. If others are to use the app, its developer must set its audience to External in the Google Cloud console.',
  },
  app_misconfigured: {
    title: 'The app is not set up correctly',
    happened: 'Google does not accept the way this app asks for access. Nothing was connected.',
    next: `The developer of the app you came from must correct its settings in the Google Cloud console. Tell them what Google said.`,
  },
  app_disabled: {
    title: 'Google has disabled the app',
    happened:
      "Google has disabled this app's sign-in, or allows no new users until the app is verified. Nothing was connected.",
    next: `The developer of the app you came from must look into it in the Google Cloud console. Tell them what Google said.`,
  },
  no_refresh_token: {
    title: 'Google gave access for only one hour',
    happened:
      'Google sent no lasting permission, so the connection would have ended within the hour. It was not stored.',
    next: 'Try again. If it happens again, remove the app at myaccount.google.com/connections first.',
  },
  sign_in_needed: {
    title: 'Google needs you to choose an account',
    happened: 'Google could not continue without asking you something first. Nothing was connected.',
    next: 'Try again and follow the steps on the Google pages.',
  },
};
