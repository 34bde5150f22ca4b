import type { RecordedRecord } from '../../restore/recorded-record.ts';

/** Webhooks in the audit trail. */
export const recordedRecord: RecordedRecord = {
  member: 'webhook_id',
  attribute: 'webhookId',
  created: 'WebhookCreated',
  deleted: 'WebhookDeleted',
};
