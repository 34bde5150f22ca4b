/** Written by `npm run generate` from the folders of the features. */
import type { Pages } from '../model/feature-slots.ts';
import { pages as agents } from './agents/pages.ts';
import { pages as approvals } from './approvals/pages.ts';
import { pages as feeds } from './feeds/pages.ts';
import { pages as securityEvents } from './security-events/pages.ts';
import { pages as undo } from './undo/pages.ts';
import { pages as webhooks } from './webhooks/pages.ts';

/** Pages of features by their paths. */
export const PAGES: Readonly<Record<string, Pages>> = {
  agents,
  approvals,
  feeds,
  'security-events': securityEvents,
  undo,
  webhooks,
};
