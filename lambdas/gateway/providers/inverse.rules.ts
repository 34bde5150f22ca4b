/** Data for undoing a provider's writes: which methods write, which parts of an object must be known, and how it is restored. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** Why a write cannot be undone. */
export const IRREVERSIBLE_REASONS = [
  /** The provider has no way back. */
  'no_inverse',
  /** The former object is permanently deleted. */
  'permanent',
  /** The content of a document of Google's editors, whose earlier revisions cannot be written back. */
  'google_document',
  /** Another owner, who would have to give it back. */
  'owner_change',
  /** A permission from a parent folder, which must be changed there. */
  'inherited',
  /** A member that can be written but not read. */
  'write_only',
  /** The former state is too large for a row or an undo. */
  'too_large',
  /** The former state could not be read. */
  'not_readable',
  /** The request matches no method of the provider in its documented spelling. */
  'unknown_request',
  /** The body could not be read. */
  'unreadable_body',
  /** The answer does not contain the new object's id. */
  'no_id',
  /** The provider may or may not have carried the write out. */
  'outcome_unknown',
  /** The provider no longer has the object, or the revision. */
  'gone',
  /** The provider refused the way back. */
  'refused',
  /** The connection is deleted, or its grant has ended. */
  'no_access',
  /** No tool of the provider's MCP server brings exactly this back, or none that is accepted. */
  'no_tool',
  /** The provider would ask its user first, and an undo answers no form. */
  'provider_asks',
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

/** A write, parsed from its request. */
export interface Write {
  /** Id of the method. */
  readonly method: string;
  /** Ids of its path, decoded, in order. */
  readonly ids: readonly string[];
  readonly query: ReadonlyMap<string, string>;
  /** Empty where there is none. */
  readonly body: JsonObject;
  /** How a file's bytes are sent: in the request, or as the last part of a session. */
  readonly media: 'none' | 'whole' | 'session';
}

/** The objects and members that a write changes. */
export interface PlannedChange {
  /** The object afterwards; undefined where only the answer contains its id. */
  readonly object?: ObjectRef;
  /** The object that an answer names. */
  readonly made?: (answer: JsonObject) => ObjectRef | undefined;
  /** The object before, where it had another id. */
  readonly former?: ObjectRef;
  /** Members that change; for an object that is created or deleted, all identifying ones. */
  readonly touched: readonly string[];
  /** Read where the object's id is unknown beforehand: the members by which a list's answer shows the new object. */
  readonly search?: { readonly target: string; readonly find: (list: JsonObject, made: ObjectRef) => Found };
  /** Whether the method itself implies that nothing exists before. */
  readonly makes?: boolean;
  /** The state after a successful write, as far as the request determines it. */
  readonly wrote?: JsonObject;
  /** Whether the changed members are determined by comparison: for a session or a tool, whose request does not name all of them. */
  readonly byDifference?: boolean;
  /** Why there is no way back, where that is known of any such write. */
  readonly never?: Irreversible;
  /** The argument of a tool whose effect no tool takes back exactly, given the state before; undefined where each can be taken back. */
  readonly argumentAtFault?: (before: JsonObject) => string | undefined;
  /** A call of a tool that the way back takes, where the object is not known before. */
  readonly needs?: ApiRequest;
}

/** The former state: null for nothing, undefined if unknown. */
export type Found = JsonObject | null | undefined;

/** A method that writes: the change made by a request, or why it cannot be undone. */
export type WritingMethod = (write: Write) => PlannedChange | Irreversible;

/** Input of restoring an object. */
export interface Restoring {
  readonly ids: readonly string[];
  /** The former state; null: it did not exist. */
  readonly before: JsonObject | null;
  /** The current state; null: it does not exist. */
  readonly current: JsonObject | null;
  readonly touched: readonly string[];
  /** Where it was, if it was elsewhere. */
  readonly former?: ObjectRef | undefined;
}

/** A kind of object. */
export interface ObjectKind {
  /** Path and query that read it. */
  readonly read: (ids: readonly string[]) => string;
  /** The state in an answer; null for a deleted object. @default the answer itself */
  readonly stateOf?: (answer: JsonObject) => JsonObject | null;
  /** The member that counts changes. */
  readonly version?: 'version' | 'etag' | 'updated';
  /** Whether the way back is compared with the former state once it was taken, because its answers do not say what they left. */
  readonly isChecked?: boolean;
  /** Whether only the same version may be restored: where the whole object is written back. */
  readonly exact?: boolean;
  /** Members by which two states are compared; undefined: those changed by the write. */
  readonly known?: readonly string[];
  /** Members that are written back only together: who changed one of them touched all. */
  readonly together?: readonly string[];
  /** Why the object cannot be brought back. */
  readonly obstacle?: (change: {
    readonly before: JsonObject | null;
    readonly after: JsonObject | null | undefined;
    readonly touched: readonly string[];
  }) => Irreversible | undefined;
  /** List of the things that would be deleted with an object: it must be empty. */
  readonly mustBeEmpty?: (
    ids: readonly string[],
    current: JsonObject,
  ) => { readonly target: string; readonly of: string; readonly kind: string } | undefined;
  /** Requests that restore the object, in order. */
  readonly restore: (change: Restoring) => readonly ApiRequest[] | Irreversible;
  /** Objects that are deleted and change with it: which they are, and how each is restored. */
  readonly parts?: {
    /** Path and query of their list; undefined without any. */
    readonly list: (ids: readonly string[], state: JsonObject) => string | undefined;
    readonly of: (list: JsonObject) => readonly JsonObject[];
    readonly restore: (ids: readonly string[], part: JsonObject, current: JsonObject | undefined) => ApiRequest;
  };
}

/** Inverses of a provider: its methods that write, by their ids, and the kinds of its objects. */
export interface Inverses {
  readonly methods: Readonly<Record<string, WritingMethod>>;
  readonly kinds: Readonly<Record<string, ObjectKind>>;
  /** Transient reasons of a 403: the provider asks for a pause. */
  readonly restReasons: RegExp;
  /** Synonyms of an object's id, such as `primary` and the user's address. */
  readonly sameId?: (kind: string, ids: readonly string[], userEmail: string | null) => readonly string[];
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Objects of a list. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A member; dots separate nested names; names after the first dot may contain dots. */
export function memberOf(state: JsonObject | null | undefined, path: string): unknown {
  const dot = path.indexOf('.');
  if (dot < 0) return state?.[path];
  const inner = state?.[path.slice(0, dot)];
  return isObject(inner) ? inner[path.slice(dot + 1)] : undefined;
}

/** A text that is equal only for equal values, whatever the order of members. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null) ?? 'null';
  const members = Object.entries(value).filter(([, one]) => one !== undefined && one !== null);
  return `{${members
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`)
    .join()}}`;
}

/** Whether a member is the same in two states; providers may omit false or empty members. */
export function isSameMember(a: JsonObject | null, b: JsonObject | null, path: string): boolean {
  return canonical(filledOrNull(memberOf(a, path))) === canonical(filledOrNull(memberOf(b, path)));
}

function filledOrNull(value: unknown): unknown {
  const isEmpty =
    value === false || value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  return isEmpty ? null : value;
}

/** The former values of a body's members: null for missing ones. */
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

/** A path with encoded ids instead of each `{}`. */
export function filled(pattern: string, ids: readonly string[]): string {
  let at = 0;
  return pattern.replaceAll('{}', () => encodeURIComponent(ids[at++] ?? ''));
}

/** A text member, or undefined. */
export function textOf(state: JsonObject | null | undefined, name: string): string | undefined {
  const value = state?.[name];
  return typeof value === 'string' ? value : undefined;
}
