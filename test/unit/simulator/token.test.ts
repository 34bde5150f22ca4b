import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { expect } from 'vitest';
import type { Simulator } from '../../../packages/simulator/index.ts';
import { codeOf, exchange, obtainTokens, postToken, refresh } from './flow.ts';
import { control, open, startTestSimulator, test } from './harness.ts';
import { CALENDAR, CLIENT, DRIVE, EDITOR, SIBLING, USERINFO_EMAIL } from './names.ts';
import { readJson, text } from './values.ts';

const VERIFIER = 'a-verifier-that-is-long-enough-for-the-rules-of-pkce';
const PKCE = {
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  code_challenge_method: 'S256',
};

/** A token request as it is sent, its status and its answer. */
async function send(simulator: Simulator, body: string | URLSearchParams, headers: Record<string, string> = {}) {
  const response = await fetch(simulator.endpoints.token_endpoint, { method: 'POST', body, headers });
  return { status: response.status, body: await readJson(response) };
}

test('exchanges a code for tokens of Google’s form', async ({ simulator }) => {
  const { body } = await obtainTokens(simulator);
  expect(body).toMatchObject({
    access_token: expect.stringMatching(/^ya29\./),
    refresh_token: expect.stringMatching(/^1\/\/0/),
    expires_in: 3599,
    token_type: 'Bearer',
    scope: `openid ${USERINFO_EMAIL} ${DRIVE} ${CALENDAR}`,
  });
  expect(body).not.toHaveProperty('refresh_token_expires_in');
});

test('never lets a token answer be cached, and calls an unknown code malformed', async ({ simulator }) => {
  const { status, body, headers } = await exchange(simulator, '4/0Anothing');
  expect(headers.get('cache-control')).toContain('no-store');
  expect([status, body.error, body.error_description]).toEqual([400, 'invalid_grant', 'Malformed auth code.']);
});

test('signs an ID token with the claims of the flow', async ({ simulator }) => {
  const { body, accessToken } = await obtainTokens(simulator, { nonce: 'a nonce' }, { account: EDITOR });
  expect(decodeJwt(text(body.id_token))).toMatchObject({
    iss: simulator.endpoints.issuer,
    aud: CLIENT.clientId,
    sub: '104857600000000000033',
    email: EDITOR,
    email_verified: true,
    hd: 'workspace.example',
    nonce: 'a nonce',
    at_hash: createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url'),
  });
});

test.for([
  ['ID token without openid', { scope: DRIVE }, 'id_token'],
  ['refresh token for online access', { access_type: undefined }, 'refresh_token'],
] as const)('gives no %s', async ([, changes, member], { simulator }) => {
  expect((await obtainTokens(simulator, changes)).body).not.toHaveProperty(member);
});

test('refuses a reused code and leaves the first tokens alive', async ({ simulator }) => {
  const code = await codeOf(simulator);
  const first = await exchange(simulator, code);
  const body = { error: 'invalid_grant', error_description: 'Bad Request' };
  expect(await exchange(simulator, code)).toMatchObject({ status: 400, body });
  expect((await refresh(simulator, text(first.body.refresh_token))).status).toBe(200);
});

test('refuses a code after ten minutes', async ({ simulator }) => {
  const code = await codeOf(simulator);
  await control(simulator, 'POST', 'clock', { offsetSec: 600 });
  expect((await exchange(simulator, code)).body.error).toBe('invalid_grant');
});

test('binds a code to its client and does not spend it on another’s try', async () => {
  const simulator = await startTestSimulator({ clients: [CLIENT, SIBLING] });
  const code = await codeOf(simulator);
  expect((await exchange(simulator, code, { client_id: SIBLING.clientId })).body.error).toBe('invalid_grant');
  expect((await exchange(simulator, code)).status).toBe(200);
});

test('binds a code to its redirect URI', async ({ simulator }) => {
  const form = { redirect_uri: 'https://gateway.example/other?kept=1' };
  const answer = await exchange(simulator, await codeOf(simulator), form);
  expect(answer).toMatchObject({ status: 400, body: { error: 'redirect_uri_mismatch' } });
});

test('accepts the right PKCE verifier', async ({ simulator }) => {
  const code = await codeOf(simulator, PKCE);
  expect((await exchange(simulator, code, { code_verifier: VERIFIER })).status).toBe(200);
});

test.for<[claim: string, form: Record<string, string>, description: string]>([
  ['a missing verifier', {}, 'Missing code verifier.'],
  ['a wrong verifier', { code_verifier: `${VERIFIER}x` }, 'Invalid code verifier.'],
])('refuses %s and spends the code', async ([, form, description], { simulator }) => {
  const code = await codeOf(simulator, PKCE);
  const answer = await exchange(simulator, code, form);
  expect(answer.body).toEqual({ error: 'invalid_grant', error_description: description });
  expect((await exchange(simulator, code, { code_verifier: VERIFIER })).status).toBe(400);
});

test('refuses a verifier that no challenge asked for', async ({ simulator }) => {
  const answer = await exchange(simulator, await codeOf(simulator), { code_verifier: VERIFIER });
  expect(answer.body.error).toBe('invalid_grant');
});

test('takes the client secret by Basic header, and refuses two ways at once', async ({ simulator, owner }) => {
  const form = { grant_type: 'refresh_token', refresh_token: owner.refreshToken };
  const basic = {
    authorization: `Basic ${btoa([CLIENT.clientId, CLIENT.clientSecret].map(encodeURIComponent).join(':'))}`,
  };
  expect((await send(simulator, new URLSearchParams(form), basic)).status).toBe(200);
  const both = await send(simulator, new URLSearchParams({ ...form, client_secret: CLIENT.clientSecret }), basic);
  expect(both).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
});

test.for<[claim: string, form: Record<string, string>, status: number, error: string]>([
  ['an unknown client', { client_id: '1-x.apps.googleusercontent.com' }, 401, 'invalid_client'],
  ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
  ['an unknown grant type', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
])('refuses %s', async ([, form, status, error], { simulator }) => {
  const answer = await postToken(simulator, { grant_type: 'refresh_token', refresh_token: 'x', ...form });
  expect(answer).toMatchObject({ status, body: { error } });
});

test('refuses a body that is no form, and a repeated form parameter', async ({ simulator }) => {
  expect(await send(simulator, '{}')).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const repeated = await send(simulator, 'grant_type=refresh_token&grant_type=refresh_token', form);
  expect(repeated.body.error_description).toContain('single value: grant_type');
});

test('refreshes without rotating: the old token stays, none comes back', async ({ simulator }) => {
  const { refreshToken, accessToken } = await obtainTokens(simulator);
  for (let round = 0; round < 2; round += 1) {
    const { status, body } = await refresh(simulator, refreshToken);
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('refresh_token');
    expect(body.access_token).not.toBe(accessToken);
    expect(body.scope).toBe(`openid ${USERINFO_EMAIL} ${DRIVE} ${CALENDAR}`);
    expect(body).toHaveProperty('id_token');
  }
});

test('narrows a refresh to named scopes, and never widens it', async ({ simulator, owner: { refreshToken } }) => {
  expect((await refresh(simulator, refreshToken, { scope: DRIVE })).body.scope).toBe(DRIVE);
  expect((await refresh(simulator, refreshToken, { scope: 'email' })).body.error).toBe('invalid_scope');
});

test('distinguishes an unknown refresh token from one of another client', async () => {
  const { simulator, refreshToken } = await open({ clients: [CLIENT, SIBLING] });
  const unknown = { error: 'invalid_grant', error_description: 'Bad Request' };
  expect(await refresh(simulator, '1//0nothing')).toMatchObject({ status: 400, body: unknown });
  const foreign = { error: 'unauthorized_client', error_description: 'Unauthorized' };
  const answer = await refresh(simulator, refreshToken, { client_id: SIBLING.clientId });
  expect(answer).toMatchObject({ status: 401, body: foreign });
});

test('answers GET on the token endpoint with 404', async ({ simulator }) => {
  expect((await fetch(simulator.endpoints.token_endpoint)).status).toBe(404);
});
