import type { ConnectionTab } from '../../model/feature-slots.ts';
import { FeedsPanel } from './feeds-panel.tsx';

export const connectionTab: ConnectionTab = { id: 'feeds', label: 'Feeds', before: 'try', Panel: FeedsPanel };
