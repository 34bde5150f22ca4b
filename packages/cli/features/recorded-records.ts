/** Written by `npm run generate` from the folders of the features. */
import type { RecordedRecord } from '../restore/recorded-record.ts';
import { recordedRecord as webhooks } from './webhooks/recorded-record.ts';

/** Records of features in the audit trail. */
export const RECORDED_RECORDS: Readonly<Record<string, RecordedRecord>> = { webhooks };
