/** English: the table that the others translate, entry by entry. `{name}` is filled in; `one` and `other` are plural forms. */
import type { FlowText } from '../providers/authorization-server.rules.ts';
import { GOOGLE_FLOW_TEXTS } from '../providers/google/flow-texts.rules.ts';
import { FLOW_FAILURE_TEXTS, type FlowFailureKind } from './flow-failures.rules.ts';

/** On several pages. */
const common = {
  backToApp: 'Back to the app',
  leaveItSo: 'Keep it this way',
  tryAgain: 'Try again',
  askAgain: 'Choose again',
  selectFiles: 'Select files',
  canClose: 'You can close this page.',
  requestNumber: 'Request {id}',
  /** Text of Google's button, from its branding guidelines. */
  continueWithGoogle: 'Continue with Google',
  continueWith: 'Continue with {provider}',
  connectService: 'Connect {service}',
  asksFor: 'It asks to:',
  asksForAccess: '{app} asks for access to your {provider} account.',
  asksForAccessUnnamed: 'The app that sent you here asks for access to your {provider} account.',
  /** For a choice of providers with different accounts. */
  asksForAccessAny: '{app} asks for access to one of your accounts.',
  asksForAccessAnyUnnamed: 'The app that sent you here asks for access to one of your accounts.',
  usedFor: 'What you allow is used in {app} for {who}.',
  usedForUnnamed: 'What you allow is used in the app that sent you here for {who}.',
  whoOfOrganization: '{who}, {organization}',
  userWithId: 'the user {id}',
  notYou:
    'If that is not you, or you did not ask for this, close this page: somebody else would get access to your account.',
  notAsked: 'If you did not ask for this, close this page: somebody else would get access to your account.',
  connected: 'Connected',
  connectedPartly: 'Connected, with less access',
  oneStepLeft: 'One step left in the app',
  fileSelected: { one: 'File selected', other: 'Files selected' },
  nothingConnected: 'Nothing was connected',
  cannot: 'You did not allow everything, so the app cannot:',
};

/** The connect page in a window of its own. */
const session = {
  title: 'Connect your account',
  loading: 'Loading…',
  needsScript: 'This page needs JavaScript to read your connect link. Switch it on and open the link again.',
  cookiesBlocked:
    'Your browser keeps no cookies for this page, so you could not come back from {provider}. Allow cookies here, or open the link in another browser.',
  unreachable: 'The gateway cannot be reached. Check your internet connection, then try again.',
  answered: 'The gateway answered {status}. Try again in a moment.',
  incomplete: 'This link is incomplete',
  incompleteAdvice: 'Go back to the app and open its link again, or ask it for a new one.',
  over: 'This link does not work',
  expired: 'This link has expired',
  expiredAdvice: 'Go back to the app and ask for a new one.',
  notLoaded: 'This page could not be loaded',
  sending: 'Sending you to {provider}…',
  choose: 'Choose what to connect',
  chooseAgain: 'Choose what to connect again',
  connectServiceAgain: 'Connect {service} again',
  selectFilesIn: 'Select files in {service}',
  asksForFiles: '{app} asks you to select files. It can then work with those files and no others.',
  asksForFilesUnnamed:
    'The app that sent you here asks you to select files. It can then work with those files and no others.',
  notYouFiles:
    'If that is not you, or you did not ask for this, close this page: somebody else would get access to your files.',
  notAskedFiles: 'If you did not ask for this, close this page: somebody else would get access to your files.',
  useAccount: 'Use the account {account}.',
  alsoAsksFor: 'It now also asks to:',
  mayAlready: 'It may already:',
  alreadyStarted: 'You have already started, here or in another tab. Finish there, or start again here.',
  noFileSelected: 'No file was selected, and nothing was changed.',
  nothingSetUp: 'The app has not set up anything to connect yet. Its developer must add an integration.',
  notOffered:
    '{provider} does not accept this app at the moment, so nothing can be connected. The developer of the app must correct its settings at {provider}; trying again does not help until then.',
  googleAsksForFiles: 'Google asks whether you allow this, then shows your files.',
  googleAsks: 'Google shows these permissions again, and you can leave some out.',
  providerAsks: '{provider} asks you again before the app gets access.',
  backWithoutFiles: 'Back without selecting files',
  backWithoutConnecting: 'Back without connecting',
  filesReady: {
    one: 'The app can work with the file you selected.',
    other: 'The app can work with the {count} files you selected.',
  },
  filesLost: {
    one: 'You selected a file. The app could not open it.',
    other: 'You selected {count} files. The app could not open them.',
  },
  filesPartlyLost: {
    one: 'You selected {count} file. The app could not open {lost} of them.',
    other: 'You selected {count} files. The app could not open {lost} of them.',
  },
  accountConnected: 'Your account is connected.',
  accountReady: 'Your account is ready. The app connects it when you return there.',
  timedOut: 'Google did not send you back within ten minutes. If it showed an error, see below; otherwise try again.',
  timedOutElsewhere: 'You did not come back within ten minutes. Try again.',
  notConfirmed:
    'The app did not finish connecting your account in time, so it was given no access. Ask it for a new link.',
};

/** The page of an administrator who lists a service account. */
const admin = {
  title: 'Let {app} act for your organization',
  titleUnnamed: 'Let an app act for your organization',
  forOrganization: 'This link is for {organization}.',
  who: 'Only a super administrator of Google Workspace can do this. If you are not one, forward this link to yours. It works until {until}.',
  means: 'What you list lets the app do this for every user of your domain, without asking them:',
  notAsked: 'If you do not expect this, close this page and list nothing.',
  list: '1. List the app at Google',
  listAdvice:
    'Google’s form opens with both fields filled in. Compare them with these and authorize. Leave what is already listed as it is. Where several administrators must agree, a second one confirms.',
  openForm: 'Open Google’s form',
  clientId: 'Client ID',
  scopes: 'OAuth scopes',
  copyClientId: 'Copy the client ID',
  copyScopes: 'Copy the scopes',
  copied: 'Copied',
  check: '2. Check it',
  address: 'Email address of any user of your domain',
  checkNow: 'Check',
  checking: 'Asking Google…',
  works: 'It works',
  worksFor: 'The app can act for users of {domain}.',
  listed: 'listed',
  notListed: 'not listed',
  notKnown: 'not known',
  causes: {
    delegation_pending:
      'Not yet: Google does not know of it. If you have just listed the app, wait: it takes some minutes, and up to 24 hours. Then check again.',
    delegation_incomplete: 'Something is missing. Open the form again and add the scopes that are not listed.',
    account_restricted: 'Google or your settings restrict this user. Try another address, or lift the restriction.',
    admin_restricted:
      'The API controls of your domain block the app. Trust its client ID there (Security, API controls, App access control).',
    account_unavailable: 'This user was suspended or deleted. Try another address.',
    subject_unknown: 'Google knows no user of this address. Enter a first address, no alias and no group.',
    subject_not_allowed:
      'The app does not expect users of this address. Check the spelling, or tell the developer of the app your domain.',
    taken: 'This domain cannot be checked with this link. Ask the app that sent you here.',
    app_fault:
      'The app is not set up correctly at Google. Its developer must correct this; listing it again does not help.',
    too_many: 'You have checked too often. Wait a minute.',
    not_asked: 'Google could not be asked. Try again in a minute.',
  },
};

/** The connect page inside a frame of the app. */
const frame = {
  openInTab: 'Open it in a new tab',
  blocked: 'Your browser blocked the window',
  blockedAdvice: 'Open the connect page yourself:',
  cancel: 'Cancel',
  close: 'Close',
  done: 'Done',
  showWindow: 'Show the window',
  otherWindow: 'Continue in the other window',
  otherWindowAdvice: 'This page continues when you have finished there.',
  ownWindow: 'You give your consent in a separate window.',
  oneStepLeft: 'One step left',
  accountReady: 'Your account is ready. The app connects it now.',
  accountConnected: 'Your account is connected.',
  sessionExpired: 'The connect session has expired.',
  startAgain: 'Close this and start again.',
  windowClosed: 'The window was closed before you had finished.',
};

/** Errors that Google shows on pages of its own and never sends back (Google, OAuth guide, "Errors"). */
const googleErrors = {
  question: 'Did Google show an error?',
  answer: 'Then Google did not send you back. These are its errors and what they mean:',
  notVerified: {
    name: 'access_denied, “has not completed the Google verification process”',
    meaning: 'The app is still being tested. Its developer must add your account as a test user or publish the app.',
  },
  adminPolicy: {
    name: 'admin_policy_enforced',
    meaning: 'Your organization blocks the app. Ask your Google Workspace administrator to allow it.',
  },
  orgInternal: {
    name: 'org_internal',
    meaning: 'The app is only for members of its own organization. Choose an account of that organization.',
  },
  blocked: {
    name: '“This app is blocked”',
    meaning:
      'Google does not let this app access the data it asks for, because Google has not verified the app or because your account is under Advanced Protection. The developer must have the app verified; an account under Advanced Protection cannot be connected to it.',
  },
  disabled: {
    name: 'disabled_client',
    meaning:
      'Google has disabled the app, or allows no new users until it has verified the app. Its developer must resolve this with Google; trying again does not help.',
  },
  misconfigured: {
    name: 'redirect_uri_mismatch, invalid_client, deleted_client, restricted_client, invalid_request',
    meaning: 'The app is not set up correctly at Google. Its developer must correct it; trying again does not help.',
  },
  userAgent: {
    name: 'disallowed_useragent',
    meaning:
      'Google does not allow sign-in inside this app. Open the link in a browser such as Chrome, Safari or Firefox.',
  },
  rateLimit: {
    name: 'rate_limit_exceeded',
    meaning: 'Too many people are connecting at once. Wait a few minutes, then try again.',
  },
};

/** The page that ends a flow. */
const result = {
  goOnInApp: 'Continue in the app',
  serviceConnected: '{service} is connected.',
  accountConnected: '{service} of {account} is connected.',
  serviceReady: '{service} is ready. The app connects it when you return there.',
  accountReady: '{service} of {account} is ready. The app connects it when you return there.',
  willNotBeAble: 'You did not allow everything, so the app will not be able to:',
  filesUsable: {
    one: 'The app can now work with the file you selected.',
    other: 'The app can now work with the {count} files you selected.',
  },
  filesUsableOf: {
    one: 'The app can now work with the file you selected in the Drive of {account}.',
    other: 'The app can now work with the {count} files you selected in the Drive of {account}.',
  },
  filesChosen: { one: 'You selected a file.', other: 'You selected {count} files.' },
  filesChosenOf: {
    one: 'You selected a file in the Drive of {account}.',
    other: 'You selected {count} files in the Drive of {account}.',
  },
  noneOpened: {
    one: 'The app could not open it. The app knows which file it is.',
    other: 'The app could not open them. The app knows which files they are.',
  },
  someNotOpened: 'The app could not open {lost} of them. The app knows which.',
  stranded: 'Nothing is connected',
  strandedHappened: 'This page cannot reach the app, so what you allowed is not used and ends within 15 minutes.',
  strandedNext: 'Go back to the app and start again there. If it happens again, tell its developer.',
  providerSaid: '{provider} said: {words}',
  detail: 'Detail: {words}',
  openLinkAgain: 'To try again, open the link from the app once more.',
};

/** Why a page of the connect routes cannot be shown. */
const problems = {
  title: 'This did not work',
  advice: 'Nothing was connected. Go back to the app that sent you here; if it happens again, tell its developer.',
  link_not_valid: 'This connect link is not valid or was withdrawn. Ask the app that sent you here for a new one.',
  link_expired: 'This connect link has expired. Ask the app that sent you here for a new one.',
  link_not_confirmed:
    'The app did not confirm the result of this connect link. Ask the app that sent you here for a new one.',
  link_used: 'This connect link has already been used. Ask the app that sent you here for a new one.',
  link_started_elsewhere:
    'This connect link was opened in another browser first, and only that browser can finish it. Continue there, or ask the app for a new link.',
  link_started_too_often: 'This connect link was started too often. Ask the app that sent you here for a new one.',
  link_outdated: 'The app no longer asks for what this connect link is for. Ask the app for a new one.',
  connection_deleted: 'The connection was deleted. Ask the app to connect the account again.',
  too_many: 'Too many people are connecting at once. Wait a minute, then try again.',
  app_not_ready: 'The app is not set up completely. Its developer must correct this; trying again does not help.',
  foreign_page: 'Only the page of the connect link itself may start this. Open the link from the app again.',
  bad_address: 'The address you opened is not correct. The developer of the app must correct it:',
  gateway_failed: 'The gateway failed. Go back to the app and try again.',
};

type FailureName = FlowFailureKind | 'no_organization';

/** The texts of every failure of a flow, for any provider, with names where known. */
export const failures: Readonly<Record<FailureName, FlowText>> = {
  ...FLOW_FAILURE_TEXTS,
  wrong_account: {
    title: 'That is a different {provider} account',
    happened: 'This connection belongs to {expected}, but you chose {chosen}. Nothing was changed.',
    next: 'Try again with {expected}. To connect the other account, go back to the app.',
  },
  wrong_domain: {
    title: 'That account is not in the right organization',
    happened: 'The app accepts only Google accounts of {domain}, but you chose {chosen}. Nothing was connected.',
    next: 'Try again with your account of {domain}.',
  },
  no_organization: {
    title: 'That account is not in the right organization',
    happened:
      'The app accepts only Google accounts of an organization (Google Workspace), but you chose {chosen}. Nothing was connected.',
    next: 'Try again with your work or school account.',
  },
};

/** Failures with texts of a provider's own, by the id of its authorization server; in English they are with the provider. */
const failuresAt: Readonly<Record<string, Readonly<Partial<Record<FailureName, FlowText>>>>> = {
  google: GOOGLE_FLOW_TEXTS,
};

/** Replacements for an unknown account's address in the texts of failures. */
export const unknownAccounts = { expected: 'another {provider} account', chosen: 'a different account' };

/** Google's names of its services; those of other providers are in their definitions. */
const services: Readonly<Record<string, string>> = {
  'google-drive': 'Google Drive',
  'google-calendar': 'Google Calendar',
};

export const en = {
  common,
  session,
  admin,
  frame,
  googleErrors,
  result,
  problems,
  failures,
  failuresAt,
  unknownAccounts,
  services,
  /** Scopes are described in English by their provider. */
  scopes: {},
};
