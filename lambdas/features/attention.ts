/** Written by `npm run generate` from the folders of the features. */
import { attention as approvals } from './approvals/attention.ts';
import { attention as feeds } from './feeds/attention.ts';
import { attention as securityEvents } from './security-events/attention.ts';
import { attention as webhooks } from './webhooks/attention.ts';

/** Where the rows of their kinds in the overview come from. */
export const ATTENTION = { ...approvals, ...feeds, ...securityEvents, ...webhooks };
