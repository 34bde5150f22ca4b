import type { KeyTab } from '../../model/feature-slots.ts';
import { WritesPanel } from './writes-panel.tsx';

export const keyTab: KeyTab = {
  id: 'writes',
  label: 'What it did',
  Panel: ({ keyId }) => <WritesPanel of={{ keyId }} />,
};
