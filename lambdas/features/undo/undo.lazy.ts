import { INVERSES } from '../../gateway/providers/inverses.ts';
import { type UndoDependencies, type UndoReport, type UndoWish, undoChanges } from './undo-changes.ts';

/** @throws errors of `undoChanges` */
export function undo(
  deps: Omit<UndoDependencies, 'inverses'>,
  wish: UndoWish,
  request: { readonly requestId: string; readonly actor: string },
): Promise<UndoReport> {
  return undoChanges({ ...deps, inverses: INVERSES }, wish, request);
}
