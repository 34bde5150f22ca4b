/** Writes of journalled keys can be undone for this long: the provider keeps trash and revisions for thirty days. */
export const JOURNAL_RETENTION_SEC = 7 * 24 * 3600;
/** Encrypted data of a row: an item of DynamoDB has at most 400 KB. A larger state cannot be restored. */
export const JOURNAL_ROW_MAX_BYTES = 300 * 1024;
/** A read of the state before a write, one attempt, because the caller waits for it. */
export const JOURNAL_READ_TIMEOUT_MS = 10_000;
/** Bytes of an answer to a write that the journal inspects: those of most methods have some kilobytes. */
export const JOURNAL_ANSWER_MAX_BYTES = 4 * 1024 * 1024;
/** Reads of a batch under way at the same time. */
export const JOURNAL_READS_AT_ONCE = 8;
/** Changed instances of a series that are restored with it: an undo records the state of each in one transaction of 100. */
export const JOURNAL_PARTS_MAX = 90;
/** A row is written within this, because the caller waits for it. */
export const JOURNAL_WRITE_TIMEOUT_MS = 1_000;
/** Rows that one request undoes, or that a list contains. */
export const UNDO_ROWS_MAX = 500;
/** Rows of one read of the journal: each may have 300 KB. */
export const JOURNAL_ROWS_AT_ONCE = 25;
export const JOURNAL_LIST_DEFAULT = 50;
/** An undo works for this long and returns where to continue: the function has 15 s. */
export const UNDO_BUDGET_MS = 9_000;
/** One request of an undo to the provider. */
export const UNDO_CALL_TIMEOUT_MS = 8_000;
/** After an undo died on a connection, others are blocked for this long. */
export const UNDO_LOCK_SEC = 30;
