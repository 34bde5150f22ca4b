import { type HeaderPairs, headerValues } from '../core/http-message.ts';
import { HELD_BODY_MAX_BYTES } from '../core/limits.ts';
import { readRelated } from '../core/related-parts.ts';
import { readStrictJson } from '../core/strict-json.ts';

/** Classes of changes that a person may want to approve (AP-10): limits of keys can name them. */
export const CHANGE_CLASSES = ['delete', 'share', 'invite', 'replace', 'write'] as const;

export type ChangeClass = (typeof CHANGE_CLASSES)[number];

/** A class of a method: for all of its calls, or only for those that meet a condition. */
export interface ClassOfMethod {
  readonly name: ChangeClass;
  readonly when?: Condition;
}

/** The classes of every method that changes data, by its id; `write` is each of them. */
export type ChangeTable = ReadonlyMap<string, readonly ClassOfMethod[]>;

/** A request as its classes are judged. */
export interface JudgedRequest {
  /** Path and query. */
  readonly target: string;
  readonly headers?: HeaderPairs;
  readonly body?: Uint8Array | undefined;
}

/** The watched members of a body; `unreadable` where they cannot be determined. */
type ReadBody = { readonly members: ReadonlyMap<string, readonly unknown[]> } | 'unreadable';

interface Judged {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: ReadBody;
}

/** Conditions under which a call belongs to a class. An unreadable body meets every condition on the body. */
const CONDITIONS = {
  trashed: ({ body }) => says(body, 'trashed', isTrue),
  cancelled: ({ body }) =>
    says(body, 'status', (value) => String(value).toLowerCase() !== 'confirmed' && value !== 'tentative'),
  guests: ({ body }) => says(body, 'attendees', () => true),
  mails: ({ query }) =>
    valuesOf(query, 'sendupdates').some((value) => value.toLowerCase() !== 'none') ||
    valuesOf(query, 'sendnotifications').some((value) => value.toLowerCase() !== 'false'),
  address: ({ query }) => valuesOf(query, 'text').some((value) => value.includes('@')),
  published: ({ body }) =>
    ['published', 'publishAuto', 'publishedOutsideDomain'].some((name) => says(body, name, isTrue)),
  // The new place may be open to more people (AP-35).
  moved: ({ query }) => valuesOf(query, 'addparents').length > 0,
  opened: ({ body }) =>
    Object.entries(OPENS).some(([name, keeps]) => says(body, name, (value) => !keeps.includes(value))),
  upload: ({ path }) => isUpload(path),
} as const satisfies Record<string, (judged: Judged) => boolean>;

/** Members that admit more people, or permit more, unless they have one of these values. */
const OPENS: Readonly<Record<string, readonly unknown[]>> = {
  anyoneCanAddSelf: [false, null],
  copyRequiresWriterPermission: [true],
  downloadRestrictions: [],
  guestsCanModify: [false, null],
  inheritedPermissionsDisabled: [true],
  restrictions: [],
  viewersCanCopyContent: [false],
  visibility: ['private', 'confidential'],
  writersCanShare: [false],
};

type Condition = keyof typeof CONDITIONS;

/**
 * Methods that change data, one per line: id below the API, and the classes of its calls in addition to `write`, each with its
 * condition, such as `files.update delete?trashed replace?upload`.
 *
 * @throws Error for an unknown class or condition
 */
export function changeRows(
  api: string,
  rows: readonly string[],
): readonly (readonly [string, readonly ClassOfMethod[]])[] {
  return rows.map((row) => {
    const [id = '', ...classes] = row.split(' ');
    return [`${api}.${id}`, classes.map(classOfText)] as const;
  });
}

function classOfText(text: string): ClassOfMethod {
  const [word, condition] = text.split('?');
  const name = CHANGE_CLASSES.find((one) => one === word);
  if (name === undefined) throw new Error(`${text} names no class of changes`);
  if (condition === undefined) return { name };
  if (!isCondition(condition)) throw new Error(`${text} names no condition`);
  return { name, when: condition };
}

function isCondition(text: string): text is Condition {
  return Object.hasOwn(CONDITIONS, text);
}

/** The classes of a call of a method; none where the method changes nothing. */
export function classesOf(table: ChangeTable, methodId: string, request: JudgedRequest): readonly ChangeClass[] {
  const rows = table.get(methodId);
  if (rows === undefined) return [];
  const queryAt = request.target.indexOf('?');
  const path = queryAt < 0 ? request.target : request.target.slice(0, queryAt);
  const query = new URLSearchParams(queryAt < 0 ? '' : request.target.slice(queryAt + 1));
  const judged: Judged = { path, query, body: readBody(request, path, query) };
  const met = rows.filter(({ when }) => when === undefined || CONDITIONS[when](judged)).map(({ name }) => name);
  return CHANGE_CLASSES.filter((name) => name === 'write' || met.includes(name));
}

/** The watched members of a body. */
function readBody(request: JudgedRequest, path: string, query: URLSearchParams): ReadBody {
  const members = jsonMembers(request, path, query);
  return members === 'unreadable' ? members : { members: watchedIn(members) };
}

/**
 * The body as JSON with one meaning: of an upload in two parts the members of the file, of one in a single part none. A compressed, too
 * large or other body may have any member.
 */
export function jsonMembers(
  { headers = [], body }: JudgedRequest,
  path: string,
  query: URLSearchParams,
): Readonly<Record<string, unknown>> | 'unreadable' {
  if (body === undefined || body.length === 0 || isContentAlone(path, query)) return {};
  if (headerValues(headers, 'content-encoding').some((value) => value.trim().toLowerCase() !== 'identity')) {
    return 'unreadable';
  }
  const types = headerValues(headers, 'content-type');
  if (types.length > 1) return 'unreadable';
  const [type = 'application/json'] = types;
  const json = JSON_TYPE.test(type.trim()) ? body : metadataOf(type, body);
  if (json === undefined || json.length > HELD_BODY_MAX_BYTES) return 'unreadable';
  const read = readStrictJson(json);
  return 'value' in read && isObject(read.value) ? read.value : 'unreadable';
}

/** Whether a body is only a file's content (Upload file data, Google Drive API guide). */
function isContentAlone(path: string, query: URLSearchParams): boolean {
  const types = valuesOf(query, 'uploadtype');
  return isUpload(path) && types.length === 1 && types[0] === 'media';
}

function isUpload(path: string): boolean {
  return /^\/(?:resumable\/)?upload\//i.test(decoded(path));
}

/** The members of an upload in two parts; undefined where readers could find different parts. */
function metadataOf(type: string, body: Uint8Array): Uint8Array | undefined {
  const parts = readRelated(type, body);
  return 'json' in parts ? parts.json : undefined;
}

const JSON_TYPE = /^application\/json\s*(?:;\s*(?:charset\s*=\s*"?utf-8"?\s*(?:;\s*)?)?)?$/i;

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Values of the members in conditions, by their names in lower case: to the provider, other spellings may be the same. */
function watchedIn(members: Readonly<Record<string, unknown>>): ReadonlyMap<string, readonly unknown[]> {
  const found = new Map<string, unknown[]>();
  for (const key of Object.keys(members)) {
    if (!WATCHED_LENGTHS.has(key.length)) continue;
    const name = key.toLowerCase();
    if (!WATCHED.has(name)) continue;
    const values = found.get(name) ?? [];
    values.push(members[key]);
    found.set(name, values);
  }
  return found;
}

const WATCHED = new Set(
  ['trashed', 'status', 'attendees', 'published', 'publishAuto', 'publishedOutsideDomain', ...Object.keys(OPENS)].map(
    (name) => name.toLowerCase(),
  ),
);
const WATCHED_LENGTHS = new Set([...WATCHED].map(({ length }) => length));

/** Whether a member of a body meets a condition; with two spellings either may count. */
function says(body: ReadBody, name: string, isSo: (value: unknown) => boolean): boolean {
  if (body === 'unreadable') return true;
  const own = body.members.get(name.toLowerCase()) ?? [];
  return own.length > 1 || own.some(isSo);
}

function isTrue(value: unknown): boolean {
  return value !== false && value !== null;
}

/**
 * Values of a parameter in letters of either case, with and without the `$` of system parameters and the `_` of the other spelling of
 * JSON names.
 *
 * @param name in lower case, without `_`
 */
export function valuesOf(query: URLSearchParams, name: string): readonly string[] {
  return [...query]
    .filter(([key]) => key.trim().toLowerCase().replace(/^\$/, '').replaceAll('_', '') === name)
    .map(([, value]) => value.trim());
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
