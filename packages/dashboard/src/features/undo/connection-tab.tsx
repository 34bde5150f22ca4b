import type { ConnectionTab } from '../../model/feature-slots.ts';
import { WritesPanel } from './writes-panel.tsx';

export const connectionTab: ConnectionTab = {
  id: 'writes',
  label: 'What agents did',
  before: 'feeds',
  Panel: ({ connectionRef }) => <WritesPanel of={connectionRef} />,
};
