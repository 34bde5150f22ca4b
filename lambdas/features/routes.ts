/** Written by `npm run generate` from the folders of the features. */
import type { Route } from '../management/route.ts';
import { routes as agents } from './agents/routes.ts';
import { routes as securityEvents } from './security-events/routes.ts';
import { routes as webhooks } from './webhooks/routes.ts';

/** Routes of the management API, by feature. */
export const FEATURE_ROUTES: Readonly<Record<string, readonly Route[]>> = {
  agents,
  'security-events': securityEvents,
  webhooks,
};
