import { expect, it } from 'vitest';
import { managementGateway } from './support/gateway.ts';

const NEW = {
  provider: 'google-calendar',
  unique_key: 'calendar',
  credentials: { type: 'OAUTH2', client_id: '42-a.apps.googleusercontent.com', client_secret: 'GOCSPX-example' },
};
const HIGHER = { per_minute: 20_000 };
const WARNED = [{ path: 'quota.until', message: expect.stringContaining('end') }];

it('GA-28: a higher limit without a date is answered with a warning when it is created and changed', async () => {
  const gateway = managementGateway();
  const created = await gateway.call('POST', '/integrations', { body: { ...NEW, quota: HIGHER } });
  expect(created.body).toMatchObject({ data: { quota: HIGHER }, warnings: WARNED });
  const patched = async (quota: unknown) =>
    (await gateway.call('PATCH', '/integrations/calendar', { body: { quota } })).body;
  expect(await patched(HIGHER)).toMatchObject({ warnings: WARNED });
  for (const quota of [
    { ...HIGHER, until: '2027-03-01' },
    { ...HIGHER, tier: 'scaled', billing_account: '01ABCD-234567-89EFAB' },
    { ...HIGHER, tier: 'internal' },
    { per_minute: 5_000 },
  ]) {
    expect(await patched(quota)).toMatchObject({ data: { quota }, warnings: [] });
  }
  expect(
    (await gateway.call('PATCH', '/integrations/calendar', { body: { display_name: 'Mine' } })).body,
  ).toMatchObject({ warnings: [] });
});

it.each([
  [{ tier: 'gold' }, 'quota.tier'],
  [{ until: '1 April 2027' }, 'quota.until'],
  [{ until: '2027-02-30' }, 'quota.until'],
  [{ billing_account: '01ABCD-234567-89EFAB' }, 'quota.billing_account'],
  [{ tier: 'scaled', billing_account: 'a b' }, 'quota.billing_account'],
])('GA-28: refuses the quota %j at %s', async (quota, path) => {
  const reply = await managementGateway().call('POST', '/integrations', { body: { ...NEW, quota } });
  expect([reply.status, reply.paths]).toEqual([400, [path]]);
});
