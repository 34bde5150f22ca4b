/** Written by `npm run generate` from the folders of the features. */
import type { OpenPlaces } from '../data-keys/feature-slots.ts';
import { sealedRow as feeds } from './feeds/sealed-row.ts';
import { sealedRow as webhooks } from './webhooks/sealed-row.ts';

/** Places of the sealed values in rows of features. */
export const SEALED_ROWS: Readonly<Record<string, OpenPlaces>> = { feeds, webhooks };
