/** Written by `npm run generate` from the folders of the features. */
import type { Route } from '../management/route.ts';
import type { GrantServices } from '../management/services.ts';
import { grantRoutes as approvals } from './approvals/grant-routes.ts';
import { grantRoutes as feeds } from './feeds/grant-routes.ts';
import { grantRoutes as undo } from './undo/grant-routes.ts';

/** Routes of the management API that use grants, by feature. */
export const FEATURE_GRANT_ROUTES: Readonly<Record<string, readonly Route<GrantServices>[]>> = {
  approvals,
  feeds,
  undo,
};
