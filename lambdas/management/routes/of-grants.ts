import { FEATURE_GRANT_ROUTES } from '../../features/grant-routes.ts';
import { connectionCallRoutes } from '../calls/call-routes.ts';
import { connectionActionRoutes } from '../connections/connection-action-routes.ts';
import { connectionRoutes } from '../connections/connection-routes.ts';
import { delegationRoutes } from '../integrations/delegation-routes.ts';
import { integrationRoutes } from '../integrations/integration-routes.ts';
import { readinessRoute } from '../integrations/readiness-route.ts';
import { testCredentialRoutes } from '../integrations/test-credential-routes.ts';
import type { Route } from '../route.ts';
import type { GrantServices } from '../services.ts';
import { sessionEndRoutes } from '../sessions/session-end-routes.ts';

/** The routes of the management API that use a grant or the secret of a client; API Gateway finds them by `GRANT_PATHS`. */
export const GRANT_ROUTES: readonly Route<GrantServices>[] = [
  ...integrationRoutes,
  ...delegationRoutes,
  readinessRoute,
  ...connectionRoutes,
  ...connectionActionRoutes,
  ...connectionCallRoutes,
  ...sessionEndRoutes,
  ...Object.values(FEATURE_GRANT_ROUTES).flat(),
  ...testCredentialRoutes,
];
