import { type HeaderPairs, headerValues } from '../../gateway/core/http-message.ts';
import {
  type Content,
  JSON_TYPE,
  mediaTypeOf,
  readRelated,
  type Undescribed,
} from '../../gateway/core/related-parts.ts';
import { readStrictJson } from '../../gateway/core/strict-json.ts';
import {
  ANSWER_PARAMETERS,
  type DescribedMethod,
  type DescribedMethods,
  type Members,
  type Shape,
} from '../../gateway/providers/described-methods.rules.ts';
import type { UpstreamPlan } from '../../gateway/proxying/upstream-request.rules.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** A call of which every part has one meaning that a person can be shown. */
export interface ReadCall {
  readonly methodId: string;
  readonly method: DescribedMethod;
  readonly verb: string;
  readonly path: string;
  /** Ids in the path by what they name. */
  readonly ids: Readonly<Record<string, string>>;
  readonly query: ReadonlyMap<string, string>;
  /** Members of the body; none where there is no body. */
  readonly body: JsonObject;
  readonly content: Content | undefined;
}

type Readable = Pick<UpstreamPlan, 'method' | 'effectiveMethod' | 'target' | 'headers' | 'body'>;

/** A call as it would be sent, or the first part of it that no table of its method describes (AP-30, AP-31). */
export function readCall(described: DescribedMethods, methodId: string, plan: Readable): ReadCall | Undescribed {
  const method = described.get(methodId);
  if (method === undefined) return { member: 'method' };
  if (plan.method !== plan.effectiveMethod) return { member: 'x-http-method-override' };
  const header = REFUSED_HEADERS.find((name) => headerValues(plan.headers, name).length > 0);
  if (header !== undefined && !isIdentity(plan.headers, header)) return { member: header };
  const queryAt = plan.target.indexOf('?');
  const path = queryAt < 0 ? plan.target : plan.target.slice(0, queryAt);
  const place = placeOf(method, methodId, plan.method, path);
  if (place === undefined) return { member: 'path' };
  const query = readQuery(queryAt < 0 ? '' : plan.target.slice(queryAt + 1));
  if ('member' in query) return query;
  const uploadType = place.isUpload ? query.values.get('uploadType') : undefined;
  const known: Members = { ...ANSWER_PARAMETERS, ...method.query, ...(place.isUpload ? UPLOAD_TYPES : {}) };
  for (const [name, value] of query.values) {
    if (!Object.hasOwn(known, name) || !isParameter(known[name], value, place.ids)) return { member: name };
  }
  if (place.isUpload && uploadType === undefined) return { member: 'uploadType' };
  const parts = readBody(plan, method, uploadType);
  if ('member' in parts) return parts;
  const wrong = wrongMember(method.body ?? {}, parts.body, '', place.ids);
  if (wrong !== undefined) return { member: wrong };
  const { ids } = place;
  const call = { methodId, method, verb: plan.method, path, ids, query: query.values, ...parts };
  const contradiction = contradictionIn(method, call);
  return contradiction === undefined ? call : { member: contradiction };
}

export function isRead(call: ReadCall | Undescribed): call is ReadCall {
  return !('member' in call);
}

/** Headers of a held call that are sent: those that change nothing, and what makes a change conditional. */
export function headersToSend(headers: HeaderPairs): HeaderPairs {
  return headers.filter(([name]) => SENT_HEADERS.has(name.toLowerCase()));
}

const SENT_HEADERS = new Set([
  ...['accept', 'accept-encoding', 'accept-language', 'content-type', 'if-match', 'user-agent'],
  ...['x-goog-api-client', 'x-goog-drive-resource-keys', 'x-goog-quota-user', 'x-goog-user-project'],
]);

/** Headers without which a request would mean something else. */
const REFUSED_HEADERS = [
  'content-encoding',
  'content-range',
  'if-modified-since',
  'if-none-match',
  'if-unmodified-since',
  'x-goog-upload-command',
  'x-goog-upload-protocol',
  'x-http-method-override',
  'x-upload-content-type',
];

function isIdentity(headers: HeaderPairs, name: string): boolean {
  return name === 'content-encoding' && headerValues(headers, name).every((value) => value.trim() === 'identity');
}

const UPLOAD_TYPES: Members = { uploadType: 'media|multipart' };

/** Ids have no spaces, slashes, escapes, or characters that readers of a path treat specially. */
const ID = /^(?!\.{1,2}$)[A-Za-z0-9_.@#:+~!$&'()*=-]{1,1024}$/;
/** An e-mail address, and nothing around it. */
export const ADDRESS = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z0-9-]+$/;
const DOMAIN = /^(?:[A-Za-z0-9-]+\.)+[A-Za-z0-9-]+$/;

const BASES: Readonly<Record<string, string>> = { drive: '/drive/v3/', calendar: '/calendar/v3/' };

/** Where in its documented spelling a path leads, and the ids in it. */
function placeOf({ call, upload }: DescribedMethod, methodId: string, verb: string, path: string) {
  const base = BASES[methodId.split('.')[0] ?? ''] ?? '';
  for (const isUpload of [false, true]) {
    const [wanted, template] = (isUpload ? upload : call)?.split(' ') ?? [];
    if (template === undefined || wanted !== verb) continue;
    const ids = idsIn(`${isUpload ? '/upload' : ''}${base}${template}`, path);
    if (ids !== undefined) return { ids, isUpload };
  }
  return undefined;
}

function idsIn(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = template.split('/');
  const segments = path.split('/');
  if (wanted.length !== segments.length) return undefined;
  const ids: Record<string, string> = {};
  for (const [at, text] of wanted.entries()) {
    const segment = segments[at] ?? '';
    const [, name, verb = ''] = /^\{(\w+)\}(:\w+)?$/.exec(text) ?? [];
    if (name === undefined) {
      if (text !== segment) return undefined;
      continue;
    }
    if (!segment.endsWith(verb)) return undefined;
    const id = decoded(segment.slice(0, segment.length - verb.length));
    if (id === undefined || !ID.test(id)) return undefined;
    ids[name] = id;
  }
  return ids;
}

function decoded(text: string): string | undefined {
  if (/%(?![0-9A-Fa-f]{2})|%25|%2f|%5c|%3b/i.test(text)) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Parameters, each once; a form writes a space as `+`. */
function readQuery(text: string): { readonly values: ReadonlyMap<string, string> } | Undescribed {
  const values = new Map<string, string>();
  if (text === '') return { values };
  for (const pair of text.split('&')) {
    const at = pair.indexOf('=');
    const [name, value] = [at < 0 ? pair : pair.slice(0, at), at < 0 ? '' : pair.slice(at + 1)].map(formDecoded);
    // Some readers take a semicolon for a separator.
    if (name === undefined || !/^[$\w]+$/.test(name) || pair.includes(';')) return { member: 'query' };
    if (value === undefined || values.has(name)) return { member: name };
    values.set(name, value);
  }
  return { values };
}

function formDecoded(text: string): string | undefined {
  try {
    const read = decodeURIComponent(text.replaceAll('+', ' '));
    return read.isWellFormed() ? read : undefined;
  } catch {
    return undefined;
  }
}

function isParameter(shape: Shape | undefined, value: string, ids: ReadCall['ids']): boolean {
  if (shape === undefined) return false;
  if (shape === 'flag') return value === 'true' || value === 'false';
  return isShape(shape, value, ids);
}

/** Members and content of a body, where it is what its method takes. */
function readBody(
  { headers, body = new Uint8Array() }: Readable,
  method: DescribedMethod,
  uploadType: string | undefined,
): Pick<ReadCall, 'body' | 'content'> | Undescribed {
  const types = headerValues(headers, 'content-type');
  if (types.length > 1) return { member: 'content-type' };
  const [type = ''] = types;
  if (uploadType === 'media') {
    const mediaType = mediaTypeOf(type);
    if (mediaType === undefined) return { member: 'content-type' };
    return { body: {}, content: { mediaType, bytes: body.length } };
  }
  if (uploadType === 'multipart') {
    const parts = readRelated(type, body);
    if ('member' in parts) return parts;
    const members = readMembers(parts.json);
    return 'member' in members ? members : { ...members, content: parts.content };
  }
  if (body.length === 0) return { body: {}, content: undefined };
  if (!JSON_TYPE.test(type)) return { member: 'content-type' };
  const members = readMembers(body);
  if ('member' in members) return members;
  if (method.body === undefined) for (const first in members.body) return { member: first };
  return { ...members, content: undefined };
}

function readMembers(bytes: Uint8Array): { readonly body: JsonObject } | Undescribed {
  const read = readStrictJson(bytes);
  if ('problem' in read) return { member: read.problem };
  return isObject(read.value) ? { body: read.value } : { member: 'body' };
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Path of the first member that the table does not have, or whose value is not of its kind. */
function wrongMember(members: Members, value: JsonObject, path: string, ids: ReadCall['ids']): string | undefined {
  // What JSON.parse has made inherits no members; one after the other, because the first wrong one ends it.
  for (const name in value) {
    const one = value[name];
    const at = path + name;
    const shape = Object.hasOwn(members, name) ? members[name] : undefined;
    if (shape === undefined) return at;
    // A member that is null is cleared.
    if (one === null) continue;
    const wrong = wrongIn(shape, one, at, ids);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function wrongIn(shape: Shape, value: unknown, at: string, ids: ReadCall['ids']): string | undefined {
  if (typeof shape === 'string') return isShape(shape, value, ids) ? undefined : at;
  if (isList(shape)) {
    if (!Array.isArray(value)) return at;
    for (const one of value) {
      const wrong = one === null ? at : wrongIn(shape[0], one, at, ids);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }
  return isObject(value) ? wrongMember(shape, value, `${at}.`, ids) : at;
}

export function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function isShape(shape: Shape, value: unknown, ids: ReadCall['ids']): boolean {
  const isText = typeof value === 'string';
  switch (shape) {
    case 'none':
      return true;
    case 'text':
      return isText;
    case 'flag':
      return typeof value === 'boolean';
    case 'number':
      return typeof value === 'number' ? Number.isFinite(value) : isText && /^-?\d{1,18}$/.test(value);
    case 'time':
      return isText && isTime(value);
    case 'date':
      return isText && isDate(value);
    case 'zone':
      return isText && isZone(value);
    case 'address':
      return isText && ADDRESS.test(value);
    case 'domain':
      return isText && DOMAIN.test(value);
    case 'address_or_domain':
      return isText && (ADDRESS.test(value) || DOMAIN.test(value));
    case 'id':
    case 'file':
    case 'folder':
    case 'calendar':
      return isText && ID.test(value);
    case 'texts':
      return isObject(value) && Object.values(value).every((one) => one === null || typeof one === 'string');
    case 'moment':
      return isMoment(value);
    case 'guests':
      return Array.isArray(value) && areGuests(value, ids);
    case 'same_id':
      return Object.values(ids).at(-1) === value;
    case 'same_scope':
      return isObject(value) && scopeText(value) === ids.rule;
    default:
      return isText && value !== '' && typeof shape === 'string' && shape.split('|').includes(value);
  }
}

function scopeText({ type, value, ...more }: JsonObject): string | undefined {
  if (Object.keys(more).length > 0 || typeof type !== 'string') return undefined;
  if (value === undefined) return type;
  return typeof value === 'string' ? `${type}:${value}` : undefined;
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(text) && isRealTime(text);
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && isRealTime(`${text}T00:00:00Z`);
}

/** Dates such as the 31st of June are taken for others by some readers. */
function isRealTime(text: string): boolean {
  const day = text.slice(0, 10);
  const ms = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(Date.parse(text)) && !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}

function isZone(text: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(text)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function isMoment(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { date = null, dateTime = null, timeZone = null, ...more } = value;
  if (Object.keys(more).length > 0 || (date !== null && dateTime !== null)) return false;
  if (timeZone !== null && (typeof timeZone !== 'string' || !isZone(timeZone))) return false;
  if (date !== null) return typeof date === 'string' && isDate(date);
  if (dateTime === null) return timeZone !== null;
  if (typeof dateTime !== 'string') return false;
  // Without an offset and a zone its zone would be a guess.
  return isTime(dateTime) || (timeZone !== null && isTime(`${dateTime}Z`));
}

const GUEST: Members = {
  email: 'address',
  displayName: 'text',
  optional: 'flag',
  resource: 'flag',
  responseStatus: 'needsAction|declined|tentative|accepted',
  comment: 'text',
  additionalGuests: 'number',
  id: 'none',
  organizer: 'none',
  self: 'none',
};

function areGuests(guests: readonly unknown[], ids: ReadCall['ids']): boolean {
  const addresses = new Set<string>();
  for (const guest of guests) {
    if (!isObject(guest) || wrongMember(GUEST, guest, '', ids) !== undefined) return false;
    const { email } = guest;
    if (typeof email !== 'string' || addresses.has(email.toLowerCase())) return false;
    addresses.add(email.toLowerCase());
  }
  return true;
}

type Judged = Pick<ReadCall, 'query' | 'body' | 'content'>;

/** The member that is missing, or that says the contrary of another. */
function contradictionIn(method: DescribedMethod, call: Judged): string | undefined {
  const { needs = [], implies = [], only = [], never = [] } = method;
  const missing = needs.find((condition) => !isMet(condition, call));
  const unmet = implies.find(([first, second]) => isMet(first, call) && !isMet(second, call));
  const both = never.find(([first, second]) => isMet(first, call) && isMet(second, call));
  const other = only
    .filter(([condition]) => isMet(condition, call))
    .flatMap(([, members]) => Object.keys(call.body).filter((name) => !members.includes(name)))[0];
  const found = missing ?? unmet?.[1] ?? other ?? both?.[1];
  return found === undefined ? undefined : memberOf(found);
}

const CONDITION = /^(\??)([\w.]+)(?:(=|!~|~)(.+))?$/;

function memberOf(condition: string): string {
  const name = CONDITION.exec(condition)?.[2] ?? condition;
  return name === 'media' ? 'uploadType' : name;
}

function isMet(condition: string, { query, body, content }: Judged): boolean {
  const [, mark, name = '', sign, wanted = ''] = CONDITION.exec(condition) ?? [];
  if (name === 'media') return content !== undefined;
  const value = mark === '?' ? query.get(name) : valueAt(body, name);
  if (value === undefined || value === null) return false;
  if (sign === undefined) return true;
  if (sign === '=') return String(value) === wanted;
  return String(value).includes(wanted) === (sign === '~');
}

/** The value at a path of members and places in lists. */
export function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split('.')) {
    found = typeof found === 'object' && found !== null && Object.hasOwn(found, name) ? Object(found)[name] : undefined;
  }
  return found;
}
