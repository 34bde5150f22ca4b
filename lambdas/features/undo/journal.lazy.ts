import { PROVIDERS } from '../../gateway/providers/catalogue.ts';
import { INVERSES } from '../../gateway/providers/inverses.ts';
import type { SharedDependencies } from '../../gateway/wiring.ts';
import { journalWriter } from './journal.store.ts';
import { type WriteJournal, writeJournal } from './journal-writes.ts';

/** Opens what keeps the changes of journalled keys. */
export function makeWriteJournal(shared: SharedDependencies): WriteJournal {
  const rows = journalWriter({ ...shared.table, tableName: shared.config.journalTableName });
  return writeJournal({ ...shared, rows, providers: PROVIDERS, inverses: INVERSES });
}
