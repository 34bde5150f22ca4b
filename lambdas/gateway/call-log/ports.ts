/** Where the rows of the call log are kept. */
import type { ConnectionRef } from '../core/identifiers.ts';
import type { CallFilter, CallRecord } from './call-record.rules.ts';

export interface CallLogWriter {
  /** Adds a row, once. @throws whatever went wrong, and when it takes longer than its limit */
  write(record: CallRecord): Promise<void>;
  /**
   * Counts calls that were to leave a row. @param day days since 1970, UTC @returns how many there have been that day, in every process
   * @throws as `write`
   */
  count(ref: ConnectionRef, day: number, calls: number): Promise<number>;
}

/** A part of a connection's calls, newest first. */
export interface CallPage {
  readonly calls: readonly CallRecord[];
  /** Id of the row to go on behind; undefined at the end. */
  readonly next: string | undefined;
}

/** A connection whose rows have to go, unless it was not deleted after all. */
export interface Clearing extends ConnectionRef {
  readonly notedAtMs: number;
}

export interface CallLogClearing {
  /** Oldest first by identity, a page of them. */
  pending(): Promise<readonly Clearing[]>;
  /** Deletes some of a connection's rows that ended before a moment; false when there are none left. */
  clearSome(ref: ConnectionRef, beforeMs: number): Promise<boolean>;
  /** The connection's rows are gone, or need not go. */
  done(clearing: Clearing): Promise<void>;
}

export interface CallLogReader {
  /** @param before id of a row: what is older follows */
  list(ref: ConnectionRef, filter: CallFilter, limit: number, before: string | undefined): Promise<CallPage>;
  /** The call behind the id of a request, of the account alone; eventually consistent. */
  find(accountId: string, requestId: string): Promise<CallRecord | undefined>;
  /** Notes that the rows of a connection that is being deleted have to go. */
  noteDeleted(ref: ConnectionRef): Promise<void>;
}
