import { expect, test } from 'vitest';
import {
  api,
  authorize,
  CALENDAR,
  CLIENT,
  control,
  DAY_SEC,
  DRIVE,
  exchange,
  FIRST,
  obtainTokens,
  records,
  refresh,
  SECOND,
  startTestSimulator,
  text,
} from './harness.ts';

const FILES = '/drive/v3/files?pageSize=1';
const EXPIRED = { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' };
const SIBLING = { ...CLIENT, clientId: '123456789012-sibling.apps.googleusercontent.com' };
const STRANGER = { ...CLIENT, clientId: '999999999999-stranger.apps.googleusercontent.com' };
const TESTING = { ...CLIENT, publishingStatus: 'testing' as const };

test('kills the oldest of 101 refresh tokens of a user and client', async () => {
  const simulator = await startTestSimulator();
  const first = await obtainTokens(simulator, { scope: DRIVE });
  const second = await obtainTokens(simulator, { scope: DRIVE });
  const other = await obtainTokens(simulator, { scope: DRIVE }, { account: SECOND });
  for (let count = 2; count < 101; count += 1) await obtainTokens(simulator, { scope: DRIVE });
  expect((await refresh(simulator, first.refreshToken)).body).toEqual(EXPIRED);
  expect((await refresh(simulator, second.refreshToken)).status).toBe(200);
  expect((await refresh(simulator, other.refreshToken)).status).toBe(200);
  const counts = records((await control(simulator, 'GET', 'state')).refreshTokenCounts);
  expect(counts).toContainEqual({ account: FIRST, clientId: CLIENT.clientId, liveRefreshTokens: 100 });
});

test('ends an access token after its 3599 seconds', async () => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  await control(simulator, 'POST', 'clock', { offsetSec: 3590 });
  expect((await api(simulator, accessToken, FILES)).status).toBe(200);
  await control(simulator, 'POST', 'clock', { offsetSec: 3600 });
  expect((await api(simulator, accessToken, FILES)).status).toBe(401);
});

test('ends a Testing authorization seven days after consent, refreshed or not', async () => {
  const simulator = await startTestSimulator({ clients: [TESTING] });
  const { refreshToken } = await obtainTokens(simulator);
  await control(simulator, 'POST', 'clock', { offsetSec: 7 * DAY_SEC - 60 });
  expect((await refresh(simulator, refreshToken)).status).toBe(200);
  await control(simulator, 'POST', 'clock', { offsetSec: 7 * DAY_SEC + 1 });
  expect((await refresh(simulator, refreshToken)).body).toEqual(EXPIRED);
});

test('announces the seven days with a Testing grant, and keeps to them after the app is published', async () => {
  const simulator = await startTestSimulator({ clients: [TESTING] });
  const { refreshToken, accessToken, body } = await obtainTokens(simulator);
  expect(body.refresh_token_expires_in).toBe(604_799);
  await control(simulator, 'POST', 'clients', CLIENT);
  const { body: published } = await obtainTokens(simulator, {}, { account: SECOND });
  expect(published).not.toHaveProperty('refresh_token_expires_in');
  await control(simulator, 'POST', 'clock', { offsetSec: 7 * DAY_SEC + 1 });
  expect((await refresh(simulator, refreshToken)).body).toEqual(EXPIRED);
  expect((await api(simulator, accessToken, FILES)).status).toBe(401);
});

test('exempts a Testing authorization that only signs in', async () => {
  const simulator = await startTestSimulator({ clients: [TESTING] });
  const { refreshToken } = await obtainTokens(simulator, { scope: 'openid email profile' });
  await control(simulator, 'POST', 'clock', { offsetSec: 8 * DAY_SEC });
  expect((await refresh(simulator, refreshToken)).status).toBe(200);
});

test('exempts Internal and published apps from the seven days', async () => {
  const simulator = await startTestSimulator();
  const { refreshToken } = await obtainTokens(simulator);
  await control(simulator, 'POST', 'clock', { offsetSec: 8 * DAY_SEC });
  expect((await refresh(simulator, refreshToken)).status).toBe(200);
});

test('ends a refresh token unused for six months, and use starts the time anew', async () => {
  const simulator = await startTestSimulator();
  const idle = await obtainTokens(simulator);
  const busy = await obtainTokens(simulator);
  await control(simulator, 'POST', 'clock', { offsetSec: 100 * DAY_SEC });
  expect((await refresh(simulator, busy.refreshToken)).status).toBe(200);
  await control(simulator, 'POST', 'clock', { offsetSec: 183 * DAY_SEC });
  expect((await refresh(simulator, idle.refreshToken)).body).toEqual(EXPIRED);
  expect((await refresh(simulator, busy.refreshToken)).status).toBe(200);
});

test('ends time-limited access at its announced second', async () => {
  const simulator = await startTestSimulator();
  await control(simulator, 'POST', 'faults', { action: { refreshTokenExpiresInSec: 3600 } });
  const { refreshToken, body } = await obtainTokens(simulator);
  expect(body.refresh_token_expires_in).toBe(3600);
  expect((await refresh(simulator, refreshToken)).status).toBe(200);
  await control(simulator, 'POST', 'clock', { offsetSec: 3601 });
  expect((await refresh(simulator, refreshToken)).body).toEqual(EXPIRED);
});

const kills: [reason: string, status: number, body: object, accessStatus: number][] = [
  ['user_revoked', 400, EXPIRED, 401],
  ['password_change', 400, EXPIRED, 401],
  ['testing_7_days', 400, EXPIRED, 401],
  ['six_months', 400, EXPIRED, 200],
  ['session_length', 400, { error: 'invalid_grant', error_subtype: 'invalid_rapt' }, 200],
  ['admin_policy', 400, { error: 'admin_policy_enforced' }, 401],
  ['account_disabled', 400, EXPIRED, 401],
  ['client_deleted', 401, { error: 'deleted_client' }, 401],
  ['client_disabled', 401, { error: 'disabled_client' }, 401],
  ['account_restricted', 400, { error: 'access_denied', error_description: 'Account restricted' }, 401],
  ['account_deleted', 400, { error: 'invalid_grant', error_description: 'Account has been deleted' }, 401],
  ['reauthentication', 400, { error: 'invalid_grant', error_subtype: 'rapt_required' }, 200],
];

test.each(kills)('answers a grant ended by %s as Google does', async (reason, status, body, accessStatus) => {
  const simulator = await startTestSimulator();
  const { refreshToken, accessToken } = await obtainTokens(simulator);
  await control(simulator, 'POST', 'grants/kill', { account: FIRST, clientId: CLIENT.clientId, reason });
  const answer = await refresh(simulator, refreshToken);
  expect(answer.status).toBe(status);
  expect(answer.body).toMatchObject(body);
  expect((await api(simulator, accessToken, FILES)).status).toBe(accessStatus);
});

const blocks = ['admin_policy', 'account_restricted', 'account_disabled', 'client_deleted', 'client_disabled'];

test.each(blocks)('lifts a block by %s', async (reason) => {
  const simulator = await startTestSimulator();
  const { refreshToken } = await obtainTokens(simulator);
  await control(simulator, 'POST', 'grants/kill', { account: FIRST, clientId: CLIENT.clientId, reason });
  await control(simulator, 'POST', 'grants/restore', { account: FIRST, clientId: CLIENT.clientId });
  expect((await refresh(simulator, refreshToken)).status).toBe(200);
});

test('ends a revoked user’s grants over all clients of the project, and only there', async () => {
  const simulator = await startTestSimulator({ clients: [CLIENT, SIBLING, STRANGER] });
  const own = await obtainTokens(simulator);
  const tokenOf = async (client: typeof CLIENT) => {
    const query = await authorize(simulator, { client_id: client.clientId });

    return text(
      (await exchange(simulator, query.get('code') ?? '', { client_id: client.clientId })).body.refresh_token,
    );
  };
  const sibling = await tokenOf(SIBLING);
  const stranger = await tokenOf(STRANGER);
  const other = await obtainTokens(simulator, {}, { account: SECOND });
  const body = new URLSearchParams({ token: own.accessToken });
  expect((await fetch(simulator.endpoints.revocation_endpoint, { method: 'POST', body })).status).toBe(200);
  expect((await refresh(simulator, own.refreshToken)).body).toEqual(EXPIRED);
  expect((await refresh(simulator, sibling, { client_id: SIBLING.clientId })).body).toEqual(EXPIRED);
  expect((await refresh(simulator, stranger, { client_id: STRANGER.clientId })).status).toBe(200);
  expect((await refresh(simulator, other.refreshToken)).status).toBe(200);
  expect((await api(simulator, own.accessToken, FILES)).status).toBe(401);
});

test('answers a second revocation with invalid_token', async () => {
  const simulator = await startTestSimulator();
  const { refreshToken } = await obtainTokens(simulator);
  const revoke = () =>
    fetch(simulator.endpoints.revocation_endpoint, {
      method: 'POST',
      body: new URLSearchParams({ token: refreshToken }),
    });
  expect((await revoke()).status).toBe(200);
  const second = await revoke();
  expect(second.status).toBe(400);
  expect(await second.json()).toMatchObject({ error: 'invalid_token' });
});

test.each([
  ['admin_policy', 'admin_policy_enforced'],
  ['account_disabled', 'invalid_grant'],
])('refuses a code of an account under %s', async (reason, error) => {
  const simulator = await startTestSimulator();
  const query = await authorize(simulator);
  await control(simulator, 'POST', 'grants/kill', { account: FIRST, reason });
  expect((await exchange(simulator, query.get('code') ?? '')).body.error).toBe(error);
});

test('forgets the granted union on revocation', async () => {
  const simulator = await startTestSimulator();
  await obtainTokens(simulator, { scope: DRIVE });
  await control(simulator, 'POST', 'grants/kill', { account: FIRST, reason: 'user_revoked' });
  const { body } = await obtainTokens(simulator, { scope: CALENDAR, include_granted_scopes: 'true' });
  expect(body.scope).toBe(CALENDAR);
});

test('expires access tokens on demand and lets refreshing go on', async () => {
  const simulator = await startTestSimulator();
  const { accessToken, refreshToken } = await obtainTokens(simulator);
  const other = await obtainTokens(simulator, {}, { account: SECOND });
  const answer = await control(simulator, 'POST', 'tokens/expire', { account: FIRST, kind: 'access' });
  expect(answer.expired).toBe(1);
  expect((await api(simulator, accessToken, FILES)).status).toBe(401);
  expect((await api(simulator, other.accessToken, FILES)).status).toBe(200);
  expect((await refresh(simulator, refreshToken)).status).toBe(200);
});
