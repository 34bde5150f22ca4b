/** Written by `npm run generate` from the folders of the features. */
import type { AttentionButtons } from '../model/feature-slots.ts';
import { attention as approvals } from './approvals/attention.ts';
import { attention as feeds } from './feeds/attention.ts';
import { attention as securityEvents } from './security-events/attention.ts';
import { attention as webhooks } from './webhooks/attention.ts';

/** Buttons of problems in the overview. */
export const ATTENTION: Readonly<Record<string, AttentionButtons>> = {
  approvals,
  feeds,
  'security-events': securityEvents,
  webhooks,
};
