/** Written by `npm run generate` from the folders of the features. */
import type { NewKey } from '../model/feature-slots.ts';
import { newKey as agents } from './agents/new-key.tsx';

/** Kinds of keys that are made in dialogs of their own. */
export const NEW_KEYS: Readonly<Record<string, NewKey>> = { agents };
