import { type ConnectionRef, sha256Hex } from '../../gateway/core/identifiers.ts';
import type { CipherContext } from '../../gateway/core/ports.ts';
import {
  type Inverses,
  type Irreversible,
  isSameMember,
  type JsonObject,
  memberOf,
  type ObjectKind,
  type ObjectRef,
} from '../../gateway/providers/inverse.rules.ts';

/** A row's data about a write, encrypted. */
export interface Change {
  /** The object afterwards; undefined where unknown. */
  readonly object?: ObjectRef | undefined;
  /** The object before, where it had another id. */
  readonly former?: ObjectRef | undefined;
  readonly touched: readonly string[];
  /** The former state; null: it did not exist; undefined: unknown. */
  readonly before?: JsonObject | null | undefined;
  /** As the write left it, likewise. */
  readonly after?: JsonObject | null | undefined;
  /** The state after the write, as far as the request determines it. */
  readonly wrote?: JsonObject | undefined;
  /** Things that were deleted and changed with it. */
  readonly parts?: readonly JsonObject[] | undefined;
}

/** The states that the last undone write of an object found and left. */
export interface Left {
  readonly found: JsonObject | null;
  readonly state: JsonObject | null;
  /** Id of its row in the journal: older rows are compared with this state. */
  readonly rowId: string;
}

/** Identifies an object in keys and memory without revealing it. */
export function objectPrint({ kind, ids }: ObjectRef): string {
  return sha256Hex(JSON.stringify([kind, ...ids])).slice(0, 32);
}

/** The object under the one of its ids that the journal uses. */
export function sameObject(
  inverses: Inverses,
  object: ObjectRef | undefined,
  userEmail: string | null,
): ObjectRef | undefined {
  if (object === undefined || inverses.sameId === undefined) return object;
  return { ...object, ids: inverses.sameId(object.kind, object.ids, userEmail) };
}

/** Whether an object exists: deleted events remain, as cancelled. */
export function isThere(state: JsonObject | null | undefined): state is JsonObject {
  return state !== null && state !== undefined && state.status !== 'cancelled' && state.deleted !== true;
}

/** The members that a write changed, with those that only come back together with one of them. */
export function withCompanions(kind: ObjectKind | undefined, touched: readonly string[]): readonly string[] {
  const { together = [] } = kind ?? {};
  return touched.some((name) => together.includes(name)) ? [...new Set([...touched, ...together])] : touched;
}

/** Members by which states are compared. */
function comparedOf(kind: ObjectKind, touched: readonly string[]): readonly string[] {
  return kind.known ?? touched;
}

/**
 * Whether an object is still as a write, or the undo of a later one, left it: it has the same version, or the relevant members are
 * equal. Where the whole object would be written back, only the same version counts.
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

/** Whether an object already has the state that an undo would restore. */
export function isRestored(
  kind: ObjectKind,
  before: JsonObject | null,
  current: JsonObject | null,
  touched: readonly string[],
): boolean {
  // A created object is deleted, including to the trash.
  if (!isThere(before)) return !isThere(current) || current.explicitlyTrashed === true;
  return isThere(current) && comparedOf(kind, touched).every((name) => isSameMember(before, current, name));
}

/**
 * Whether the current state may be overwritten: each relevant member is as the write left it, or already as before it, as after an
 * interrupted undo.
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

/** Members that differ from the state that was left. */
export function differencesOf(
  kind: ObjectKind,
  left: JsonObject | null,
  current: JsonObject | null,
  touched: readonly string[],
): readonly string[] {
  if (!isThere(left) || !isThere(current)) return [];
  return comparedOf(kind, touched).filter((name) => !isSameMember(left, current, name));
}

/** The known state after a write: read afterwards, or else as its request determines it. */
export function leftBy({ after, before, wrote }: Change): JsonObject | null | undefined {
  if (after !== undefined) return after;
  return wrote === undefined || !isThere(before)
    ? undefined
    : { ...before, ...wrote, version: undefined, etag: undefined };
}

/** Members that differ between two states: the changes of a write whose request does not name them. */
export function changedMembers(before: JsonObject, after: JsonObject, version: string | undefined): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  for (const name of ['id', 'size', 'headRevisionId', 'trashed', 'modifiedTime', version ?? '']) names.delete(name);
  return [...names].filter((name) => !isSameMember(before, after, name));
}

/** Why the write of a row cannot be undone, as far as the row shows. */
export function obstacleOf(kind: ObjectKind | undefined, change: Change): Irreversible | undefined {
  if (change.object === undefined || kind === undefined) return 'no_id';
  if (change.before === undefined) return 'not_readable';
  return kind.obstacle?.({ before: change.before, after: change.after, touched: change.touched });
}

/** Encryption context of a row's data about the change. */
export function changeContext(ref: ConnectionRef, rowId: string): CipherContext {
  const { accountId, integrationId, connectionId } = ref;
  return {
    accountId,
    integrationId,
    recordId: `${connectionId}#${rowId}`,
    field: 'journalledChange',
    purpose: 'journal',
  };
}

/** Encryption context of the state that an undo left. */
export function leftContext(ref: ConnectionRef, print: string): CipherContext {
  const { accountId, integrationId, connectionId } = ref;
  return { accountId, integrationId, recordId: `${connectionId}#${print}`, field: 'leftByUndo', purpose: 'journal' };
}

/** A member that a write changed, as it was before and after, in the form a person reads; null where it was not there. */
export interface ShownChange {
  readonly member: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Longest value that is shown, in characters. */
const SHOWN_MAX_LENGTH = 500;

/** What a write changed, by member; undefined where the journal does not hold both states. */
export function shownChanges(change: Change | undefined): readonly ShownChange[] | undefined {
  if (change?.before === undefined) return undefined;
  const { before, touched } = change;
  const after = leftBy(change);
  if (after === undefined) return undefined;
  const isOther = (name: string) => !isThere(before) || !isThere(after) || !isSameMember(before, after, name);
  return touched.filter(isOther).map((member) => ({
    member,
    before: shown(isThere(before) ? memberOf(before, member) : undefined),
    after: shown(isThere(after) ? memberOf(after, member) : undefined),
  }));
}

function shown(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= SHOWN_MAX_LENGTH ? text : `${text.slice(0, SHOWN_MAX_LENGTH)}…`;
}
