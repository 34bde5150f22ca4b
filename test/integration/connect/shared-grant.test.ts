import { afterAll, beforeAll, expect, test } from 'vitest';
import { finishFlow, reconnectSession, shownConnection, startFlow } from '../../support/connect.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway?.[Symbol.asyncDispose]());

test('TK-9: a connection whose grant was ended with another one says so, and lives again after a new consent', async () => {
  const [drive, calendar] = [gateway.connectionId('google-drive'), gateway.connectionId('google-calendar')];
  const list = () => gateway.proxy('google-calendar', '/calendar/v3/users/me/calendarList');
  expect((await list()).status).toBe(200);

  const path = `/connections/${drive}?provider_config_key=google-drive`;
  expect((await gateway.call(`${path}&revoke=true`, { method: 'DELETE' })).status).toBe(409);
  expect((await gateway.call(`${path}&revoke=force`, { method: 'DELETE' })).status).toBe(200);

  const refused = await list();
  expect(refused.status).toBe(424);
  const { connection } = (await refused.json()).error;
  expect(connection).toMatchObject({ cause: 'shared_grant_ended', certain: false });
  expect(connection.likely_causes[0]).toMatchObject({ who: 'developer', remedy: expect.stringContaining('if_last') });

  const token = await reconnectSession(gateway, 'google-calendar', calendar);
  await finishFlow(await startFlow(gateway, token, 'google-calendar'));
  expect((await list()).status).toBe(200);
  expect(await shownConnection(gateway, 'google-calendar', calendar)).toMatchObject({ status: 'active' });
});
