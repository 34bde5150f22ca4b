// @module-tag long
/** The seven days of an app in Testing, tried as docs/testing-your-app.md says: the gateway's clock goes with the simulator's. */
import { expect, test } from 'vitest';
import { connectAccount } from '../../support/connect.ts';
import { control } from '../../support/simulator.ts';
import { sweep } from '../../support/sweep.ts';
import { useTestGateway } from '../../support/use-gateway.ts';

const DAY_SEC = 86_400;
const gateway = useTestGateway({ clock: 'simulator', seed: false });

const moveClock = (days: number) => control(gateway, 'POST', '/clock', { offsetSec: days * DAY_SEC });

/** An integration with an OAuth client of its own that nobody registered by hand. */
async function integration(unique_key: string, project: string, settings: object): Promise<void> {
  const credentials = {
    type: 'OAUTH2',
    client_id: `${project}-app.apps.googleusercontent.com`,
    client_secret: 'GOCSPX-of-this-app',
  };
  const wanted = { provider: 'google-drive', unique_key, credentials, ...settings };
  const made = await gateway.json('POST', '/integrations', wanted);
  expect(made.status, JSON.stringify(made.body)).toBe(200);
}

const list = async (id: string, connectionId: string) => {
  const answer = await gateway.proxyAs(id, connectionId, '/drive/v3/files?pageSize=1');
  return { status: answer.status, body: await answer.json() };
};

test('a grant of an app in Testing works for six days and is dead after eight, and the gateway says which seven days', async () => {
  await moveClock(0);
  await integration('in-testing', '222222222222', { publishing_status: 'testing', audience: 'external' });
  await integration('published', '333333333333', { publishing_status: 'production', audience: 'external' });
  const testing = await connectAccount(gateway, 'in-testing');
  const published = await connectAccount(gateway, 'published');
  await moveClock(6);
  expect(await list('in-testing', testing)).toMatchObject({ status: 200 });
  await moveClock(8);
  expect(await list('published', published)).toMatchObject({ status: 200 });
  const dead = await list('in-testing', testing);
  const connection = { cause: 'testing_mode_expired', certain: true };
  expect(dead).toMatchObject({ status: 424, body: { error: { code: 'reauthorization_required', connection } } });
  expect(dead.body.error.message).toContain('in Testing at Google, and its grants end seven days after consent');
  const event = await gateway.gateway.waitForEvent((one) => one['detail-type'] === 'ConnectionReauthorizationRequired');
  expect(event.detail).toMatchObject({ connection_id: testing, cause: 'testing_mode_expired' });
  // Authorized again, it works on: for seven days of the moved clock.
  const again = await connectAccount(gateway, 'in-testing');
  expect(await list('in-testing', again)).toMatchObject({ status: 200 });
});

test.each([
  { days: 7, declared: 'testing', chosen: undefined, cause: 'testing_mode_expired' },
  { days: 7, declared: 'production', chosen: 604_799, cause: 'testing_mode_expired' },
  { days: 30, declared: 'production', chosen: 30 * DAY_SEC, cause: 'time_limited_access_over' },
])(
  'a connection that nobody uses is dead six minutes after its grant ended: $cause after $days days, declared $declared',
  async ({ days, declared, chosen, cause }) => {
    await moveClock(0);
    const id = `ends-${days}-${declared}`;
    const project = `66666666666${['testing', 'production'].indexOf(declared)}`.replace(/^6/, String(days % 10));
    await integration(id, project, { publishing_status: declared, audience: 'external' });
    if (chosen !== undefined) {
      const match = { origin: 'token', tokenKind: 'code' };
      await control(gateway, 'POST', '/faults', { match, times: 1, action: { refreshTokenExpiresInSec: chosen } });
    }
    const connectionId = await connectAccount(gateway, id);
    const look = async (day: number) => {
      await moveClock(day);
      return sweep(gateway, { integrationId: id, connectionId });
    };
    for (const leadDays of [1.99, 0.99]) expect(await look(days - leadDays)).toMatchObject({ refreshed: 1 });
    expect(await look(days - 0.001)).toMatchObject({ refreshed: 0, dead: 0 });
    expect(await look(days + 6 / 1440)).toMatchObject({ refreshed: 0, dead: 1 });

    const event = await gateway.gateway.waitForEvent(
      ({ detail, ...one }) =>
        one['detail-type'] === 'ConnectionReauthorizationRequired' && JSON.stringify(detail).includes(connectionId),
    );
    expect(event.detail).toMatchObject({ connection_id: connectionId, cause, health: 'dead' });
    const { body: connection } = await gateway.json('GET', `/connections/${connectionId}?provider_config_key=${id}`);
    expect(connection).toMatchObject({
      status: 'reauthorization_required',
      health: { status: 'dead', reason: cause, certain: true },
    });
    const working = await gateway.json('GET', `/connections?provider_config_key=${id}&health=working`);
    const dead = await gateway.json('GET', `/connections?provider_config_key=${id}&health=dead`);
    expect([working.body.connections.length, dead.body.connections.length]).toEqual([0, 1]);
    // The next count, which incidents come from.
    await moveClock(days + 30 / 1440);
    await gateway.gateway.tick('refresh');
    const { attention } = (await gateway.json('GET', '/overview')).body.data;
    const incident = { kind: 'incident', state: 'dead', reason: cause, provider_config_key: id, count: 1 };
    expect(attention).toContainEqual(expect.objectContaining(incident));
  },
);

test('the simulator follows what an integration declares: an internal app admits only accounts of an organization', async () => {
  await moveClock(0);
  await integration('changing', '444444444444', { publishing_status: 'production', audience: 'external' });
  await connectAccount(gateway, 'changing', { account: 'first.user@example.com' });
  const internal = { audience: 'internal', credentials: { type: 'OAUTH2', client_secret: 'GOCSPX-another' } };
  expect(await gateway.json('PATCH', '/integrations/changing', internal)).toMatchObject({ status: 200 });
  await expect(connectAccount(gateway, 'changing', { account: 'first.user@example.com' })).rejects.toThrow(
    'org_internal',
  );
  await connectAccount(gateway, 'changing', { account: 'editor@workspace.example' });
});

test('a client that somebody registered at the simulator stays as it was registered', async () => {
  await moveClock(0);
  const clientId = '555555555555-app.apps.googleusercontent.com';
  const redirectUris = [`${gateway.gateway.gatewayUrl}/oauth/callback`];
  gateway.gateway.simulator?.upsertClient({ clientId, clientSecret: 'GOCSPX-the-right-one', redirectUris });
  await integration('mistyped', '555555555555', {});
  await expect(connectAccount(gateway, 'mistyped')).rejects.toThrow('Not connected');
});
