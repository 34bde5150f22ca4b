import type { Feature } from '../feature.rules.ts';
import { JOURNAL_TABLE } from './rows.rules.ts';

/** The journal of what keys write, and the way back ([undo.md](../../../docs/undo.md)). */
export const feature = {
  id: 'undo',
  title: 'the journal of writes and their undo',
  needs: [],
  paths: ['journal', 'undo'],
  errors: { not_undoable: 403 },
  events: ['ChangesUndone'],
  eventMembers: ['undone', 'conflicts', 'not_undoable'],
  metrics: {
    /** A write of a journalled key left no row, or an unfinished one; the write itself was sent. */
    journalFailed: 'JournalFailed',
  },
  environment: {
    /** Name of the journal's table. Functions that send calls, management and refresh. */
    journalTableName: 'JOURNAL_TABLE_NAME',
  },
  tables: [JOURNAL_TABLE],
} as const satisfies Feature;
