/** What undoing a provider's writes takes: which methods write, what of an object has to be known, and how it becomes again what it was. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** Why a write cannot be undone. */
export const IRREVERSIBLE_REASONS = [
  /** The provider has no way back. */
  'no_inverse',
  /** What was there is gone for good. */
  'permanent',
  /** The content of a document of Google's own editors, of which no earlier revision can be written back. */
  'google_document',
  /** Another owner, who would have to give it back. */
  'owner_change',
  /** A right that a folder above gives, which is changed there. */
  'inherited',
  /** A member that can be written and not read. */
  'write_only',
  /** What was there is larger than a row or an undo takes. */
  'too_large',
  /** What was there could not be read. */
  'not_readable',
  /** The request is no method of the provider in its documented spelling. */
  'unknown_request',
  /** The body could not be read. */
  'unreadable_body',
  /** The answer does not say which object was made. */
  'no_id',
  /** Nobody knows whether the provider carried the write out, or what it left. */
  'outcome_unknown',
  /** The provider does not have the object, or the revision, any more. */
  'gone',
  /** The provider refused the way back. */
  'refused',
  /** The connection is gone, or its grant has ended. */
  'no_access',
] as const;
export type Irreversible = (typeof IRREVERSIBLE_REASONS)[number];

/** An object of a provider's API: its kind and the ids of its path, outermost first. */
export interface ObjectRef {
  readonly kind: string;
  readonly ids: readonly string[];
}

/** A request to the provider's API. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Path and query. */
  readonly target: string;
  readonly body?: JsonObject;
  /** Sent only if the object still has this etag (RFC 9110 section 13.1.1). */
  readonly ifMatch?: string;
  /** Target of the bytes to send instead of a JSON body, and their media type. */
  readonly bytesOf?: { readonly target: string; readonly mediaType: string };
}

/** A write as its request says it. */
export interface Write {
  /** Id of the method. */
  readonly method: string;
  /** Ids of its path, decoded, in order. */
  readonly ids: readonly string[];
  readonly query: ReadonlyMap<string, string>;
  /** Empty where there is none. */
  readonly body: JsonObject;
  /** How bytes of a file come with it: in the request, or as the last part of a session. */
  readonly media: 'none' | 'whole' | 'session';
}

/** What a write changes. */
export interface PlannedChange {
  /** The object afterwards; undefined where the answer names it. */
  readonly object?: ObjectRef;
  /** The object that an answer names. */
  readonly made?: (answer: JsonObject) => ObjectRef | undefined;
  /** The object before, where it had another name. */
  readonly former?: ObjectRef;
  /** Members that change; of an object that is made or goes, all that it is known by. */
  readonly touched: readonly string[];
  /** Read where it is not known before what the object is: what the answer of a list has to say of the object that is made. */
  readonly search?: { readonly target: string; readonly find: (list: JsonObject, made: ObjectRef) => Found };
  /** Whether nothing is there before, by the method itself. */
  readonly makes?: boolean;
  /** What the write leaves where it is carried out, as far as its request says so. */
  readonly wrote?: JsonObject;
  /** Whether the members that differ afterwards are those that changed: of a session, whose request does not name them. */
  readonly byDifference?: boolean;
}

/** What was there: nothing is null, and undefined is not known. */
export type Found = JsonObject | null | undefined;

/** A method that writes: what a request of it changes, or why that cannot be undone. */
export type WritingMethod = (write: Write) => PlannedChange | Irreversible;

/** What bringing an object back is given. */
export interface Restoring {
  readonly ids: readonly string[];
  /** As it was; null: it was not there. */
  readonly before: JsonObject | null;
  /** As it is; null: it is not there. */
  readonly current: JsonObject | null;
  readonly touched: readonly string[];
  /** Where it was, if it was elsewhere. */
  readonly former?: ObjectRef | undefined;
}

/** A kind of object. */
export interface ObjectKind {
  /** Path and query that read it. */
  readonly read: (ids: readonly string[]) => string;
  /** What is there; null for what is deleted. @default the answer itself */
  readonly stateOf?: (answer: JsonObject) => JsonObject | null;
  /** The member that counts changes. */
  readonly version?: 'version' | 'etag';
  /** Whether nothing but the same version will do: where the whole object is written back. */
  readonly exact?: boolean;
  /** Members by which two states are compared; undefined: those that a write touches. */
  readonly known?: readonly string[];
  /** Why the object cannot be brought back. */
  readonly obstacle?: (change: {
    readonly before: JsonObject | null;
    readonly after: JsonObject | null | undefined;
    readonly touched: readonly string[];
  }) => Irreversible | undefined;
  /** List of what would go with an object that is taken away: it must be empty. */
  readonly mustBeEmpty?: (
    ids: readonly string[],
    current: JsonObject,
  ) => { readonly target: string; readonly of: string; readonly kind: string } | undefined;
  /** Requests that bring the object back, in their order. */
  readonly restore: (change: Restoring) => readonly ApiRequest[] | Irreversible;
  /** Objects that go and change with it: which they are, and how each comes back. */
  readonly parts?: {
    /** Path and query of their list; undefined where there are none. */
    readonly list: (ids: readonly string[], state: JsonObject) => string | undefined;
    readonly of: (list: JsonObject) => readonly JsonObject[];
    readonly restore: (ids: readonly string[], part: JsonObject, current: JsonObject | undefined) => ApiRequest;
  };
}

/** Ways back of a provider: its methods that write, by their ids, and the kinds of its objects. */
export interface Inverses {
  readonly methods: Readonly<Record<string, WritingMethod>>;
  readonly kinds: Readonly<Record<string, ObjectKind>>;
  /** Reasons of a 403 that passes: the provider asks for a rest. */
  readonly restReasons: RegExp;
  /** Names of an object that mean the same one, such as `primary` and the user's address. */
  readonly sameId?: (kind: string, ids: readonly string[], userEmail: string | null) => readonly string[];
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Objects of a list. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A member, that of a member behind a dot; names behind the first dot may have dots. */
export function memberOf(state: JsonObject | null | undefined, path: string): unknown {
  const dot = path.indexOf('.');
  if (dot < 0) return state?.[path];
  const inner = state?.[path.slice(0, dot)];
  return isObject(inner) ? inner[path.slice(dot + 1)] : undefined;
}

/** Text that two values share only if they are the same, whatever the order of members. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null) ?? 'null';
  const members = Object.entries(value).filter(([, one]) => one !== undefined && one !== null);
  return `{${members
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`)
    .join()}}`;
}

/** Whether a member is the same in two states; providers leave out what is false or empty, or write it. */
export function isSameMember(a: JsonObject | null, b: JsonObject | null, path: string): boolean {
  return canonical(filledOrNull(memberOf(a, path))) === canonical(filledOrNull(memberOf(b, path)));
}

function filledOrNull(value: unknown): unknown {
  const isEmpty =
    value === false || value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  return isEmpty ? null : value;
}

/** Members of a body, with the old values of a state: null where it had none. */
export function oldValues(before: JsonObject | null, paths: readonly string[]): Record<string, unknown> {
  const old: Record<string, unknown> = {};
  for (const path of paths) {
    const dot = path.indexOf('.');
    if (dot < 0) old[path] = memberOf(before, path) ?? null;
    else {
      const outer = path.slice(0, dot);
      const inner = isObject(old[outer]) ? old[outer] : {};
      old[outer] = { ...inner, [path.slice(dot + 1)]: memberOf(before, path) ?? null };
    }
  }
  return old;
}

/** A path with ids in the place of each `{}`, encoded. */
export function filled(pattern: string, ids: readonly string[]): string {
  let at = 0;
  return pattern.replaceAll('{}', () => encodeURIComponent(ids[at++] ?? ''));
}

/** A text member, or undefined. */
export function textOf(state: JsonObject | null | undefined, name: string): string | undefined {
  const value = state?.[name];
  return typeof value === 'string' ? value : undefined;
}
