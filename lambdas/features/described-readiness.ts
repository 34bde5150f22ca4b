/** Written by `npm run generate` from the folders of the features. */
import { documented } from '../gateway/openapi/documented.ts';
import { describedReadiness as securityEvents } from './security-events/described-readiness.ts';

/** Members of an integration's readiness. */
export const DESCRIBED_READINESS = documented(() => ({ ...securityEvents() }));
