// @module-tag long
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { connectAccount } from '../../support/connect.ts';
import { control } from '../../support/simulator.ts';
import { sweep } from '../../support/sweep.ts';
import { changeConnection, connectionKey, readConnection, tableClient } from '../../support/table.ts';
import { useTestGateway } from '../../support/use-gateway.ts';

const DAY = 24 * 3600;
const now = () => Math.floor(Date.now() / 1000);
const gateway = useTestGateway(
  process.env.GATEWAY_ASSEMBLY === undefined ? {} : { assemblyFolder: process.env.GATEWAY_ASSEMBLY },
);

const ofType = (type: string) => gateway.gateway.events.filter((event) => event['detail-type'] === type);

test('ConnectionExpiring comes two days and one day before the end of Testing mode, once each', async () => {
  const testing = { publishing_status: 'testing', audience: 'external' };
  expect(await gateway.json('PATCH', '/integrations/google-drive', testing)).toMatchObject({ status: 200 });
  const id = gateway.connectionId('google-drive');
  for (const [ageDays, events] of [
    [4, 0],
    [5.5, 1],
    [5.6, 1],
    [6.5, 2],
  ] as const) {
    await changeConnection(gateway, 'google-drive', id, {
      consentedAtEpochSec: now() - ageDays * DAY,
      refreshAt: now() - 5,
    });
    expect(await sweep(gateway, { integrationId: 'google-drive', connectionId: id })).toMatchObject({
      refreshed: 1,
      failed: 0,
    });
    const row = await readConnection(gateway, 'google-drive', id);
    expect(row.expiryWarnings ?? 0).toBe(events);
    expect(row.refreshAt, 'the schedule comes back in time for the next warning').toBeLessThanOrEqual(now() + DAY);
  }
  await gateway.gateway.waitForEvent(() => ofType('ConnectionExpiring').length === 2);
  const [first, second] = ofType('ConnectionExpiring');
  expect(first?.detail).toMatchObject({ connection_id: id, cause: 'testing_mode', sequence: '2' });
  expect(first?.detail).toHaveProperty('remedy', expect.stringContaining('Publish the app'));
  expect(second?.detail).toMatchObject({ sequence: '3' });
});

test('RefreshTokenLimitNear comes with the 90th consent, and names the connections that the next consents end', {
  tags: ['long'],
}, async () => {
  const id = await connectAccount(gateway, 'google-calendar', { account: 'second.user@example.com' });
  const row = await readConnection(gateway, 'google-calendar', id);
  for (let i = 0; i < 89; i++) {
    const connectionId = `older-${i}`;
    const key = connectionKey('google-calendar', connectionId);
    const Item = { ...row, ...key, connectionId, consentedAtEpochSec: now() - DAY + i, refreshAt: now() + DAY };
    await tableClient(gateway).send(new PutCommand({ TableName: gateway.gateway.tableName, Item }));
  }
  for (let tick = 0; tick < 2; tick++) {
    await changeConnection(gateway, 'google-calendar', id, { refreshAt: now() - 5 });
    expect(await sweep(gateway, { integrationId: 'google-calendar', connectionId: id })).toMatchObject({
      refreshed: 1,
    });
  }
  const event = await gateway.gateway.waitForEvent((one) => one['detail-type'] === 'RefreshTokenLimitNear');
  expect(event.detail).toMatchObject({ connection_id: id, cause: '90_of_100' });
  expect(event.detail).toHaveProperty('remedy', expect.stringContaining('older-0, older-1, older-2 first'));
  expect(ofType('RefreshTokenLimitNear')).toHaveLength(1);
});

test('a grant of seven days shows that Google treats the app as Testing, whatever was declared', async () => {
  const path = '/integrations/google-calendar';
  const integration = async () => (await gateway.json('GET', path)).body.data;
  const patched = await gateway.json('PATCH', path, { publishing_status: 'production' });
  expect(patched).toMatchObject({ status: 200 });
  expect(await integration()).toMatchObject({ testing_seen_at: null });
  const fault = {
    match: { origin: 'token', tokenKind: 'code' },
    times: 1,
    action: { refreshTokenExpiresInSec: 604_799 },
  };
  await control(gateway, 'POST', '/faults', fault);
  const id = await connectAccount(gateway, 'google-calendar', { account: 'editor@workspace.example' });
  const { body: connection } = await gateway.json('GET', `/connections/${id}?provider_config_key=google-calendar`);
  const livesMs = Date.parse(connection.forecasts.testing_mode_ends_at) - Date.parse(connection.consented_at);
  // Whole seconds, of two looks at the clock.
  expect(Math.abs(livesMs - 604_799_000)).toBeLessThanOrEqual(1_000);
  expect(connection.forecasts.access_ends_at).toBeNull();
  expect(connection.provider_account).toMatchObject({ hosted_domain: 'workspace.example' });
  expect(await integration()).toMatchObject({ publishing_status: 'production', testing_seen_at: expect.any(String) });
  const readiness = await gateway.json('GET', `${path}/readiness`);
  expect(readiness.body.data.risks).toContainEqual(expect.stringContaining('Google treats this app as Testing'));

  // A consent that carries no end shows that the app has been published; both consents count towards Google's limit.
  await connectAccount(gateway, 'google-calendar', { account: 'editor@workspace.example' });
  expect(await integration()).toMatchObject({ testing_seen_at: null });
  const { Items = [] } = await tableClient(gateway).send(
    new ScanCommand({ TableName: gateway.gateway.tableName, ConsistentRead: true }),
  );
  const logs = Items.filter(({ type }) => type === 'consent_log').map(({ consentTimes }) => consentTimes);
  expect(logs).toContainEqual([expect.any(Number), expect.any(Number)]);
  expect(JSON.stringify(Items.filter(({ type }) => type === 'consent_log'))).not.toContain('editor');
});
