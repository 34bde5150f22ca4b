import { isObject, type JsonObject, type ReadCall } from './read-call.rules.ts';

/** What a call is about. */
export type ObjectKind = 'file' | 'shared_drive' | 'event' | 'calendar';

/** The object that a call names, and where it is read at the provider. */
export interface CalledObject {
  readonly kind: ObjectKind;
  readonly id: string;
  /** Path and query of the object. */
  readonly readPath: string;
  /** Path and query of what of it the call is about, such as one permission. */
  readonly partPath?: string | undefined;
}

/** The provider's answer to a reading, its body as JSON. */
export interface Reading {
  readonly status: number;
  readonly json: JsonObject;
}

/** An object of JSON; undefined for anything else. */
export function jsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const FILE_FIELDS = ['id', 'name', 'mimeType', 'version', 'trashed', 'parents', 'owners(displayName,emailAddress)'];

/** Path and query of a file with the members that everything is shown of, and some more. */
export function filePath(id: string, more: readonly string[] = []): string {
  const fields = [...new Set([...FILE_FIELDS, ...more])].join(',');
  return `/drive/v3/files/${encodeURIComponent(id)}?fields=${fields}&supportsAllDrives=true`;
}

const PERSON = 'displayName,emailAddress';
const PARTS: Readonly<Record<string, readonly [collection: string, fields: string]>> = {
  permission: [
    'permissions',
    'fields=id,type,role,emailAddress,displayName,domain,allowFileDiscovery,expirationTime,view,pendingOwner&supportsAllDrives=true',
  ],
  comment: ['comments', `fields=id,content,author(${PERSON})`],
  revision: ['revisions', 'fields=id,modifiedTime,keepForever,published,publishAuto,publishedOutsideDomain'],
  proposal: ['accessproposals', ''],
};

/** What a call names in its path; undefined where it names no object, as most creates do. */
export function calledObject({ ids, methodId, body }: ReadCall): CalledObject | undefined {
  const { file, drive, calendar, event } = ids;
  if (file !== undefined) {
    const changed = methodId === 'drive.files.update' ? Object.keys(body) : [];
    return { kind: 'file', id: file, readPath: filePath(file, changed), partPath: partOf(file, ids) };
  }
  if (drive !== undefined) {
    const fields = ['id', 'name', ...Object.keys(body).filter((name) => name !== 'name')].join(',');
    return {
      kind: 'shared_drive',
      id: drive,
      readPath: `/drive/v3/drives/${encodeURIComponent(drive)}?fields=${fields}`,
    };
  }
  if (calendar === undefined) return undefined;
  const place = `/calendar/v3/calendars/${encodeURIComponent(calendar)}`;
  if (event !== undefined) {
    return { kind: 'event', id: event, readPath: `${place}/events/${encodeURIComponent(event)}` };
  }
  if (methodId.startsWith('calendar.calendarList.')) {
    const readPath = `/calendar/v3/users/me/calendarList/${encodeURIComponent(calendar)}`;
    return { kind: 'calendar', id: calendar, readPath };
  }
  if (methodId.startsWith('calendar.events.'))
    return { kind: 'calendar', id: calendar, readPath: calendarPath(calendar) };
  const partPath = ids.rule === undefined ? undefined : `${place}/acl/${encodeURIComponent(ids.rule)}`;
  return { kind: 'calendar', id: calendar, readPath: place, partPath };
}

/** Path of the name and time zone of a calendar, for everyone who can read its events. */
export function calendarPath(id: string): string {
  return `/calendar/v3/calendars/${encodeURIComponent(id)}/events?maxResults=1&fields=summary,timeZone`;
}

function partOf(file: string, ids: ReadCall['ids']): string | undefined {
  const [name, id] = Object.entries(ids).find(([one]) => Object.hasOwn(PARTS, one)) ?? [];
  const [collection, fields] = PARTS[name ?? ''] ?? [];
  if (collection === undefined || id === undefined) return undefined;
  const place = `/drive/v3/files/${encodeURIComponent(file)}/${collection}/${encodeURIComponent(id)}`;
  if (ids.reply === undefined) return fields === '' ? place : `${place}?${fields}`;
  return `${place}/replies/${encodeURIComponent(ids.reply)}?fields=id,content,author(${PERSON})`;
}

/**
 * What of an object has to be the same when the call is sent: the `etag` of an event, which the provider compares itself, or the
 * `version` of a file, which is read again right before (AP-1).
 */
export function versionOf(object: CalledObject | undefined, json: JsonObject | undefined): string | undefined {
  if (object?.kind === 'event' && typeof json?.etag === 'string') return `etag:${json.etag}`;
  if (object?.kind === 'file' && typeof json?.version === 'string') return `version:${json.version}`;
  return undefined;
}

/** Where what a call created would be read, by the id that it got; undefined where a create takes none. */
export function createdPath({ methodId, path, content }: ReadCall, id: string): string | undefined {
  if (content !== undefined) return undefined;
  if (methodId === 'drive.files.create' || methodId === 'drive.files.copy') return filePath(id);
  return methodId === 'calendar.events.insert' ? `${path}/${id}` : undefined;
}

/** Where the effect of a call shows that names no object of its own: who a file is shared with. */
export function effectPath({ methodId, path }: ReadCall): string | undefined {
  if (methodId !== 'drive.permissions.create') return undefined;
  return `${path}?fields=permissions(type,role,emailAddress,domain)&pageSize=100&supportsAllDrives=true`;
}

/**
 * Whether a call was carried out, judged by the current state; undefined where the state does not show it (AP-14).
 *
 * @param version what was there before
 * @param reading of the object itself, of what was created, or of where the effect shows
 */
export function settled(
  call: ReadCall,
  version: string | undefined,
  reading: Reading,
  of: 'object' | 'created' | 'effect',
): 'done' | 'failed' | undefined {
  const { status, json } = reading;
  const isGone = status === 404 || status === 410;
  if (status !== 200 && !isGone) return undefined;
  const isCancelled = json.status === 'cancelled';
  if (of === 'created') return isGone || isCancelled ? 'failed' : 'done';
  if (of === 'effect') {
    if (isGone) return undefined;
    const all: readonly unknown[] = Array.isArray(json.permissions) ? json.permissions : [];
    const { role, type, emailAddress, domain } = call.body;
    return all.some((one) => holds(one, { role, type, emailAddress, domain })) ? 'done' : 'failed';
  }
  if (call.verb === 'DELETE') return isGone || isCancelled ? 'done' : 'failed';
  if (isGone || (call.verb !== 'PATCH' && call.verb !== 'PUT')) return undefined;
  if (call.content === undefined && Object.keys(call.body).length > 0 && holds(json, call.body)) return 'done';
  const now = typeof json.version === 'string' ? `version:${json.version}` : `etag:${String(json.etag)}`;
  return version !== undefined && now === version ? 'failed' : undefined;
}

/** Whether a value has all that is wanted of it; what is wanted as null may be missing. E-mail addresses are compared without case. */
function holds(value: unknown, wanted: unknown): boolean {
  if (wanted === undefined) return true;
  if (wanted === null) return value === undefined || value === null;
  if (Array.isArray(wanted)) {
    return Array.isArray(value) && value.length === wanted.length && wanted.every((one, i) => holds(value[i], one));
  }
  if (isObject(wanted))
    return isObject(value) && Object.entries(wanted).every(([name, one]) => holds(value[name], one));
  if (typeof wanted === 'string' && typeof value === 'string') {
    return wanted.includes('@') ? wanted.toLowerCase() === value.toLowerCase() : sameText(wanted, value);
  }
  return value === wanted;
}

/** The same text, or the same moment in another spelling. */
function sameText(wanted: string, value: string): boolean {
  if (wanted === value) return true;
  return /^\d{4}-\d\d-\d\dT/.test(wanted) && Date.parse(wanted) === Date.parse(value);
}
