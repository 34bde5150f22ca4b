import type { JournalRow, UndoConflict, UndoneWrite, UndoReport } from '../../gateway/library.ts';

/** How far back an undo goes, in minutes. */
export const UNDO_SPANS = [
  { value: '15', label: 'the last 15 minutes' },
  { value: '60', label: 'the last hour' },
  { value: '1440', label: 'the last 24 hours' },
  { value: '10080', label: 'the last 7 days' },
] as const;

/** The outcome of one write, or the expected one. */
export interface UndoRow {
  readonly write: UndoneWrite;
  readonly tone: 'success' | 'warning' | 'stopped';
  readonly text: string;
}

const REASONS: Readonly<Record<string, string>> = {
  no_inverse: 'Google has no way back',
  permanent: 'it is gone at Google',
  google_document: 'the content of Google’s own documents cannot be written back',
  owner_change: 'the new owner would have to give it back',
  inherited: 'a folder above gives the permission',
  write_only: 'what was there cannot be read',
  too_large: 'it is too large',
  not_readable: 'what was there could not be read',
  unknown_request: 'the request is none that Google documents',
  unreadable_body: 'the request could not be read',
  no_id: 'the answer did not say what was made',
  outcome_unknown: 'nobody knows what became of it',
  gone: 'Google does not have it any more',
  refused: 'Google refuses it',
  no_access: 'the connection is gone, or its grant has ended',
  no_tool: 'no tool of Google’s MCP server brings exactly this back',
  provider_asks: 'Google asks its user first',
};

/** Rows of a report: those that need attention first. */
export function undoRows({ undone, conflicts, notUndoable }: UndoReport, isPlan: boolean): readonly UndoRow[] {
  return [
    ...conflicts.map((write) => ({ write, tone: 'warning' as const, text: `Left alone: ${conflictText(write)}` })),
    ...notUndoable.map((write) => ({
      write,
      tone: 'stopped' as const,
      text: `Cannot be undone: ${REASONS[write.reason] ?? write.reason}`,
    })),
    ...undone.map((write) => ({ write, tone: 'success' as const, text: isPlan ? 'Would be undone' : 'Undone' })),
  ];
}

function conflictText({ now: { exists, differs } }: UndoConflict): string {
  if (!exists) return 'somebody else has deleted it';
  return differs.length === 0
    ? 'somebody else has changed it since'
    : `somebody else has changed ${differs.join(', ')} since`;
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}

/** The outcome of an undo, or the expected one, in a sentence. */
export function undoVerdict({ undone, conflicts, notUndoable }: UndoReport, isPlan: boolean): string {
  const all = undone.length + conflicts.length + notUndoable.length;
  if (all === 0) return 'There is nothing to undo in this time.';
  const rest = [
    ...(conflicts.length === 0
      ? []
      : [`${conflicts.length} left alone, because somebody else has changed the same since`]),
    ...(notUndoable.length === 0 ? [] : [`${notUndoable.length} that cannot be undone`]),
  ];
  const done = `${counted(undone.length, 'write')} ${isPlan ? 'would be' : undone.length === 1 ? 'was' : 'were'} undone`;
  return `${[done, ...rest].join('; ')}.`;
}

/** How a write of the journal stands. */
export function writeStatus({ outcome, undoneAt, notUndoable }: JournalRow): Pick<UndoRow, 'tone' | 'text'> {
  if (undoneAt !== undefined) return { tone: 'stopped', text: 'Undone' };
  if (outcome === 'refused') return { tone: 'stopped', text: 'Refused by Google' };
  if (notUndoable !== undefined)
    return { tone: 'warning', text: `Cannot be undone: ${REASONS[notUndoable] ?? notUndoable}` };
  return outcome === 'done'
    ? { tone: 'success', text: 'Carried out' }
    : { tone: 'warning', text: 'Nobody knows what became of it' };
}

/** Whether the write can be offered for an undo by itself. */
export function canBeUndone({ outcome, undoneAt, undoes, notUndoable }: JournalRow): boolean {
  return outcome !== 'refused' && undoneAt === undefined && undoes === undefined && notUndoable === undefined;
}
