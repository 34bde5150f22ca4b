import type { MadeRequest } from '../../gateway/core/http-message.ts';
import type { ConnectionRef } from '../../gateway/core/identifiers.ts';
import type { Irreversible } from '../../gateway/providers/inverse.rules.ts';
import type { ProviderId } from '../../gateway/providers/provider-ids.rules.ts';

/** How a write ended: still unknown; carried out; refused by the provider; never known. */
export type WriteState = 'begun' | 'done' | 'refused' | 'unknown';

/** A row of the journal: one write of a journalled key, or of an undo. */
export interface JournalRow extends ConnectionRef {
  /** ULID of the moment before the write was sent: sorts by time, and identifies the row. */
  readonly rowId: string;
  /** Start of the secret key's digest, or the undo's name. */
  readonly keyId: string;
  readonly requestId: string;
  /** Id of the provider's method; null: the request matches none. */
  readonly method: string | null;
  readonly state: WriteState;
  /** Why it cannot be undone; absent where it can. */
  readonly notUndoable?: Irreversible | undefined;
  /** Its change, encrypted; absent where none is needed. */
  readonly sealed?: string | undefined;
  /** When it was undone, ISO 8601. */
  readonly undoneAt?: string | undefined;
  /** For a write of an undo: the row that it undid. */
  readonly undoes?: string | undefined;
}

/** Members that are added to a row once its write has ended. */
export interface EndOfWrite {
  readonly state: WriteState;
  readonly notUndoable?: Irreversible | undefined;
  readonly sealed?: string | undefined;
}

/** Adds rows; reads none. */
export interface JournalWriter {
  begin(row: JournalRow): Promise<void>;
  /** Does nothing for a deleted row. */
  end(row: Pick<JournalRow, 'rowId'> & ConnectionRef, end: EndOfWrite): Promise<void>;
}

/** Which rows, newest first. */
export interface JournalRange {
  /** Rows of a connection, or of an account's key in all connections. */
  readonly of: ConnectionRef | { readonly accountId: string; readonly keyId: string };
  readonly fromMs: number;
  readonly untilMs: number;
  /** Only rows before this one. */
  readonly before?: string | undefined;
}

/** The storage of an undo. */
export interface JournalStore {
  /** Rows that are kept and not expired. @returns fewer than `limit` only at the end of the range */
  page(range: JournalRange, limit: number): Promise<readonly JournalRow[]>;
  /** The state that the last undone write of an object left, encrypted; undefined without one. */
  left(ref: ConnectionRef, print: string): Promise<{ readonly rowId: string; readonly sealed: string } | undefined>;
  /** Records in one transaction: the undone row, the state left, and the write that did it, if one was needed. */
  undone(outcome: UndoneRow): Promise<void>;
  /** @returns false where another undo on the connection has begun and may still run */
  lock(ref: ConnectionRef, owner: string): Promise<boolean>;
  unlock(ref: ConnectionRef, owner: string): Promise<void>;
}

export interface UndoneRow {
  readonly row: JournalRow;
  readonly undoneAt: string;
  readonly lefts: readonly { readonly print: string; readonly sealed: string }[];
  readonly inverse: JournalRow | undefined;
}

/** Counts an undo's use of the provider's quotas. */
export interface UndoCallCount {
  made(
    call: MadeRequest & {
      readonly connection: ConnectionRef & { readonly clientId: string };
      readonly provider: ProviderId;
    },
  ): void;
}
