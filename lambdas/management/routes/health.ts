import * as z from 'zod';
import { documented } from '../../gateway/openapi/documented.ts';
import { openRoute, type Route } from '../route.ts';

/** Reports only that the function runs. */
export const healthRoutes: readonly Route[] = [
  openRoute({
    method: 'GET',
    pattern: '/healthz',
    describe: documented(() => ({
      id: 'health',
      tag: 'Service',
      summary: 'Check that the gateway answers',
      answer: z.object({ status: z.literal('ok') }).meta({ id: 'Health' }),
      errors: [],
      example: { answer: { status: 'ok' } },
    })),
    handle: () => ({ status: 200, body: { status: 'ok' } }),
  }),
];
