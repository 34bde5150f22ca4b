import { calendarPath, calledObject, filePath, type Reading } from './called-object.rules.ts';
import { isObject, type JsonObject, type ReadCall, valueAt } from './read-call.rules.ts';

/** What is read at the provider for a description, by its path; undefined where no answer came. */
export type Readings = ReadonlyMap<string, Reading | undefined>;

/** Members of a principal that may have access. */
const READERS = 'permissions(type,role,emailAddress,domain,allowFileDiscovery)';

/** Where it is read who can open a folder. */
export function folderReadersPath(id: string): string {
  return `/drive/v3/files/${encodeURIComponent(id)}/permissions?pageSize=100&supportsAllDrives=true&fields=nextPageToken,${READERS}`;
}

/** Where it is read who can see a calendar. */
export function calendarReadersPath(id: string): string {
  return `/calendar/v3/calendars/${encodeURIComponent(id)}/acl?maxResults=250`;
}

/** The folder or calendar that something comes to, if the call says or implies it. */
export interface Place {
  readonly kind: 'folder' | 'calendar';
  readonly id: string;
  readonly namePath: string;
  readonly readersPath: string;
}

function folder(id: string): Place {
  return { kind: 'folder', id, namePath: filePath(id), readersPath: folderReadersPath(id) };
}

function calendar(id: string): Place {
  return { kind: 'calendar', id, namePath: calendarPath(id), readersPath: calendarReadersPath(id) };
}

/** Where the effect of a call comes to; undefined where it stays in its place. */
export function placeOf(call: ReadCall, main: JsonObject | undefined): Place | undefined {
  const { methodId, query, body, ids } = call;
  if (methodId === 'drive.files.create' || methodId === 'drive.files.copy') {
    const named = firstText(body.parents);
    // A copy lies where its original does, unless it names another folder.
    const id = named ?? (methodId === 'drive.files.copy' ? firstText(main?.parents) : undefined);
    return folder(id ?? 'root');
  }
  if (methodId === 'drive.files.update') {
    const added = query.get('addParents');
    if (added !== undefined) return folder(added);
    const opened = body.inheritedPermissionsDisabled === false ? firstText(main?.parents) : undefined;
    return opened === undefined ? undefined : folder(opened);
  }
  if (methodId === 'calendar.events.move') return calendar(query.get('destination') ?? '');
  return methodId.startsWith('calendar.events.') ? calendar(ids.calendar ?? '') : undefined;
}

/** What a call takes something out of, for moves. */
export function leftPath({ methodId, query, ids }: ReadCall): string | undefined {
  const removed = query.get('removeParents');
  if (removed !== undefined) return filePath(removed);
  return methodId === 'calendar.events.move' ? calendarPath(ids.calendar ?? '') : undefined;
}

/** What a call refers to in addition to its object: the target of a shortcut, the image of a drive, a calendar for the list. */
export function targetPath({ methodId, body }: ReadCall): string | undefined {
  const file = valueAt(body, 'shortcutDetails.targetId') ?? valueAt(body, 'backgroundImageFile.id');
  if (typeof file === 'string') return filePath(file);
  const listed = methodId === 'calendar.calendarList.insert' ? body.id : undefined;
  return typeof listed === 'string' ? `/calendar/v3/calendars/${encodeURIComponent(listed)}` : undefined;
}

/** All that has to be read for a description, and was not yet. */
export function missingPaths(call: ReadCall, readings: Readings): readonly string[] {
  const object = calledObject(call);
  const main = object && readings.get(object.readPath)?.json;
  const place = object === undefined || readings.has(object.readPath) ? placeOf(call, main) : undefined;
  const wanted = [
    object?.readPath,
    object?.partPath,
    leftPath(call),
    targetPath(call),
    place?.namePath,
    place?.readersPath,
  ];
  return [...new Set(wanted)].filter((path) => path !== undefined && !readings.has(path)).map(String);
}

/** Readings that may be missing: the provider may hide the list of readers from this account. */
export function mayBeMissing(path: string): boolean {
  return /\/permissions\?pageSize=|\/acl\?maxResults=/.test(path);
}

/** Somebody who has access, as the provider names them. */
export interface Principal {
  readonly type: 'user' | 'group' | 'domain' | 'anyone' | 'unknown';
  /** Address or domain. */
  readonly address: string | undefined;
  /** Everybody finds it, not only who has the link. */
  readonly isFound: boolean;
}

/** A permission of Drive, or a rule of a calendar. */
export function principalOf(entry: JsonObject): Principal {
  const scope = isObject(entry.scope) ? entry.scope : undefined;
  const type = scope === undefined ? entry.type : scope.type === 'default' ? 'anyone' : scope.type;
  const address = scope === undefined ? (entry.emailAddress ?? entry.domain) : scope.value;
  const isKnown = type === 'user' || type === 'group' || type === 'domain' || type === 'anyone';
  return {
    type: isKnown ? type : 'unknown',
    address: typeof address === 'string' ? address : undefined,
    isFound: scope !== undefined || entry.allowFileDiscovery === true,
  };
}

/** Who can open a place, and whether there are more; undefined where the provider does not show it. */
export function readersOf(
  reading: Reading | undefined,
): { readonly all: readonly Principal[]; readonly isCut: boolean } | undefined {
  if (reading?.status !== 200) return undefined;
  const { permissions, items = permissions, nextPageToken } = reading.json;
  const entries: readonly unknown[] = Array.isArray(items) ? items : [];
  const all = entries
    .filter(isObject)
    .filter(({ role }) => role !== 'none')
    .map(principalOf);
  return { all, isCut: nextPageToken !== undefined };
}

function firstText(value: unknown): string | undefined {
  const [first]: readonly unknown[] = Array.isArray(value) ? value : [];
  return typeof first === 'string' ? first : undefined;
}
