import type { RowClearing } from '../../gateway/connections/ports.ts';
import type { FeatureDependencies } from '../../gateway/feature-dependencies.ts';
import { journalClearing } from './journal.store.ts';

/** Deletes the journal of deleted connections. */
export function clearing({ table, config }: FeatureDependencies): RowClearing {
  return journalClearing({ ...table, tableName: config.setting('journalTableName') });
}
