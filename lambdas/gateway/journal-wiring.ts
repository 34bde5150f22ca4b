import { PROVIDERS } from './providers/catalogue.ts';
import { INVERSES } from './providers/inverses.ts';
import { journalWriter } from './undo/journal.store.ts';
import { type WriteJournal, writeJournal } from './undo/journal-writes.ts';
import type { SharedDependencies } from './wiring.ts';

/** What keeps the changes of journalled keys; apart from the rest of the wiring, because it lies beside the bundles of functions. */
export function makeWriteJournal(shared: SharedDependencies): WriteJournal {
  const rows = journalWriter({ ...shared.table, tableName: shared.config.journalTableName });
  return writeJournal({ ...shared, rows, providers: PROVIDERS, inverses: INVERSES });
}
