import type { Route } from '../route.ts';
import { connectionRoutes } from './connections.ts';
import { healthRoutes } from './health.ts';
import { integrationRoutes } from './integrations.ts';
import { providerRoutes } from './providers.ts';
import { sessionRoutes } from './sessions.ts';

/** Every route of the management API. */
export const ROUTES: readonly Route[] = [
  ...healthRoutes,
  ...integrationRoutes,
  ...connectionRoutes,
  ...sessionRoutes,
  ...providerRoutes,
];
