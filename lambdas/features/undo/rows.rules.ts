/** Index of the journal's table: rows of one key in the order of their times; keys only. */
export const BY_KEY = { name: 'byKey', partitionKey: 'keyOf', sortKey: 'sk' } as const;

/** The journal's table; its other attributes are those of its rows. */
export const JOURNAL_TABLE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Code checks expiry itself. */
  timeToLive: 'expiresAtEpochSec',
  indexes: [BY_KEY],
} as const;
