import { openRoute, type Route } from '../route.ts';

/** Says that the function runs, and nothing else. */
export const healthRoutes: readonly Route[] = [
  openRoute({
    method: 'GET',
    pattern: '/healthz',
    summary: 'Whether the gateway answers',
    handle: () => ({ status: 200, body: { status: 'ok' } }),
  }),
];
