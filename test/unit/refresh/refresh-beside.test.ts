import { expect, test } from 'vitest';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import type { ConnectionStore } from '../../../lambdas/gateway/connections/ports.ts';
import { ACTIVE_WINDOW_SEC } from '../../../lambdas/gateway/core/limits.ts';
import { type AccessTokenDependencies, AccessTokens } from '../../../lambdas/gateway/tokens/access-tokens.ts';
import { DEFAULT_REFRESH_POLICY } from '../../../lambdas/gateway/tokens/freshness.rules.ts';
import type { ConnectionRefresher } from '../../../lambdas/gateway/tokens/refresher.ts';
import { connection, integration, START_SEC } from './support/connection.ts';
import { fake, refreshWorld } from './support/refresh-world.ts';

/** A call finds a token that ends in two minutes on a connection that nobody has used for more than the active window. */
test('a refresh beside the first call for days keeps the connection fresh from then on, and not only alive', async () => {
  const idle = connection({
    accessTokenExpiresAtEpochSec: START_SEC + 120,
    lastUsedAtEpochSec: START_SEC - ACTIVE_WINDOW_SEC - 600,
    refreshAtEpochSec: START_SEC + 20 * 86_400,
  });
  const body = JSON.stringify({ access_token: 'access-1', token_type: 'Bearer', expires_in: 3599 });
  const world = refreshWorld(idle, integration(), () => ({
    kind: 'answered',
    response: { status: 200, body, retryAfter: undefined },
  }));
  const refresher: ConnectionRefresher = world.refresher('a', (effect) => effect());
  const tokens = new AccessTokens(
    fake<AccessTokenDependencies>({
      directory: fake({ remember: (live: unknown) => live, touch: () => {} }),
      refresher,
      connections: fake<ConnectionStore>({ noteUse: async () => {} }),
      cipher: fake({ decrypt: async () => 'access-0' }),
      clock: world.clock,
      metrics: { count: () => {} },
      refreshPolicy: DEFAULT_REFRESH_POLICY,
      logger: { info: () => {}, warn: () => {}, error: () => {} },
    }),
  );
  const works: unknown[] = [];
  await tokens.forCall(fake({ live: { connection: idle, accessToken: 'access-0' }, integration: integration() }), {
    requestId: 'request',
    waitUntil: (work) => void works.push(work),
  });
  await Promise.all(works);
  const stored: Connection | undefined = world.table.row;
  expect(stored?.accessTokenExpiresAtEpochSec).toBe(START_SEC + 3599);
  expect(stored?.refreshAtEpochSec).toBeLessThan(START_SEC + 3599);
});
