/** Written by `npm run generate` from the folders of the features. */
import type { DashboardFeature } from '../model/feature-slots.ts';
import { feature as agents } from './agents/feature.ts';
import { feature as approvals } from './approvals/feature.ts';
import { feature as feeds } from './feeds/feature.ts';
import { feature as securityEvents } from './security-events/feature.ts';
import { feature as undo } from './undo/feature.ts';
import { feature as webhooks } from './webhooks/feature.ts';

/** What features add to the frame, by the id of the feature. */
export const FEATURES: Readonly<Record<string, DashboardFeature>> = {
  agents,
  approvals,
  feeds,
  'security-events': securityEvents,
  undo,
  webhooks,
};
