/** A call to start from. */
export interface TryPreset {
  readonly label: string;
  /** Path and query at the provider. */
  readonly target: string;
}

const PRESETS: Readonly<Record<string, readonly TryPreset[]>> = {
  'google-drive': [
    { label: 'About the account', target: '/drive/v3/about?fields=user,storageQuota' },
    { label: 'Ten files', target: '/drive/v3/files?pageSize=10&fields=files(id,name,mimeType,modifiedTime)' },
    { label: 'Folders', target: "/drive/v3/files?q=mimeType='application/vnd.google-apps.folder'&pageSize=10" },
  ],
  'google-calendar': [
    { label: 'Calendars', target: '/calendar/v3/users/me/calendarList?maxResults=10' },
    { label: 'Ten events', target: '/calendar/v3/calendars/primary/events?maxResults=10' },
  ],
};

/** Calls that suit a provider. */
export function tryPresets(provider: string): readonly TryPreset[] {
  return PRESETS[provider] ?? [];
}

/** What is wrong with a path to try; undefined when it can be sent. */
export function tryTargetProblem(target: string): string | undefined {
  if (target.trim() === '') return 'Give a path at the provider, such as /drive/v3/about?fields=user.';
  if (!target.startsWith('/')) return 'Begin with a slash: the gateway knows the host.';
  if (target.startsWith('//')) return 'Begin with one slash.';
  if (/\s/.test(target)) return 'Write spaces as %20.';
  if (target.includes('#')) return 'Write # as %23.';
  return undefined;
}

/** A body for people: JSON indented, everything else as it is. */
export function prettyBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
