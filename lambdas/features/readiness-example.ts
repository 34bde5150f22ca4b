/** Written by `npm run generate` from the folders of the features. */
import { documented } from '../gateway/openapi/documented.ts';
import { readinessExample as securityEvents } from './security-events/readiness-example.ts';

/** An example of each of them. */
export const READINESS_EXAMPLE = documented(() => ({ ...securityEvents() }));
