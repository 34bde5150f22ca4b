export {
  Journal,
  type JournalledWrite,
  type JournalPage,
  type JournalRow,
  type UndoConflict,
  type UndoneWrite,
  type UndoRange,
  type UndoReport,
  type UndoStep,
  type WritesOf,
  type WritesOn,
  type WrittenChange,
} from './journal.ts';
