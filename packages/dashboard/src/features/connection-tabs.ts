/** Written by `npm run generate` from the folders of the features. */
import type { ConnectionTab } from '../model/feature-slots.ts';
import { connectionTab as feeds } from './feeds/connection-tab.tsx';
import { connectionTab as undo } from './undo/connection-tab.tsx';

/** Tabs of a connection. */
export const CONNECTION_TABS: Readonly<Record<string, ConnectionTab>> = { feeds, undo };
