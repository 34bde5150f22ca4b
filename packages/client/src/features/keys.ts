/** Written by `npm run generate` from the folders of the features. */
import type { Manage } from '../management/manage.ts';
import { keys as agents } from './agents/keys.ts';

/** Methods of `client.keys` that features add. */
export type KeysOfFeatures = ReturnType<typeof agents>;
/** Makes them. */
export const keysOfFeatures = (manage: Manage): KeysOfFeatures => ({
  ...agents(manage),
});
