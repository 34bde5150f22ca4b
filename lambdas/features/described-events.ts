/** Written by `npm run generate` from the folders of the features. */
import { documented } from '../gateway/openapi/documented.ts';
import { describedEvents as approvals } from './approvals/described-events.ts';
import { describedEvents as feeds } from './feeds/described-events.ts';
import { describedEvents as securityEvents } from './security-events/described-events.ts';
import { describedEvents as undo } from './undo/described-events.ts';
import { describedEvents as webhooks } from './webhooks/described-events.ts';

/** Rows of the catalogue of events. */
export const DESCRIBED_EVENTS = documented(() => ({
  ...approvals(),
  ...feeds(),
  ...securityEvents(),
  ...undo(),
  ...webhooks(),
}));
