/** Written by `npm run generate` from the folders of the features. */
import type { KeyTab } from '../model/feature-slots.ts';
import { keyTab as undo } from './undo/key-tab.tsx';

/** Tabs of a key. */
export const KEY_TABS: Readonly<Record<string, KeyTab>> = { undo };
