/** Written by `npm run generate` from the folders of the features. */
import { documented } from '../gateway/openapi/documented.ts';
import { describedKey as agents } from './agents/described-key.ts';

/** Members of a secret key. */
export const DESCRIBED_KEY = documented(() => ({ ...agents() }));
