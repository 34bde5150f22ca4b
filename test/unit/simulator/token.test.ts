import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import {
  authorize,
  CALENDAR,
  CLIENT,
  control,
  DRIVE,
  EDITOR,
  exchange,
  obtainTokens,
  postToken,
  readJson,
  refresh,
  startTestSimulator,
  text,
  USERINFO_EMAIL,
} from './harness.ts';

const VERIFIER = 'a-verifier-that-is-long-enough-for-the-rules-of-pkce';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const OTHER = { ...CLIENT, clientId: '123456789012-sibling.apps.googleusercontent.com' };

test('exchanges a code for tokens of Google’s form', async () => {
  const simulator = await startTestSimulator();
  const { body } = await obtainTokens(simulator);
  expect(text(body.access_token)).toMatch(/^ya29\./);
  expect(text(body.refresh_token)).toMatch(/^1\/\/0/);
  expect(body).toMatchObject({ expires_in: 3599, token_type: 'Bearer' });
  expect(body.scope).toBe(`openid ${USERINFO_EMAIL} ${DRIVE} ${CALENDAR}`);
  expect(body).not.toHaveProperty('refresh_token_expires_in');
});

test('never lets a token answer be cached', async () => {
  const simulator = await startTestSimulator();
  const { headers } = await exchange(simulator, 'nonsense');
  expect(headers.get('cache-control')).toContain('no-store');
});

test('signs an ID token with the claims of the flow', async () => {
  const simulator = await startTestSimulator();
  const { body, accessToken } = await obtainTokens(simulator, { nonce: 'a nonce' }, { account: EDITOR });
  const claims = decodeJwt(text(body.id_token));
  expect(claims).toMatchObject({
    iss: simulator.endpoints.issuer,
    aud: CLIENT.clientId,
    sub: '104857600000000000033',
    email: EDITOR,
    email_verified: true,
    hd: 'workspace.example',
    nonce: 'a nonce',
  });
  const hash = createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');
  expect(claims.at_hash).toBe(hash);
});

test('gives no ID token without openid', async () => {
  const simulator = await startTestSimulator();
  const { body } = await obtainTokens(simulator, { scope: DRIVE });
  expect(body).not.toHaveProperty('id_token');
});

test('gives no refresh token for online access', async () => {
  const simulator = await startTestSimulator();
  const { body } = await obtainTokens(simulator, { access_type: undefined });
  expect(body).not.toHaveProperty('refresh_token');
});

test('refuses a reused code and leaves the first tokens alive', async () => {
  const simulator = await startTestSimulator();
  const query = await authorize(simulator);
  const first = await exchange(simulator, query.get('code') ?? '');
  const second = await exchange(simulator, query.get('code') ?? '');
  expect(second).toMatchObject({ status: 400, body: { error: 'invalid_grant', error_description: 'Bad Request' } });
  expect((await refresh(simulator, text(first.body.refresh_token))).status).toBe(200);
});

test('refuses a code after ten minutes', async () => {
  const simulator = await startTestSimulator();
  const query = await authorize(simulator);
  await control(simulator, 'POST', 'clock', { offsetSec: 600 });
  expect((await exchange(simulator, query.get('code') ?? '')).body.error).toBe('invalid_grant');
});

test('calls an unknown code malformed', async () => {
  const simulator = await startTestSimulator();
  const { status, body } = await exchange(simulator, '4/0Anothing');
  expect([status, body.error, body.error_description]).toEqual([400, 'invalid_grant', 'Malformed auth code.']);
});

test('binds a code to its client and does not spend it on another’s try', async () => {
  const simulator = await startTestSimulator({ clients: [CLIENT, OTHER] });
  const query = await authorize(simulator);
  const code = query.get('code') ?? '';
  expect((await exchange(simulator, code, { client_id: OTHER.clientId })).body.error).toBe('invalid_grant');
  expect((await exchange(simulator, code)).status).toBe(200);
});

test('binds a code to its redirect URI', async () => {
  const simulator = await startTestSimulator();
  const query = await authorize(simulator);
  const answer = await exchange(simulator, query.get('code') ?? '', {
    redirect_uri: 'https://gateway.example/other?kept=1',
  });
  expect(answer).toMatchObject({ status: 400, body: { error: 'redirect_uri_mismatch' } });
});

test('accepts the right PKCE verifier', async () => {
  const simulator = await startTestSimulator();
  const query = await authorize(simulator, { code_challenge: CHALLENGE, code_challenge_method: 'S256' });
  expect((await exchange(simulator, query.get('code') ?? '', { code_verifier: VERIFIER })).status).toBe(200);
});

test.each([
  ['a missing verifier', {}, 'Missing code verifier.'],
  ['a wrong verifier', { code_verifier: `${VERIFIER}x` }, 'Invalid code verifier.'],
])('refuses %s and spends the code', async (_claim, form, description) => {
  const simulator = await startTestSimulator();
  const query = await authorize(simulator, { code_challenge: CHALLENGE, code_challenge_method: 'S256' });
  const code = query.get('code') ?? '';
  const answer = await exchange(simulator, code, form);
  expect(answer.body).toEqual({ error: 'invalid_grant', error_description: description });
  expect((await exchange(simulator, code, { code_verifier: VERIFIER })).status).toBe(400);
});

test('refuses a verifier that no challenge asked for', async () => {
  const simulator = await startTestSimulator();
  const query = await authorize(simulator);
  const answer = await exchange(simulator, query.get('code') ?? '', { code_verifier: VERIFIER });
  expect(answer.body.error).toBe('invalid_grant');
});

test('takes the client secret by Basic header', async () => {
  const simulator = await startTestSimulator();
  const { refreshToken } = await obtainTokens(simulator);
  const pair = `${encodeURIComponent(CLIENT.clientId)}:${encodeURIComponent(CLIENT.clientSecret)}`;
  const response = await fetch(simulator.endpoints.token_endpoint, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(pair)}` },
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }),
  });
  expect(response.status).toBe(200);
});

test('refuses two ways of client authentication at once', async () => {
  const simulator = await startTestSimulator();
  const response = await fetch(simulator.endpoints.token_endpoint, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${CLIENT.clientId}:${CLIENT.clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_secret: CLIENT.clientSecret }),
  });
  expect(response.status).toBe(400);
  expect((await readJson(response)).error).toBe('invalid_request');
});

test.each([
  ['an unknown client', { client_id: '1-x.apps.googleusercontent.com' }, 401, 'invalid_client'],
  ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
  ['an unknown grant type', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
])('refuses %s', async (_claim, form, status, error) => {
  const simulator = await startTestSimulator();
  const answer = await postToken(simulator, { grant_type: 'refresh_token', refresh_token: 'x', ...form });
  expect([answer.status, answer.body.error]).toEqual([status, error]);
});

test('refuses a body that is no form', async () => {
  const simulator = await startTestSimulator();
  const response = await fetch(simulator.endpoints.token_endpoint, { method: 'POST', body: '{}' });
  expect([response.status, (await readJson(response)).error]).toEqual([400, 'invalid_request']);
});

test('refuses a repeated form parameter', async () => {
  const simulator = await startTestSimulator();
  const response = await fetch(simulator.endpoints.token_endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=refresh_token&grant_type=refresh_token',
  });
  expect((await readJson(response)).error_description).toContain('single value: grant_type');
});

test('refreshes without rotating: the old token stays, none comes back', async () => {
  const simulator = await startTestSimulator();
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

test('narrows a refresh to the scopes it names, and never widens it', async () => {
  const simulator = await startTestSimulator();
  const { refreshToken } = await obtainTokens(simulator, { scope: `${DRIVE} ${CALENDAR}` });
  expect((await refresh(simulator, refreshToken, { scope: DRIVE })).body.scope).toBe(DRIVE);
  expect((await refresh(simulator, refreshToken, { scope: 'email' })).body.error).toBe('invalid_scope');
});

test('tells an unknown refresh token from one of another client', async () => {
  const simulator = await startTestSimulator({ clients: [CLIENT, OTHER] });
  const { refreshToken } = await obtainTokens(simulator);
  expect(await refresh(simulator, '1//0nothing')).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant', error_description: 'Bad Request' },
  });
  expect(await refresh(simulator, refreshToken, { client_id: OTHER.clientId })).toMatchObject({
    status: 401,
    body: { error: 'unauthorized_client', error_description: 'Unauthorized' },
  });
});

test('answers GET on the token endpoint with 404', async () => {
  const simulator = await startTestSimulator();
  expect((await fetch(simulator.endpoints.token_endpoint)).status).toBe(404);
});
