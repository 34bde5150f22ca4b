import { INVERSES } from '../../gateway/providers/inverses.ts';
import { TOOL_INVERSES } from '../../gateway/server-tools/tool-inverses.rules.ts';
import { type UndoDependencies, type UndoReport, type UndoWish, undoChanges } from './undo-changes.ts';

/** @throws errors of `undoChanges` */
export function undo(
  deps: Omit<UndoDependencies, 'inverses' | 'toolInverses'>,
  wish: UndoWish,
  request: { readonly requestId: string; readonly actor: string },
): Promise<UndoReport> {
  return undoChanges({ ...deps, inverses: INVERSES, toolInverses: TOOL_INVERSES }, wish, request);
}
