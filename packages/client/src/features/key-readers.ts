/** Written by `npm run generate` from the folders of the features. */
import type { KeyReader } from '../management/feature-slots.ts';
import { keyReader as agents } from './agents/key-reader.ts';

/** Read what features add to a secret key. */
export const KEY_READERS: Readonly<Record<string, KeyReader>> = { agents };
