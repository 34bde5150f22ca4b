import type { KeyAction } from '../../model/feature-slots.ts';
import { UndoDialog } from './undo-dialog.tsx';

export const keyAction: KeyAction = {
  id: 'undo',
  label: 'Undo what it wrote',
  column: { header: 'Undo', label: 'Undo', otherwise: 'No journal' },
  ariaLabel: ({ name }) => `Undo what ${name} wrote`,
  isFor: ({ limits }) => limits?.journal !== undefined,
  Dialog: ({ secretKey: { id, name }, onClose }) => (
    <UndoDialog of={{ keyId: id }} what={`what ${name} wrote`} onClose={onClose} />
  ),
};
