import { request } from 'node:http';
import { expect } from 'vitest';
import { obtainTokens, refresh } from './flow.ts';
import { control, open, test } from './harness.ts';
import { CLIENT, FIRST } from './names.ts';
import { rawGet, records, sha256, text } from './values.ts';

test('records method, raw target, raw headers in order, body digest and token owner', async () => {
  const { simulator, accessToken } = await open({ separateOrigins: true });
  await control(simulator, 'DELETE', 'requests');
  const url = new URL(simulator.endpoints.api_base_url);
  await new Promise<void>((resolve, reject) => {
    const target = { host: url.hostname, port: url.port, path: '/drive/v3/files?a=%7E&a=+' };
    const call = request({ ...target, method: 'POST', setHost: false });
    call.setHeader('X-Two', ['b', 'a']);
    call.setHeader('hOsT', url.host);
    call.setHeader('Authorization', `Bearer ${accessToken}`);
    call.on('response', (response) => response.resume().on('end', resolve));
    call.on('error', reject);
    call.end('{"name":"x"}');
  });
  const [recorded, ...rest] = records((await control(simulator, 'GET', 'requests')).requests);
  expect(rest).toEqual([]);
  expect(recorded).toMatchObject({
    origin: 'api',
    method: 'POST',
    target: '/drive/v3/files?a=%7E&a=+',
    host: url.host,
    bodyLength: 12,
    bodySha256: sha256('{"name":"x"}'),
    tokenOwner: FIRST,
  });
  const names = JSON.stringify(recorded?.headers);
  expect(names).toContain('["X-Two","b"],["X-Two","a"]');
  expect(names).toContain('"hOsT"');
});

test('distinguishes the origins and knows the owner of refresh tokens and codes', async ({ simulator }) => {
  const { refreshToken } = await obtainTokens(simulator);
  await refresh(simulator, refreshToken);
  const requests = records((await control(simulator, 'GET', 'requests')).requests);
  const tokens = requests.filter(({ origin }) => origin === 'token');
  expect(requests[0]?.origin).toBe('accounts');
  expect(tokens.map(({ tokenOwner }) => tokenOwner)).toEqual([FIRST, FIRST]);
});

test('never reuses a sequence number', async ({ simulator }) => {
  await fetch(simulator.url);
  await control(simulator, 'DELETE', 'requests');
  await fetch(simulator.url);
  expect(records((await control(simulator, 'GET', 'requests')).requests)[0]?.seq).toBe(2);
});

test('shows every issued token as SHA-256 and no credential', async ({ simulator, owner }) => {
  const { accessToken, refreshToken } = owner;
  const state = await control(simulator, 'GET', 'state');
  const shown = JSON.stringify(state);
  for (const secret of [accessToken, refreshToken, CLIENT.clientSecret, sha256(CLIENT.clientSecret)]) {
    expect(shown).not.toContain(secret);
  }
  expect(state.accessTokens).toMatchObject([{ sha256: sha256(accessToken), account: FIRST, live: true }]);
  expect(state.refreshTokens).toMatchObject([{ sha256: sha256(refreshToken), live: true, death: null }]);
  expect(state.grants).toMatchObject([{ account: FIRST, project: '123456789012' }]);
});

test.for<[claim: string, headers: Record<string, string>, status: number]>([
  ['a plain client', {}, 200],
  ['Node’s fetch', { 'sec-fetch-mode': 'cors' }, 200],
  ['a page', { origin: 'http://127.0.0.1:3000' }, 403],
  ['a page of the same origin', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }, 403],
  ['a navigation', { 'sec-fetch-dest': 'document' }, 403],
  ['a rebound name', { host: 'evil.example' }, 403],
])('answers control requests from %s', async ([, headers, status], { simulator }) => {
  expect((await rawGet(`${simulator.url}/__sim/state`, headers)).resume().statusCode).toBe(status);
});

test.for([
  ['GET', 'nothing', 404],
  ['PUT', 'state', 405],
  ['DELETE', 'faults/none', 400],
] as const)('answers %s /__sim/%s with %i and says what is known', async ([method, path, status], { simulator }) => {
  const response = await fetch(`${simulator.url}/__sim/${path}`, { method });
  expect(response.status).toBe(status);
  expect(await response.json()).toHaveProperty('error');
});

test.for<[path: string, body: unknown, message: string]>([
  ['clients', { ...CLIENT, clientId: 'short' }, 'must look like 123456789012-name'],
  ['clients', { ...CLIENT, redirectUris: ['http://gateway.example/'] }, 'must use https'],
  ['clients', { ...CLIENT, redirectUris: ['https://gateway.example/#x'] }, 'fragment'],
  ['clients', { ...CLIENT, redirectUris: ['https://*.example/'] }, 'wildcard'],
  ['clients', { ...CLIENT, redirectUris: ['/callback'] }, 'absolute'],
  ['clients', { ...CLIENT, clientSecret: '' }, 'needs a secret'],
  ['clock', { offsetSec: 'later' }, 'offsetSec must be a number'],
  ['tokens/expire', { kind: 'refresh' }, 'kind must be one of access'],
  ['grants/kill', { account: 'nobody@example.com', reason: 'user_revoked' }, 'No account'],
  ['grants/kill', { account: FIRST, clientId: 'x', reason: 'user_revoked' }, 'clientId must be one of'],
  ['grants/kill', { account: FIRST, reason: 'boredom' }, 'reason must be one of'],
  ['grants/restore', {}, 'needs account'],
])('refuses a bad body for %s and says why', async ([path, body, message], { simulator }) => {
  const response = await fetch(`${simulator.url}/__sim/${path}`, { method: 'POST', body: JSON.stringify(body) });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(message);
});

test('adds and changes a client, its grants staying', async ({ simulator, owner }) => {
  await control(simulator, 'POST', 'clients', { ...CLIENT, clientSecret: 'rotated' });
  expect((await refresh(simulator, owner.refreshToken)).body.error).toBe('invalid_client');
  expect((await refresh(simulator, owner.refreshToken, { client_secret: 'rotated' })).status).toBe(200);
  expect(await owner.status('/drive/v3/about?fields=kind')).toBe(200);
});

test('moves its clock', async ({ simulator }) => {
  const { now } = await control(simulator, 'POST', 'clock', { offsetSec: 86_400 });
  expect(Date.parse(text(now)) - Date.now()).toBeGreaterThan(86_300_000);
});
