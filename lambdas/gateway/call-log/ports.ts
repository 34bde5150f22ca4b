/** Where the rows of the call log are kept. */
import type { ConnectionRef } from '../core/identifiers.ts';
import type { CallFilter, CallRecord } from './call-record.rules.ts';

export interface CallLogWriter {
  /** Adds a row, once. @throws whatever went wrong, and when it takes longer than its limit */
  write(record: CallRecord): Promise<void>;
}

/** A part of a connection's calls, newest first. */
export interface CallPage {
  readonly calls: readonly CallRecord[];
  /** Id of the row to go on behind; undefined at the end. */
  readonly next: string | undefined;
}

export interface CallLogReader {
  /** @param before id of a row: what is older follows */
  list(ref: ConnectionRef, filter: CallFilter, limit: number, before: string | undefined): Promise<CallPage>;
  /** The call behind the id of a request, of the account alone; eventually consistent. */
  find(accountId: string, requestId: string): Promise<CallRecord | undefined>;
  /** Notes that the rows of a connection that is being deleted have to go. */
  noteDeleted(ref: ConnectionRef): Promise<void>;
}
