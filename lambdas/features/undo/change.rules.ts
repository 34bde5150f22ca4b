import { type ConnectionRef, sha256Hex } from '../../gateway/core/identifiers.ts';
import type { CipherContext } from '../../gateway/core/ports.ts';
import {
  type Inverses,
  type Irreversible,
  isSameMember,
  type JsonObject,
  type ObjectKind,
  type ObjectRef,
} from '../../gateway/providers/inverse.rules.ts';

/** What a row of the journal holds of a write, encrypted. */
export interface Change {
  /** The object afterwards; undefined where nobody knows it. */
  readonly object?: ObjectRef | undefined;
  /** The object before, where it had another name. */
  readonly former?: ObjectRef | undefined;
  readonly touched: readonly string[];
  /** As it was; null: it was not there; undefined: not known. */
  readonly before?: JsonObject | null | undefined;
  /** As the write left it, likewise. */
  readonly after?: JsonObject | null | undefined;
  /** What the request says of what it leaves. */
  readonly wrote?: JsonObject | undefined;
  /** What went and changed with it. */
  readonly parts?: readonly JsonObject[] | undefined;
}

/** What the last undone write of an object found and left. */
export interface Left {
  readonly found: JsonObject | null;
  readonly state: JsonObject | null;
  /** Id of its row in the journal: what is older than this has to be as it says. */
  readonly rowId: string;
}

/** Names an object in keys and memory without saying what it is. */
export function objectPrint({ kind, ids }: ObjectRef): string {
  return sha256Hex(JSON.stringify([kind, ...ids])).slice(0, 32);
}

/** The object under the one of its names that the journal goes by. */
export function sameObject(
  inverses: Inverses,
  object: ObjectRef | undefined,
  userEmail: string | null,
): ObjectRef | undefined {
  if (object === undefined || inverses.sameId === undefined) return object;
  return { ...object, ids: inverses.sameId(object.kind, object.ids, userEmail) };
}

/** Whether an object is there: deleted events stay, as cancelled. */
export function isThere(state: JsonObject | null | undefined): state is JsonObject {
  return state !== null && state !== undefined && state.status !== 'cancelled' && state.deleted !== true;
}

/** Members by which states are compared. */
function comparedOf(kind: ObjectKind, touched: readonly string[]): readonly string[] {
  return kind.known ?? touched;
}

/**
 * Whether an object is still what a write, or the undo of a later one, left: its version is the same, or the members that count
 * are. Where the whole of it would be written back, only the same version will do.
 */
export function isAsLeft(
  kind: ObjectKind,
  left: JsonObject | null,
  found: JsonObject | null,
  touched: readonly string[],
): boolean {
  if (!isThere(left) || !isThere(found)) return isThere(left) === isThere(found);
  const { version } = kind;
  if (version !== undefined && left[version] !== undefined && left[version] === found[version]) return true;
  return kind.exact !== true && comparedOf(kind, touched).every((name) => isSameMember(left, found, name));
}

/** Whether an object already is what an undo would make of it. */
export function isRestored(
  kind: ObjectKind,
  before: JsonObject | null,
  current: JsonObject | null,
  touched: readonly string[],
): boolean {
  // What was made is gone, in the trash too.
  if (!isThere(before)) return !isThere(current) || current.explicitlyTrashed === true;
  return isThere(current) && comparedOf(kind, touched).every((name) => isSameMember(before, current, name));
}

/**
 * Whether what is there may be overwritten: each member that counts is as it was left, or already as it was before, as after an
 * undo that was interrupted.
 */
export function mayBeRestored(
  kind: ObjectKind,
  { left, before, current }: Readonly<Record<'left' | 'before' | 'current', JsonObject | null>>,
  touched: readonly string[],
): boolean {
  if (isAsLeft(kind, left, current, touched)) return true;
  if (kind.exact === true || !isThere(left) || !isThere(current) || !isThere(before)) return false;
  return comparedOf(kind, touched).every(
    (name) => isSameMember(left, current, name) || isSameMember(before, current, name),
  );
}

/** Members that are otherwise than they were left. */
export function differencesOf(
  kind: ObjectKind,
  left: JsonObject | null,
  current: JsonObject | null,
  touched: readonly string[],
): readonly string[] {
  if (!isThere(left) || !isThere(current)) return [];
  return comparedOf(kind, touched).filter((name) => !isSameMember(left, current, name));
}

/** What is known of the state that a write left: read afterwards, or else what its request says. */
export function leftBy({ after, before, wrote }: Change): JsonObject | null | undefined {
  if (after !== undefined) return after;
  return wrote === undefined || !isThere(before)
    ? undefined
    : { ...before, ...wrote, version: undefined, etag: undefined };
}

/** Members that differ between two states: what a write changed whose request does not name it. */
export function changedMembers(before: JsonObject, after: JsonObject, version: string | undefined): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  for (const name of ['id', 'size', 'headRevisionId', 'trashed', 'modifiedTime', version ?? '']) names.delete(name);
  return [...names].filter((name) => !isSameMember(before, after, name));
}

/** Why the write of a row cannot be undone, as far as the row says. */
export function obstacleOf(kind: ObjectKind | undefined, change: Change): Irreversible | undefined {
  if (change.object === undefined || kind === undefined) return 'no_id';
  if (change.before === undefined) return 'not_readable';
  return kind.obstacle?.({ before: change.before, after: change.after, touched: change.touched });
}

/** Where the part of a row is stored that says what changed. */
export function changeContext(ref: ConnectionRef, rowId: string): CipherContext {
  const { accountId, integrationId, connectionId } = ref;
  return { accountId, integrationId, recordId: `${connectionId}#${rowId}`, field: 'journalledChange' };
}

/** Where what an undo left is stored. @param print of the object */
export function leftContext(ref: ConnectionRef, print: string): CipherContext {
  const { accountId, integrationId, connectionId } = ref;
  return { accountId, integrationId, recordId: `${connectionId}#${print}`, field: 'leftByUndo' };
}
