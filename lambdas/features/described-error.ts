/** Written by `npm run generate` from the folders of the features. */
import { documented } from '../gateway/openapi/documented.ts';
import { describedError as approvals } from './approvals/described-error.ts';

/** Members of the envelope of failures. */
export const DESCRIBED_ERROR = documented(() => ({ ...approvals() }));
