/** Kinds that a restore counts and reports, in this order. */
export const KINDS = [
  'connections',
  'feeds',
  'cursors of feeds',
  'batches of feeds',
  'webhooks',
  'integrations',
  'secret keys',
  'data keys',
  'events',
  'usage',
  'picks',
  'pending revocations',
  'consent logs',
  'security events',
  'operators',
] as const;

export type Kind = (typeof KINDS)[number];

/**
 * Types of rows (attribute `type`) that a restore brings back. Dependent rows are written in the same transaction: the escrow before
 * its connection, search buckets and rows of lists with it, the place of a feed with its feed. Every other type of
 * contributing/storage-schema.md is in the table of docs/operations.md with the reason why it is not copied.
 */
export const RESTORED_TYPES: Readonly<Record<string, Kind>> = {
  data_key: 'data keys',
  integration: 'integrations',
  secret_key: 'secret keys',
  webhook: 'webhooks',
  connection: 'connections',
  escrow: 'connections',
  search_bucket: 'connections',
  listed: 'connections',
  feed: 'feeds',
  feed_place: 'feeds',
  feed_cursor: 'cursors of feeds',
  feed_batch: 'batches of feeds',
  event: 'events',
  restored_event: 'events',
  usage: 'usage',
  changes: 'usage',
  usage_page: 'usage',
  last_uses: 'usage',
  book_cursor: 'usage',
  book_hours: 'usage',
  book_gap: 'usage',
  pick: 'picks',
  revocation: 'pending revocations',
  consent_log: 'consent logs',
  security_project: 'security events',
  evidence: 'security events',
  operator: 'operators',
};

type Counts = Record<string, number>;

/** Outcomes of a kind's rows, counted by reason. */
export interface KindReport {
  readonly restored: Counts;
  /** The table has them, and its own count. */
  readonly present: Counts;
  readonly skipped: Counts;
}

export function newKindReport(): KindReport {
  return { restored: {}, present: {}, skipped: {} };
}
