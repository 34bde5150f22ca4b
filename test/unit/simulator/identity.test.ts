import { createRemoteJWKSet, jwtVerify } from 'jose';
import { expect } from 'vitest';
import type { Simulator } from '../../../packages/simulator/index.ts';
import { obtainTokens } from './flow.ts';
import { signIn, startTestSimulator, test } from './harness.ts';
import { CLIENT, EDITOR } from './names.ts';
import { readJson, text } from './values.ts';

const tokenInfo = ({ endpoints }: Simulator, query: string) =>
  fetch(`${new URL(endpoints.token_endpoint).origin}/tokeninfo?${query}`);

test('publishes its endpoints as OpenID discovery, accounts, token and API at a port each when asked to', async () => {
  const { endpoints } = await startTestSimulator({ separateOrigins: true });
  const { api_base_url, token_exchange_endpoint, service_accounts_endpoint, ...others } = endpoints;
  const { drive_mcp_endpoint, calendar_mcp_endpoint, ...published } = others;
  expect(drive_mcp_endpoint).toBe(`${api_base_url}/drivemcp.googleapis.com/mcp/v1`);
  expect(calendar_mcp_endpoint).toBe(`${api_base_url}/calendarmcp.googleapis.com/mcp/v1`);
  expect([token_exchange_endpoint, service_accounts_endpoint].map((url) => new URL(url).origin)).toEqual(
    Array(2).fill(new URL(endpoints.token_endpoint).origin),
  );
  expect(published).not.toHaveProperty('service_accounts_endpoint');
  const document = await readJson(await fetch(`${endpoints.issuer}/.well-known/openid-configuration`));
  expect(document).toMatchObject({ ...published, code_challenge_methods_supported: expect.arrayContaining(['S256']) });
  const { issuer, token_endpoint } = published;
  expect(new Set([issuer, token_endpoint, api_base_url].map((url) => new URL(url).origin)).size).toBe(3);
  expect((await fetch(`${issuer}/token`, { method: 'POST' })).status).toBe(404);
  expect((await fetch(`${api_base_url}/v1/userinfo`)).status).toBe(404);
});

test('signs ID tokens with a key that /certs shows, without its private members', async ({ simulator }) => {
  const { body } = await obtainTokens(simulator);
  const { issuer, jwks_uri } = simulator.endpoints;
  const expected = { issuer, audience: CLIENT.clientId };
  const verified = await jwtVerify(text(body.id_token), createRemoteJWKSet(new URL(jwks_uri)), expected);
  expect(verified.protectedHeader.alg).toBe('RS256');
  expect(verified.payload.sub).toHaveLength(21);
  expect(await (await fetch(jwks_uri)).text()).not.toMatch(/"(?:d|p|q|dp|dq|qi)"/);
});

test.for<[scope: string, members: string[]]>([
  ['openid', ['hd', 'sub']],
  ['openid email', ['email', 'email_verified', 'hd', 'sub']],
  ['openid profile', ['family_name', 'given_name', 'hd', 'name', 'sub']],
])('returns userinfo for %s and no more', async ([scope, members], { simulator }) => {
  const { accessToken } = await signIn(simulator, { scope, account: EDITOR });
  const headers = { authorization: `Bearer ${accessToken}` };
  const claims = await readJson(await fetch(simulator.endpoints.userinfo_endpoint, { headers }));
  expect(Object.keys(claims).sort()).toEqual(members);
});

test('refuses userinfo to an unknown token', async ({ simulator }) => {
  const headers = { authorization: 'Bearer ya29.nothing' };
  const response = await fetch(simulator.endpoints.userinfo_endpoint, { headers });
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toContain('invalid_token');
});

test('describes access and ID tokens at /tokeninfo', async ({ simulator }) => {
  const { accessToken, body } = await obtainTokens(simulator);
  const ofAccess = await readJson(await tokenInfo(simulator, `access_token=${accessToken}`));
  expect(ofAccess).toMatchObject({ aud: CLIENT.clientId, email_verified: 'true', access_type: 'offline' });
  expect(Number(ofAccess.expires_in)).toBeGreaterThan(3500);
  const ofId = await readJson(await tokenInfo(simulator, `id_token=${text(body.id_token)}`));
  expect(ofId).toMatchObject({ aud: CLIENT.clientId, alg: 'RS256' });
});

test.for(['access_token=ya29.nothing', 'id_token=a.b.c', ''])(
  'calls %j invalid at /tokeninfo',
  async (query, { simulator }) => {
    const response = await tokenInfo(simulator, query);
    expect([response.status, (await readJson(response)).error]).toEqual([400, 'invalid_token']);
  },
);

test('signs with the key of the simulators that this process started before, made once', async () => {
  const [first, second] = await Promise.all([startTestSimulator(), startTestSimulator()]);
  const keysOf = async ({ endpoints }: Simulator) => readJson(await fetch(endpoints.jwks_uri));
  expect(await keysOf(second)).toEqual(await keysOf(first));
});
