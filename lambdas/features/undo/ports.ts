import type { ConnectionRef } from '../../gateway/core/identifiers.ts';
import type { Irreversible } from '../../gateway/providers/inverse.rules.ts';
import type { ProviderId } from '../../gateway/providers/provider-ids.rules.ts';

/** How a write ended: nobody knows yet, or will; it was carried out; the provider refused it. */
export type WriteState = 'begun' | 'done' | 'refused' | 'unknown';

/** A row of the journal: one write of a journalled key, or of an undo. */
export interface JournalRow extends ConnectionRef {
  /** ULID of the moment before the write was sent: sorts by time, and names the row. */
  readonly rowId: string;
  /** Start of the secret key's digest, or of what undid. */
  readonly keyId: string;
  readonly requestId: string;
  /** Id of the provider's method; null: the request is none. */
  readonly method: string | null;
  readonly state: WriteState;
  /** Why it cannot be undone; absent where it can. */
  readonly notUndoable?: Irreversible | undefined;
  /** What it changed, encrypted; absent where nothing has to be known. */
  readonly sealed?: string | undefined;
  /** When it was undone, ISO 8601. */
  readonly undoneAt?: string | undefined;
  /** Of a write of an undo: the row that it undid. */
  readonly undoes?: string | undefined;
}

/** What is added to a row once its write has ended. */
export interface EndOfWrite {
  readonly state: WriteState;
  readonly notUndoable?: Irreversible | undefined;
  readonly sealed?: string | undefined;
}

/** Adds rows; reads none. */
export interface JournalWriter {
  begin(row: JournalRow): Promise<void>;
  /** Nothing happens to a row that is gone. */
  end(row: Pick<JournalRow, 'rowId'> & ConnectionRef, end: EndOfWrite): Promise<void>;
}

/** Which rows, newest first. */
export interface JournalRange {
  /** Of a connection, or of a key of the account wherever it wrote. */
  readonly of: ConnectionRef | { readonly accountId: string; readonly keyId: string };
  readonly fromMs: number;
  readonly untilMs: number;
  /** Only rows before this one. */
  readonly before?: string | undefined;
}

/** What an undo reads and writes. */
export interface JournalStore {
  /** Rows that are kept and not expired. @returns fewer than `limit` only at the end of the range */
  page(range: JournalRange, limit: number): Promise<readonly JournalRow[]>;
  /** What the last undone write of an object left, encrypted; undefined where none was. */
  left(ref: ConnectionRef, print: string): Promise<{ readonly rowId: string; readonly sealed: string } | undefined>;
  /** All at once: the row is undone, what that left, and the write that did it, if one was needed. */
  undone(outcome: UndoneRow): Promise<void>;
  /** @returns false where somebody else has begun an undo on the connection that may still run */
  lock(ref: ConnectionRef, owner: string): Promise<boolean>;
  unlock(ref: ConnectionRef, owner: string): Promise<void>;
}

export interface UndoneRow {
  readonly row: JournalRow;
  readonly undoneAt: string;
  readonly lefts: readonly { readonly print: string; readonly sealed: string }[];
  readonly inverse: JournalRow | undefined;
}

/** Counts what an undo takes of the provider's quotas. */
export interface UndoCallCount {
  made(call: {
    readonly connection: ConnectionRef & { readonly clientId: string };
    readonly provider: ProviderId;
    readonly method: string;
    readonly target: string;
    readonly status: number | undefined;
    readonly bytesIn: number;
    readonly bytesOut: number;
    readonly startedAtMs: number;
  }): void;
}
