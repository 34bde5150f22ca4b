/** The seven days of an app in Testing, tried as docs/testing-your-app.md says: the gateway's clock goes with the simulator's. */
import { expect, test } from 'vitest';
import { connectAccount } from '../../support/connect.ts';
import { control } from '../../support/simulator.ts';
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
