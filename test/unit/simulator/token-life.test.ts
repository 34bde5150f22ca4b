import { expect } from 'vitest';
import type { Simulator } from '../../../packages/simulator/index.ts';
import { codeOf, exchange, obtainTokens, refresh } from './flow.ts';
import { callsOf, control, open, signIn, startTestSimulator, test, type User } from './harness.ts';
import { CALENDAR, CLIENT, DAY_SEC, DRIVE, FIRST, SECOND, SIBLING } from './names.ts';

const ABOUT = '/drive/v3/about?fields=kind';
const EXPIRED = { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' };
const STRANGER = { ...CLIENT, clientId: '999999999999-stranger.apps.googleusercontent.com' };
const TESTING = { ...CLIENT, publishingStatus: 'testing' as const };
const SIGN_IN_ONLY = 'openid email profile';

const wait = (simulator: Simulator, sec: number) => control(simulator, 'POST', 'clock', { offsetSec: sec });
const kill = (simulator: Simulator, more: object) =>
  control(simulator, 'POST', 'grants/kill', { account: FIRST, ...more });
const revoke = (simulator: Simulator, token: string) =>
  fetch(simulator.endpoints.revocation_endpoint, { method: 'POST', body: new URLSearchParams({ token }) });

test('kills the oldest of 101 refresh tokens of a user and client', async ({ simulator, owner, guest }) => {
  const second = await signIn(simulator);
  for (let count = 2; count < 101; count += 1) await signIn(simulator);
  expect((await refresh(simulator, owner.refreshToken)).body).toEqual(EXPIRED);
  expect((await refresh(simulator, second.refreshToken)).status).toBe(200);
  expect((await refresh(simulator, guest.refreshToken)).status).toBe(200);
  const { refreshTokenCounts } = await control(simulator, 'GET', 'state');
  const count = { account: FIRST, clientId: CLIENT.clientId, liveRefreshTokens: 100 };
  expect(refreshTokenCounts).toContainEqual(count);
});

test('ends an access token after its 3599 seconds', async ({ simulator, owner }) => {
  await wait(simulator, 3590);
  expect(await owner.status(ABOUT)).toBe(200);
  await wait(simulator, 3600);
  expect(await owner.status(ABOUT)).toBe(401);
});

test('ends a Testing authorization seven days after consent, refreshed or not', async () => {
  const { simulator, refreshToken } = await open({ clients: [TESTING] });
  await wait(simulator, 7 * DAY_SEC - 60);
  expect((await refresh(simulator, refreshToken)).status).toBe(200);
  await wait(simulator, 7 * DAY_SEC + 1);
  expect((await refresh(simulator, refreshToken)).body).toEqual(EXPIRED);
});

test('announces the seven days with a Testing grant, and keeps to them after the app is published', async () => {
  const simulator = await startTestSimulator({ clients: [TESTING] });
  const { refreshToken, accessToken, body } = await obtainTokens(simulator);
  expect(body.refresh_token_expires_in).toBe(604_799);
  await control(simulator, 'POST', 'clients', CLIENT);
  const { body: published } = await obtainTokens(simulator, {}, { account: SECOND });
  expect(published).not.toHaveProperty('refresh_token_expires_in');
  await wait(simulator, 7 * DAY_SEC + 1);
  expect((await refresh(simulator, refreshToken)).body).toEqual(EXPIRED);
  expect(await callsOf(simulator, accessToken).status(ABOUT)).toBe(401);
});

test.each([
  ['a Testing authorization that only signs in', { clients: [TESTING], scope: SIGN_IN_ONLY }],
  ['a published app', {}],
])('exempts %s from the seven days', async (_claim, options) => {
  const { simulator, refreshToken } = await open(options);
  await wait(simulator, 8 * DAY_SEC);
  expect((await refresh(simulator, refreshToken)).status).toBe(200);
});

test('ends a refresh token unused for six months; use starts again', async ({ simulator, owner, guest }) => {
  await wait(simulator, 100 * DAY_SEC);
  expect((await refresh(simulator, guest.refreshToken)).status).toBe(200);
  await wait(simulator, 183 * DAY_SEC);
  expect((await refresh(simulator, owner.refreshToken)).body).toEqual(EXPIRED);
  expect((await refresh(simulator, guest.refreshToken)).status).toBe(200);
});

test('ends time-limited access at its announced second', async ({ simulator }) => {
  await control(simulator, 'POST', 'faults', { action: { refreshTokenExpiresInSec: 3600 } });
  const { refreshToken, body } = await obtainTokens(simulator);
  expect(body.refresh_token_expires_in).toBe(3600);
  expect((await refresh(simulator, refreshToken)).status).toBe(200);
  await wait(simulator, 3601);
  expect((await refresh(simulator, refreshToken)).body).toEqual(EXPIRED);
});

test.for<[reason: string, status: number, body: object, accessStatus: number]>([
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
  ['advanced_protection', 400, { error: 'policy_enforced' }, 401],
  ['account_deleted', 400, { error: 'invalid_grant', error_description: 'Account has been deleted' }, 401],
  ['reauthentication', 400, { error: 'invalid_grant', error_subtype: 'rapt_required' }, 200],
])('answers a grant ended by %s as Google does', async ([reason, status, body, accessStatus], { simulator, owner }) => {
  await kill(simulator, { clientId: CLIENT.clientId, reason });
  expect(await refresh(simulator, owner.refreshToken)).toMatchObject({ status, body });
  expect(await owner.status(ABOUT)).toBe(accessStatus);
});

test.for([
  'admin_policy',
  'account_restricted',
  'advanced_protection',
  'account_disabled',
  'client_deleted',
  'client_disabled',
])('lifts a block by %s', async (reason, { simulator, owner }) => {
  await kill(simulator, { clientId: CLIENT.clientId, reason });
  await control(simulator, 'POST', 'grants/restore', { account: FIRST, clientId: CLIENT.clientId });
  expect((await refresh(simulator, owner.refreshToken)).status).toBe(200);
});

test('ends a revoked user’s grants over all clients of the project, and only there', async () => {
  const own = await open({ clients: [CLIENT, SIBLING, STRANGER] });
  const { simulator } = own;
  const sibling = await signIn(simulator, { clientId: SIBLING.clientId });
  const stranger = await signIn(simulator, { clientId: STRANGER.clientId });
  const other = await signIn(simulator, { account: SECOND });
  expect((await revoke(simulator, own.accessToken)).status).toBe(200);
  const refreshOf = (user: User, clientId = CLIENT.clientId) =>
    refresh(simulator, user.refreshToken, { client_id: clientId });
  expect((await refreshOf(own)).body).toEqual(EXPIRED);
  expect((await refreshOf(sibling, SIBLING.clientId)).body).toEqual(EXPIRED);
  expect((await refreshOf(stranger, STRANGER.clientId)).status).toBe(200);
  expect((await refreshOf(other)).status).toBe(200);
  expect([await own.status(ABOUT), await other.status(ABOUT)]).toEqual([401, 200]);
});

test('answers a second revocation with invalid_token', async ({ simulator, owner }) => {
  expect((await revoke(simulator, owner.refreshToken)).status).toBe(200);
  const second = await revoke(simulator, owner.refreshToken);
  expect([second.status, await second.json()]).toMatchObject([400, { error: 'invalid_token' }]);
});

test.for([
  ['admin_policy', 'admin_policy_enforced'],
  ['advanced_protection', 'policy_enforced'],
  ['account_disabled', 'invalid_grant'],
] as const)('refuses a code of an account under %s', async ([reason, error], { simulator }) => {
  const code = await codeOf(simulator);
  await kill(simulator, { reason });
  expect((await exchange(simulator, code)).body.error).toBe(error);
});

test('forgets the granted union on revocation', async ({ simulator }) => {
  await signIn(simulator, { scope: DRIVE });
  await kill(simulator, { reason: 'user_revoked' });
  const { body } = await obtainTokens(simulator, { scope: CALENDAR, include_granted_scopes: 'true' });
  expect(body.scope).toBe(CALENDAR);
});

test('expires access tokens on demand and lets refreshing continue', async ({ simulator, owner, guest }) => {
  const answer = await control(simulator, 'POST', 'tokens/expire', { account: FIRST, kind: 'access' });
  expect(answer.expired).toBe(1);
  expect([await owner.status(ABOUT), await guest.status(ABOUT)]).toEqual([401, 200]);
  expect((await refresh(simulator, owner.refreshToken)).status).toBe(200);
});
