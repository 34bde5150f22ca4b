import { type HeaderPairs, headerValues } from '../core/http-message.ts';
import type { UpstreamPlan } from '../proxying/upstream-request.rules.ts';

/** What a call is about, and where it can be read at the provider. */
export interface CalledObject {
  readonly kind: 'file' | 'shared_drive' | 'event' | 'calendar';
  /** Path and query of the object. */
  readonly readPath: string;
  /** What of it the call is about, such as one permission. */
  readonly part?: { readonly kind: PartKind; readonly readPath: string } | undefined;
}

type PartKind = 'permission' | 'comment' | 'reply' | 'revision' | 'rule';

/** The provider's answer to a reading, its body as JSON; undefined where there was none. */
export interface Reading {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
}

/** A call as it waits, with the members of its body as far as they can be read. */
export interface WaitingCall {
  readonly methodId: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Undefined where the body is no JSON object. */
  readonly members: Readonly<Record<string, unknown>> | undefined;
  readonly isUpload: boolean;
}

/** A parked call with what of it can be read. */
export function waitingCall(
  methodId: string,
  { target, headers, body }: Pick<UpstreamPlan, 'target' | 'headers' | 'body'>,
): WaitingCall {
  const queryAt = target.indexOf('?');
  const path = queryAt < 0 ? target : target.slice(0, queryAt);
  return {
    methodId,
    path,
    query: new URLSearchParams(queryAt < 0 ? '' : target.slice(queryAt + 1)),
    members: membersOf(headers, body),
    isUpload: /^\/(?:resumable\/)?upload\//i.test(path),
  };
}

/** Members of a JSON body, or of the first part of an upload in one request. */
function membersOf(headers: HeaderPairs, body: Uint8Array | undefined): WaitingCall['members'] {
  if (body === undefined || body.length === 0) return {};
  const type = headerValues(headers, 'content-type').at(-1) ?? '';
  const text = Buffer.from(body).toString('utf8');
  const boundary = /^multipart\/related\s*;.*boundary="?([^";]+)"?/is.exec(type)?.[1];
  const json =
    boundary === undefined ? text : (/\r?\n\r?\n([\s\S]*)$/.exec(text.split(`--${boundary}`)[1] ?? '')?.[1] ?? '');
  return jsonObject(json);
}

/** An object of JSON; undefined for anything else. */
export function jsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const FILE_FIELDS =
  'fields=id,name,mimeType,version,trashed,parents,owners(displayName,emailAddress)&supportsAllDrives=true';
const FILE = /^\/(?:(?:resumable\/)?upload\/)?drive\/v3\/files\/([^/:]+)(?:\/(\w+)\/([^/:]+)(?:\/replies\/([^/:]+))?)?/;
const DRIVE = /^\/drive\/v3\/(?:team)?drives\/([^/:]+)/;
const CALENDAR = /^\/calendar\/v3\/calendars\/([^/]+)(?:\/(events|acl)\/([^/]+))?/;
const LISTED = /^\/calendar\/v3\/users\/me\/calendarList\/([^/]+)/;

/** Fields of the parts of a file that have a name of their own. */
const PARTS: Readonly<Record<string, { readonly kind: PartKind; readonly fields: string }>> = {
  permissions: {
    kind: 'permission',
    fields: 'fields=id,type,role,emailAddress,displayName,domain&supportsAllDrives=true',
  },
  comments: { kind: 'comment', fields: 'fields=id,content,author(displayName)' },
  revisions: { kind: 'revision', fields: 'fields=id,modifiedTime' },
};

/** Methods of a collection, whose last word is no id. */
const NO_OBJECT =
  /^drive\.files\.(?:create|emptyTrash)$|^drive\.(?:team)?drives\.create$|^calendar\.calendar(?:s|List)\.insert$/;

/** What a call is about; undefined where that has no name yet, or where readers could see different ids in its path. */
export function calledObject({ methodId, path }: WaitingCall): CalledObject | undefined {
  if (NO_OBJECT.test(methodId) || /%2f|%25|;/i.test(path)) return undefined;
  const [, file, parts = '', part, reply] = FILE.exec(path) ?? [];
  if (file !== undefined) return fileOf(file, parts, part, reply);
  const [, drive] = DRIVE.exec(path) ?? [];
  if (drive !== undefined) return { kind: 'shared_drive', readPath: `/drive/v3/drives/${drive}?fields=id,name` };
  const [, calendar, below, id] = CALENDAR.exec(path) ?? [];
  const [, listed = calendar] = LISTED.exec(path) ?? [];
  if (listed === undefined) return undefined;
  const collection = `/calendar/v3/calendars/${listed}`;
  if (below === 'events' && id !== undefined && !/^(?:import|quickAdd)$/.test(id)) {
    return { kind: 'event', readPath: `${collection}/events/${id}?maxAttendees=50` };
  }
  const rule =
    below === 'acl' && id !== undefined ? { kind: 'rule' as const, readPath: `${collection}/acl/${id}` } : undefined;
  return { kind: 'calendar', readPath: collection, part: rule };
}

function fileOf(file: string, parts: string, part: string | undefined, reply: string | undefined): CalledObject {
  const readPath = `/drive/v3/files/${file}?${FILE_FIELDS}`;
  const known = PARTS[parts];
  if (known === undefined || part === undefined) return { kind: 'file', readPath };
  const place = `/drive/v3/files/${file}/${parts}/${part}`;
  return {
    kind: 'file',
    readPath,
    part:
      reply === undefined
        ? { kind: known.kind, readPath: `${place}?${known.fields}` }
        : { kind: 'reply', readPath: `${place}/replies/${reply}?fields=id,content` },
  };
}

/**
 * What of an object has to be the same when the call is sent: the `etag` of an event, which the provider compares itself, or the
 * `version` of a file, which is read again right before (AP-1).
 */
export function seenOf(object: CalledObject | undefined, json: Reading['json'] | undefined): string | undefined {
  if (object?.kind === 'event' && typeof json?.etag === 'string') return `etag:${json.etag}`;
  if (object?.kind === 'file' && typeof json?.version === 'string') return `version:${json.version}`;
  return undefined;
}

/** Where what a call created would be read, by the id that it got; undefined where a create takes none. */
export function createdPath({ methodId, path, isUpload }: WaitingCall, id: string): string | undefined {
  if (isUpload) return undefined;
  if (methodId === 'drive.files.create' || methodId === 'drive.files.copy')
    return `/drive/v3/files/${id}?${FILE_FIELDS}`;
  return methodId === 'calendar.events.insert' ? `${path}/${id}` : undefined;
}

/** Where the effect of a call shows that names no object of its own: who a file is shared with. */
export function effectPath(call: WaitingCall): string | undefined {
  if (call.methodId !== 'drive.permissions.create' || call.members === undefined) return undefined;
  return `${call.path}?fields=permissions(type,role,emailAddress,domain)&pageSize=100&supportsAllDrives=true`;
}

/**
 * Whether a call was carried out, by what is there now; undefined where that does not tell (AP-14).
 *
 * @param seen what was there before
 * @param reading of the object itself, of what was created, or of where the effect shows
 */
export function settled(
  call: WaitingCall,
  method: string,
  seen: string | undefined,
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
    const { role, type, emailAddress, domain } = call.members ?? {};
    return all.some((one) => holds(one, { role, type, emailAddress, domain })) ? 'done' : 'failed';
  }
  if (method === 'DELETE') return isGone || isCancelled ? 'done' : 'failed';
  if (isGone || (method !== 'PATCH' && method !== 'PUT')) return undefined;
  const members = call.members ?? {};
  if (!call.isUpload && Object.keys(members).length > 0 && holds(json, members)) return 'done';
  const now = typeof json.version === 'string' ? `version:${json.version}` : `etag:${String(json.etag)}`;
  return seen !== undefined && now === seen ? 'failed' : undefined;
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
