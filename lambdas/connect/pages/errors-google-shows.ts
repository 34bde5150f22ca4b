/** An error that Google shows on a page of its own and never sends back. */
export interface ShownError {
  /** What the page says. */
  readonly name: string;
  readonly meaning: string;
}

/** Google "Errors" of the OAuth guide, in the order people meet them. */
export const ERRORS_GOOGLE_SHOWS: readonly ShownError[] = [
  {
    name: 'access_denied, “has not completed the Google verification process”',
    meaning: 'The app is still being tested. Its developer has to add your account as a test user or publish the app.',
  },
  {
    name: 'admin_policy_enforced',
    meaning: 'Your organization blocks the app. Ask your Google Workspace administrator to allow it.',
  },
  {
    name: 'org_internal',
    meaning: 'The app is only for members of its own organization. Choose an account of that one.',
  },
  {
    name: '“This app is blocked”',
    meaning:
      'Google does not let this app at the data it asks for, because it has not checked the app or because your account is under Advanced Protection. The developer of the app has to have it verified; an account under Advanced Protection cannot be connected to it.',
  },
  {
    name: 'disabled_client',
    meaning:
      'Google has switched the app off, or lets no more new users in until it has checked the app. Its developer has to settle that with Google; trying again does not help.',
  },
  {
    name: 'redirect_uri_mismatch, invalid_client, deleted_client, restricted_client, invalid_request',
    meaning: 'The app is not set up correctly at Google. Its developer has to correct it; trying again does not help.',
  },
  {
    name: 'disallowed_useragent',
    meaning:
      'Google does not allow sign-in inside this app. Open the link in a browser such as Chrome, Safari or Firefox.',
  },
  {
    name: 'rate_limit_exceeded',
    meaning: 'Too many people are connecting at once. Wait some minutes, then try again.',
  },
];
