import { FEATURE_ROUTES } from '../../features/routes.ts';
import { auditRoutes } from '../audit/audit-routes.ts';
import { callRoutes } from '../calls/call-routes.ts';
import { connectionListRoute } from '../connections/connection-list-route.ts';
import { revocationRoutes } from '../connections/revocation-routes.ts';
import { searchRoute } from '../connections/search-route.ts';
import { keyRoutes } from '../keys/key-routes.ts';
import { overviewRoutes } from '../overview/overview-routes.ts';
import { providerRoutes } from '../providers/provider-routes.ts';
import { documentRoutes } from '../reference/document-routes.ts';
import type { Route } from '../route.ts';
import { serverToolRoutes } from '../server-tools/server-tool-routes.ts';
import { reconnectLinkRoutes } from '../sessions/reconnect-link-routes.ts';
import { sessionRoutes } from '../sessions/session-routes.ts';
import { quotaRoute } from '../usage/quota-route.ts';
import { usageRoutes } from '../usage/usage-route.ts';
import { healthRoutes } from './health.ts';

/** The routes that the function `management` serves: those that need no grant and no secret of a client. */
export const MANAGEMENT_ROUTES: readonly Route[] = [
  ...healthRoutes,
  ...overviewRoutes,
  searchRoute,
  connectionListRoute,
  ...callRoutes,
  ...usageRoutes,
  quotaRoute,
  ...auditRoutes,
  ...revocationRoutes,
  ...sessionRoutes,
  ...reconnectLinkRoutes,
  ...providerRoutes,
  ...keyRoutes,
  ...serverToolRoutes,
  ...Object.values(FEATURE_ROUTES).flat(),
  ...documentRoutes(),
];
