import { expect, test } from 'vitest';
import { connectAccount } from '../../support/connect.ts';
import { sweep } from '../../support/sweep.ts';
import { changeConnection, readConnection } from '../../support/table.ts';
import { useTestGateway } from '../../support/use-gateway.ts';
import { refreshTokenOf } from '../api/keys.ts';

const KEEP_ALIVE_SEC = 20_000;
const now = () => Math.floor(Date.now() / 1000);
const gateway = useTestGateway({
  environmentOverrides: { REFRESH_AHEAD: 'on-use', REFRESH_KEEP_ALIVE_SEC: String(KEEP_ALIVE_SEC) },
});

/** Seconds until the connection is due, by its row. */
async function dueInSec(integrationId: string, connectionId: string): Promise<number> {
  const { refreshAt } = await readConnection(gateway, integrationId, connectionId);
  return Number(refreshAt) - now();
}

function expectOneKeepAlive(waitSec: number): void {
  expect(waitSec).toBeLessThanOrEqual(KEEP_ALIVE_SEC);
  // 10 % of jitter, and a minute for the test itself.
  expect(waitSec).toBeGreaterThan(KEEP_ALIVE_SEC * 0.9 - 60);
}

test('an authorization, a refresh and an import all set due times by the deployment’s keep-alive', async () => {
  const authorized = await connectAccount(gateway, 'google-drive', { account: 'second.user@example.com' });
  expectOneKeepAlive(await dueInSec('google-drive', authorized));

  const imported = await gateway.json('POST', '/connections', {
    provider_config_key: 'google-drive',
    connection_id: 'imported',
    credentials: { type: 'OAUTH2', refresh_token: await refreshTokenOf(gateway, 'google-drive') },
  });
  expect(imported.status).toBe(201);
  expectOneKeepAlive(await dueInSec('google-drive', 'imported'));

  await changeConnection(gateway, 'google-drive', authorized, { refreshAt: now() - 5 });
  expect(await sweep(gateway, { integrationId: 'google-drive', connectionId: authorized })).toMatchObject({
    refreshed: 1,
  });
  expectOneKeepAlive(await dueInSec('google-drive', authorized));
});

test.each([
  ['google-calendar', '/calendar/v3/users/me/calendarList', 'brings a far due time forward to the keep-alive', 900_000],
  ['google-drive', '/drive/v3/files?pageSize=1', 'puts off no nearer one, which a warning may have set', 1_000],
])('%s: a call to %s %s', async (integrationId, path, _, beforeSec) => {
  const id = gateway.connectionId(integrationId);
  await changeConnection(gateway, integrationId, id, { lastUsedAtEpochSec: 1, refreshAt: now() + beforeSec });
  expect((await gateway.proxy(integrationId, path)).status).toBe(200);
  await expect.poll(async () => (await readConnection(gateway, integrationId, id)).lastUsedAtEpochSec).not.toBe(1);
  const waitSec = await dueInSec(integrationId, id);
  const expectedSec = Math.min(beforeSec, KEEP_ALIVE_SEC);
  expect(waitSec).toBeLessThanOrEqual(expectedSec);
  expect(waitSec).toBeGreaterThan(expectedSec * 0.9 - 60);
});
