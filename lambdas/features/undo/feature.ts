import type { Feature } from '../feature.rules.ts';
import { JOURNAL_RETENTION_SEC } from './limits.rules.ts';
import { JOURNAL_TABLE } from './rows.rules.ts';

/** The journal of keys' writes, and how they are undone ([undo.md](../../../docs/undo.md)). */
export const feature = {
  id: 'undo',
  title: 'the journal of writes and their undo',
  grantPaths: ['/journal', '/undo'],
  paths: ['journal', 'undo'],
  errors: { not_undoable: 403 },
  errorWords: {
    not_undoable:
      'The secret key makes only writes that can be undone, and this one could not be: nothing was sent; the message says why.',
  },
  callErrors: ['not_undoable'],
  events: ['ChangesUndone'],
  eventMembers: ['undone', 'conflicts', 'not_undoable'],
  metrics: {
    /** A write of a journalled key left no row, or an unfinished one; the write itself was sent. */
    journalFailed: 'JournalFailed',
  },
  lazy: { journal: ['proxy'], undo: ['grants'] },
  environment: {
    /** Name of the journal's table. Functions that send calls, grants and refresh. */
    journalTableName: 'JOURNAL_TABLE_NAME',
  },
  keyLimits: {
    /** Whether the changes of its writes are recorded, so that they can be undone; `required`: a write that could not be undone is refused. */
    journal: {
      values: [true, 'required'],
      ofBoundKeys: true,
      ofBoundKeysWords: 'a journal (`journal: false` switches it off)',
    },
  },
  keyPurposes: ['journal'],
  sealedFields: {
    journalledChange: { purpose: 'journal', keptElsewhereSec: JOURNAL_RETENTION_SEC },
    leftByUndo: { purpose: 'journal', keptElsewhereSec: JOURNAL_RETENTION_SEC },
    undoCursor: { purpose: 'cursors' },
  },
  cursors: ['undoCursor'],
  tags: { Undo: 'What journalled keys have written, and the way back.' },
  statements: [
    {
      title: 'Journal and undo',
      statements: {
        'AP-20':
          'Writes of a key with a journal leave what their undo needs before they are sent; with a journal that is required, a write that could not be undone is not sent.',
        'AP-21':
          'An undo changes only what is still as the write left it, reports all else as a conflict, sends no mail, and does nothing twice however it is interrupted.',
        'AP-22': 'What a key wrote in any order is as it was after its undo, and changes of others stay.',
        'AP-23':
          'Rows of the journal are encrypted, live for seven days, go with their connection, and hold no contents of files; what was in them is in no log, metric, event or table key.',
        'AP-24':
          'A key whose journal is `required` creates nothing whose answer would not have the id that an undo needs: the call is refused before anything is sent.',
      },
    },
  ],
  tables: [JOURNAL_TABLE],
} as const satisfies Feature;
