import { callRoutes } from '../calls/call-routes.ts';
import { feedRoutes } from '../feeds/feed-routes.ts';
import { integrationRoutes } from '../integrations/integration-routes.ts';
import { readinessRoute } from '../integrations/readiness-route.ts';
import type { Route } from '../route.ts';
import { webhookRoutes } from '../webhooks/webhook-routes.ts';
import { connectionActionRoutes } from './connection-actions.ts';
import { connectionChangeRoutes } from './connection-changes.ts';
import { connectionRoutes } from './connections.ts';
import { documentRoutes } from './document.ts';
import { healthRoutes } from './health.ts';
import { keyRoutes } from './keys.ts';
import { overviewRoutes } from './overview.ts';
import { providerRoutes } from './providers.ts';
import { revocationRoutes } from './revocations.ts';
import { searchRoutes } from './search.ts';
import { sessionRoutes } from './sessions.ts';
import { testCredentialRoutes } from './test-credentials.ts';
import { tryRoutes } from './try.ts';

/** Every route of the management API. */
export const ROUTES: readonly Route[] = [
  ...healthRoutes,
  ...overviewRoutes,
  ...integrationRoutes,
  readinessRoute,
  ...searchRoutes,
  ...connectionRoutes,
  ...connectionChangeRoutes,
  ...connectionActionRoutes,
  ...tryRoutes,
  ...callRoutes,
  ...feedRoutes,
  ...revocationRoutes,
  ...sessionRoutes,
  ...providerRoutes,
  ...keyRoutes,
  ...webhookRoutes,
  ...testCredentialRoutes,
  ...documentRoutes(() => ROUTES),
];
