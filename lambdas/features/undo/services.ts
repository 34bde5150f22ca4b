import { asOwnError } from '../../gateway/core/errors.ts';
import type { FeatureDependencies } from '../../gateway/feature-dependencies.ts';
import { journalStore } from './journal.store.ts';
import type { JournalStore } from './ports.ts';

/** Dependencies of the routes of undo, in addition to those of all routes. */
export interface UndoServices {
  readonly journal: JournalStore;
  /** Loaded with the first undo of a process. */
  readonly undo: typeof import('./undo.lazy.ts').undo;
}

/** Opens nothing: costs a request nothing. */
export function undoServices({ table, config, clock, later }: FeatureDependencies): UndoServices {
  return {
    journal: journalStore({ ...table, tableName: config.setting('journalTableName') }, clock),
    async undo(...asked) {
      const { undo } = await later<typeof import('./undo.lazy.ts')>('undo');
      return undo(...asked).catch((error: unknown) => {
        throw asOwnError(error);
      });
    },
  };
}
