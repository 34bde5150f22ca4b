const PREFIX = 'https://www.googleapis.com/auth/';

/** Scopes that only identify the user; they have no check box and escape the 7-day rule of Testing. */
const SIGN_IN_SCOPES = new Set(['openid', `${PREFIX}userinfo.email`, `${PREFIX}userinfo.profile`]);

/** Sentences of the consent screen for the scopes people meet most; others are described from their name. */
const DESCRIPTIONS: Record<string, string> = {
  drive: 'See, edit, create, and delete all of your Google Drive files',
  'drive.readonly': 'See and download all your Google Drive files',
  'drive.file': 'See, edit, create, and delete only the specific Google Drive files you use with this app',
  'drive.appdata': 'See, create, and delete its own configuration data in your Google Drive',
  'drive.metadata': 'View and manage metadata of files in your Google Drive',
  'drive.metadata.readonly': 'See information about your Google Drive files',
  calendar: 'See, edit, share, and permanently delete all the calendars you can access using Google Calendar',
  'calendar.readonly': 'See and download any calendar you can access using your Google Calendar',
  'calendar.events': 'View and edit events on all your calendars',
  'calendar.events.readonly': 'View events on all your calendars',
  'calendar.calendarlist.readonly': 'See the list of Google calendars you’re subscribed to',
  'calendar.freebusy': 'View your availability in your calendars',
  'calendar.settings.readonly': 'View your Calendar settings',
};

const NAMES = [
  ...['drive', 'drive.activity', 'drive.activity.readonly', 'drive.appdata', 'drive.appfolder', 'drive.apps.readonly'],
  ...['drive.file', 'drive.install', 'drive.meet.readonly', 'drive.metadata', 'drive.metadata.readonly'],
  ...['drive.photos.readonly', 'drive.readonly', 'drive.scripts'],
  ...['calendar', 'calendar.acls', 'calendar.acls.readonly', 'calendar.app.created', 'calendar.calendarlist'],
  ...['calendar.calendarlist.readonly', 'calendar.calendars', 'calendar.calendars.readonly', 'calendar.events'],
  ...['calendar.events.freebusy', 'calendar.events.owned', 'calendar.events.owned.readonly'],
  ...['calendar.events.public.readonly', 'calendar.events.readonly', 'calendar.freebusy', 'calendar.readonly'],
  'calendar.settings.readonly',
];

const KNOWN_SCOPES = new Set([...NAMES.map((name) => PREFIX + name), ...SIGN_IN_SCOPES]);

const ALIASES: Record<string, string[]> = {
  email: ['openid', `${PREFIX}userinfo.email`],
  profile: ['openid', `${PREFIX}userinfo.profile`],
  [`${PREFIX}userinfo.email`]: ['openid', `${PREFIX}userinfo.email`],
  [`${PREFIX}userinfo.profile`]: ['openid', `${PREFIX}userinfo.profile`],
  [`${PREFIX}drive.appfolder`]: [`${PREFIX}drive.appdata`],
};

/** Splits a space list, empty entries dropped, repeats removed. */
export function splitScopes(scope: string): string[] {
  return [...new Set(scope.split(' ').filter((entry) => entry !== ''))];
}

/** Replaces aliases by the names the token endpoint uses: `email` becomes `userinfo.email` and brings `openid`. */
export function expandScopes(scopes: readonly string[]): string[] {
  return [...new Set(scopes.flatMap((scope) => ALIASES[scope] ?? [scope]))];
}

/**
 * The first scope that the catalogue does not hold.
 * @param more scopes of APIs that somebody else plays
 */
export function findUnknownScope(scopes: readonly string[], more: ReadonlySet<string>): string | undefined {
  return expandScopes(scopes).find((scope) => !KNOWN_SCOPES.has(scope) && !more.has(scope));
}

/** True for `openid` and the two userinfo scopes. */
export function isSignInScope(scope: string): boolean {
  return SIGN_IN_SCOPES.has(scope);
}

/** True when something beyond signing in is asked. */
export function goesBeyondSignIn(scopes: readonly string[]): boolean {
  return scopes.some((scope) => !isSignInScope(scope));
}

/** Scope URL of a discovery short name such as `drive.readonly`. */
export function scopeUrl(shortName: string): string {
  return PREFIX + shortName;
}

/** The sentence of the consent screen for a scope. */
export function describeScope(scope: string): string {
  const name = scope.startsWith(PREFIX) ? scope.slice(PREFIX.length) : scope;
  return DESCRIPTIONS[name] ?? `Use the permission “${name}”`;
}

/**
 * Which scopes get a check box of their own: every non-sign-in scope when there are several, or one alongside sign-in
 * scopes; a lone scope is all or nothing.
 */
export function scopesWithBox(scopes: readonly string[]): string[] {
  const boxed = scopes.filter((scope) => !isSignInScope(scope));
  return scopes.length > 1 ? boxed : [];
}
