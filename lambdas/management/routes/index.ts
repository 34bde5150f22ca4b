import { FEATURE_ROUTES } from '../../features/routes.ts';
import { approvalRoutes } from '../approvals/approval-routes.ts';
import { auditRoutes } from '../audit/audit-routes.ts';
import { callRoutes } from '../calls/call-routes.ts';
import { connectionActionRoutes } from '../connections/connection-action-routes.ts';
import { connectionRoutes } from '../connections/connection-routes.ts';
import { revocationRoutes } from '../connections/revocation-routes.ts';
import { searchRoute } from '../connections/search-route.ts';
import { feedRoutes } from '../feeds/feed-routes.ts';
import { delegationRoutes } from '../integrations/delegation-routes.ts';
import { integrationRoutes } from '../integrations/integration-routes.ts';
import { readinessRoute } from '../integrations/readiness-route.ts';
import { testCredentialRoutes } from '../integrations/test-credential-routes.ts';
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

/** Every route of the management API. */
export const ROUTES: readonly Route[] = [
  ...healthRoutes,
  ...overviewRoutes,
  ...integrationRoutes,
  ...delegationRoutes,
  readinessRoute,
  searchRoute,
  ...connectionRoutes,
  ...connectionActionRoutes,
  ...callRoutes,
  ...feedRoutes,
  ...usageRoutes,
  quotaRoute,
  ...auditRoutes,
  ...revocationRoutes,
  ...sessionRoutes,
  ...reconnectLinkRoutes,
  ...providerRoutes,
  ...keyRoutes,
  ...serverToolRoutes,
  ...approvalRoutes,
  ...Object.values(FEATURE_ROUTES).flat(),
  ...testCredentialRoutes,
  ...documentRoutes(),
];
