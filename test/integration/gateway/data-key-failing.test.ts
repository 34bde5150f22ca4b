import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { sweep } from '../../support/sweep.ts';
import { changeConnection, readConnection } from '../../support/table.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway?.[Symbol.asyncDispose]());

/** Names of metrics that the functions counted under the stack's namespace. */
function counted(): Set<string> {
  const lines = gateway.gateway.logs().map(({ text }) => text);
  const own = lines.filter((text) => text.includes('"Namespace":"IntegrationGateway/IntegrationGateway"'));
  return new Set(
    own.flatMap((text) => [...text.matchAll(/"Metrics":\[\{"Name":"(\w+)"/g)].map(([, name]) => name ?? '')),
  );
}

test('CR-6: a sweep that KMS gives no data key fails its item, counts it for an alarm and marks nothing dead', async () => {
  const id = gateway.connectionId('google-drive');
  const before = await readConnection(gateway, 'google-drive', id);
  await changeConnection(gateway, 'google-drive', id, { refreshAt: 1 });
  gateway.gateway.switches.kms.disabled = true;
  expect(await gateway.gateway.tick('refresh')).toMatchObject({ refreshed: 0, dead: 0, failed: 1 });
  expect(counted()).toContain('DataKeyFailed');
  expect(counted()).toContain('SweepItemFailed');
  const after = await readConnection(gateway, 'google-drive', id);
  expect(after).toMatchObject({ status: 'active', encryptedRefreshToken: before.encryptedRefreshToken });

  gateway.gateway.switches.kms.disabled = false;
  await changeConnection(gateway, 'google-drive', id, { refreshAt: 1 });
  expect(await sweep(gateway, { integrationId: 'google-drive', connectionId: id })).toMatchObject({
    refreshed: 1,
    failed: 0,
  });
});
