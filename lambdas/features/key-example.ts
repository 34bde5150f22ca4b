/** Written by `npm run generate` from the folders of the features. */
import { documented } from '../gateway/openapi/documented.ts';
import { keyExample as agents } from './agents/key-example.ts';

/** An example of each of them. */
export const KEY_EXAMPLE = documented(() => ({ ...agents() }));
