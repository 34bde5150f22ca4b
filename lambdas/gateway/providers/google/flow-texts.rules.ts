import type { FlowText } from '../authorization-server.rules.ts';

/** How flows fail at Google, where its own words help. */
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
