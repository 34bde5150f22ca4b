/** Written by `npm run generate` from the folders of the features. */
import type { KeyAction } from '../model/feature-slots.ts';
import { keyAction as undo } from './undo/key-action.tsx';

/** What can be done with a key. */
export const KEY_ACTIONS: Readonly<Record<string, KeyAction>> = { undo };
