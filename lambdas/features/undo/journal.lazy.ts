import type { FeatureDependencies } from '../../gateway/feature-dependencies.ts';
import { PROVIDERS } from '../../gateway/providers/catalogue.ts';
import { INVERSES } from '../../gateway/providers/inverses.ts';
import { pinnedListStore } from '../../gateway/server-tools/pinned-list.store.ts';
import { TOOL_INVERSES } from '../../gateway/server-tools/tool-inverses.rules.ts';
import { journalWriter } from './journal.store.ts';
import { type WriteJournal, writeJournal } from './journal-writes.ts';

/** Opens the recording of journalled keys' changes. */
export function makeWriteJournal(deps: FeatureDependencies): WriteJournal {
  const rows = journalWriter({ ...deps.table, tableName: deps.config.setting('journalTableName') });
  const pinnedLists = pinnedListStore(deps.table);
  return writeJournal({
    ...{ ...deps, rows, pinnedLists },
    ...{ providers: PROVIDERS, inverses: INVERSES, toolInverses: TOOL_INVERSES },
  });
}
