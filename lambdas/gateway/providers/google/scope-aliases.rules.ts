/** Prefix of Google's API scopes. */
export const GOOGLE_SCOPE_PREFIX = 'https://www.googleapis.com/auth/';

/** Second spellings under which Google returns scopes, and the one that is used for comparison. */
export const GOOGLE_SCOPE_ALIASES: ReadonlyMap<string, string> = new Map([
  [`${GOOGLE_SCOPE_PREFIX}userinfo.email`, 'email'],
  [`${GOOGLE_SCOPE_PREFIX}userinfo.profile`, 'profile'],
  [`${GOOGLE_SCOPE_PREFIX}drive.appfolder`, `${GOOGLE_SCOPE_PREFIX}drive.appdata`],
]);
