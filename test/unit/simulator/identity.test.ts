import { createRemoteJWKSet, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { CLIENT, EDITOR, obtainTokens, readJson, startTestSimulator, text } from './harness.ts';

test('publishes its endpoints as OpenID discovery', async () => {
  const simulator = await startTestSimulator({ separateOrigins: true });
  const document = await readJson(await fetch(`${simulator.endpoints.issuer}/.well-known/openid-configuration`));
  const { api_base_url: _api, ...endpoints } = simulator.endpoints;
  expect(document).toMatchObject(endpoints);
  expect(document.code_challenge_methods_supported).toContain('S256');
});

test('gives accounts, token and API a port each when asked to', async () => {
  const simulator = await startTestSimulator({ separateOrigins: true });
  const { issuer, token_endpoint, api_base_url } = simulator.endpoints;
  const origins = [issuer, token_endpoint, api_base_url].map((url) => new URL(url).origin);
  expect(new Set(origins).size).toBe(3);
  expect((await fetch(`${issuer}/token`, { method: 'POST' })).status).toBe(404);
  expect((await fetch(`${api_base_url}/v1/userinfo`)).status).toBe(404);
});

test('signs ID tokens with a key that /certs shows', async () => {
  const simulator = await startTestSimulator();
  const { body } = await obtainTokens(simulator);
  const keys = createRemoteJWKSet(new URL(simulator.endpoints.jwks_uri));
  const { payload, protectedHeader } = await jwtVerify(text(body.id_token), keys, {
    issuer: simulator.endpoints.issuer,
    audience: CLIENT.clientId,
  });
  expect(protectedHeader.alg).toBe('RS256');
  expect(payload.sub).toHaveLength(21);
});

test('shows no private member of the signing key', async () => {
  const simulator = await startTestSimulator();
  const certs = await (await fetch(simulator.endpoints.jwks_uri)).text();
  expect(certs).not.toMatch(/"(?:d|p|q|dp|dq|qi)"/);
});

test.each([
  ['openid', ['sub', 'hd']],
  ['openid email', ['sub', 'hd', 'email', 'email_verified']],
  ['openid profile', ['sub', 'hd', 'name', 'given_name', 'family_name']],
])('tells userinfo for %s and no more', async (scope, members) => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator, { scope }, { account: EDITOR });
  const headers = { authorization: `Bearer ${accessToken}` };
  const claims = await readJson(await fetch(simulator.endpoints.userinfo_endpoint, { headers }));
  expect(Object.keys(claims).sort()).toEqual([...members].sort());
});

test('refuses userinfo to an unknown token', async () => {
  const simulator = await startTestSimulator();
  const headers = { authorization: 'Bearer ya29.nothing' };
  const response = await fetch(simulator.endpoints.userinfo_endpoint, { headers });
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toContain('invalid_token');
});

test('describes access and ID tokens at /tokeninfo', async () => {
  const simulator = await startTestSimulator();
  const { accessToken, body } = await obtainTokens(simulator);
  const origin = new URL(simulator.endpoints.token_endpoint).origin;
  const ofAccess = await readJson(await fetch(`${origin}/tokeninfo?access_token=${accessToken}`));
  expect(ofAccess).toMatchObject({ aud: CLIENT.clientId, email_verified: 'true', access_type: 'offline' });
  expect(Number(ofAccess.expires_in)).toBeGreaterThan(3500);
  const ofId = await readJson(await fetch(`${origin}/tokeninfo?id_token=${text(body.id_token)}`));
  expect(ofId).toMatchObject({ aud: CLIENT.clientId, alg: 'RS256' });
});

test.each(['access_token=ya29.nothing', 'id_token=a.b.c', ''])('calls %j invalid at /tokeninfo', async (query) => {
  const simulator = await startTestSimulator();
  const origin = new URL(simulator.endpoints.token_endpoint).origin;
  const response = await fetch(`${origin}/tokeninfo?${query}`);
  expect([response.status, (await readJson(response)).error]).toEqual([400, 'invalid_token']);
});

test('signs with the key of the simulators that this process started before, made once', async () => {
  const [first, second] = await Promise.all([startTestSimulator(), startTestSimulator()]);
  const keysOf = async ({ endpoints }: typeof first) => readJson(await fetch(endpoints.jwks_uri));
  expect(await keysOf(second)).toEqual(await keysOf(first));
});
