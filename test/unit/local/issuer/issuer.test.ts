import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { IssuerReply } from '../../../../dev/local/issuer/exchange.ts';
import { LOCAL_CLIENT_ID, localIssuer } from '../../../../dev/local/issuer/issuer.ts';
import { LOCAL_OPERATORS } from '../../../../dev/local/issuer/operators.ts';
import { openSigningKey } from '../../../../dev/local/issuer/signing-key.ts';
import { quickFolder } from '../../../support/quick-folder.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const ORIGIN = 'http://127.0.0.1:3001';
const SIGNED_IN = `${ORIGIN}/signed-in`;
const VERIFIER = 'a-code-verifier-of-at-least-forty-three-characters';

type Fields = Readonly<Record<string, string | undefined>>;
interface Parts {
  query?: URLSearchParams;
  form?: Fields;
  headers?: Fields;
}

/** The file of an issuer's key. */
const KEY = 'issuer-key.json';

/** An issuer in a folder of its own, and a browser and a page that use it. */
function startedIssuer(folder = temporaryFolder()) {
  const clock = { ms: 1_800_000_000_000 };
  const issuer = localIssuer({ origin: ORIGIN, keyPath: join(folder, KEY), nowMs: () => clock.ms });
  const send = (method: string, path: string, { query = new URLSearchParams(), form = {}, headers = {} }: Parts = {}) =>
    issuer.answer({ method, path, query, header: (name) => headers[name], form: params(form) });
  const token = (form: Fields) => send('POST', '/oauth2/token', { form: { client_id: LOCAL_CLIENT_ID, ...form } });
  return {
    folder,
    clock,
    send,
    /** Opens the sign-in page, or what a signed-in browser gets instead. */
    open: (changes: Fields = {}, headers: Fields = {}) =>
      send('GET', '/oauth2/authorize', { query: authorizationQuery(changes), headers }),
    /** Presses the button. */
    press: (
      changes: Fields = {},
      headers: Fields = { 'sec-fetch-site': 'same-origin' },
      operator = LOCAL_OPERATORS[0].subject,
    ) => send('POST', '/oauth2/authorize', { query: authorizationQuery(changes), headers, form: { operator } }),
    token,
    exchange: (code: string, changes: Fields = {}) => {
      const good = { grant_type: 'authorization_code', redirect_uri: SIGNED_IN, code_verifier: VERIFIER };
      return token({ ...good, code, ...changes });
    },
  };
}

/** A good authorization request, with members changed or left out. */
function authorizationQuery(changes: Fields = {}): URLSearchParams {
  return params({
    client_id: LOCAL_CLIENT_ID,
    redirect_uri: SIGNED_IN,
    response_type: 'code',
    scope: 'openid email',
    state: 'a-state',
    nonce: 'a-nonce',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  });
}

/** A member of the address a reply sends the browser to. */
function answered(reply: IssuerReply, name: string): string {
  return new URL(reply.headers.location ?? 'none:').searchParams.get(name) ?? '';
}

/** The cookie of a reply as a browser would send it back. */
function cookieOf(reply: IssuerReply): string {
  return reply.headers['set-cookie']?.split(';')[0] ?? '';
}

/** A text member of a JSON reply. */
function member(reply: IssuerReply, name: string): string {
  const value: unknown = Object.getOwnPropertyDescriptor(JSON.parse(reply.body), name)?.value;
  return typeof value === 'string' ? value : '';
}

function params(fields: Fields): URLSearchParams {
  const given = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(given);
}

const HOUR_MS = 3_600_000;

let keyFolder: string;
beforeAll(async () => {
  keyFolder = mkdtempSync(join(quickFolder(), 'gateway-test-'));
  await openSigningKey(join(keyFolder, KEY));
  return () => rmSync(keyFolder, { recursive: true });
});

let browser: ReturnType<typeof startedIssuer>;
beforeEach(() => {
  const folder = temporaryFolder();
  // To make a key takes longer than what most tests do with it.
  copyFileSync(join(keyFolder, KEY), join(folder, KEY));
  browser = startedIssuer(folder);
});

const newCode = async () => answered(await browser.press(), 'code');
const signedIn = async () => browser.exchange(await newCode());
const refresh = (token: string) => browser.token({ grant_type: 'refresh_token', refresh_token: token });
const refreshTokenOf = async () => member(await signedIn(), 'refresh_token');
const jwks = async () => (await browser.send('GET', '/.well-known/jwks.json')).body;

describe('the issuer', () => {
  it('describes itself below its own address', async () => {
    const reply = await browser.send('GET', '/.well-known/openid-configuration');
    const issuer = `${ORIGIN}/issuer`;
    expect(JSON.parse(reply.body)).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/oauth2/authorize`,
      token_endpoint: `${issuer}/oauth2/token`,
      end_session_endpoint: `${issuer}/logout`,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      code_challenge_methods_supported: ['S256'],
    });
    expect(reply.headers['access-control-allow-origin']).toBe('*');
  });

  it('signs tokens with Cognito’s claims under its published key', async () => {
    const tokens = await signedIn();
    const keys = createLocalJWKSet(JSON.parse(await jwks()));
    const options = { currentDate: new Date(browser.clock.ms), issuer: `${ORIGIN}/issuer`, algorithms: ['RS256'] };
    const now = browser.clock.ms / 1000;
    const access = await jwtVerify(member(tokens, 'access_token'), keys, options);
    const who = { sub: LOCAL_OPERATORS[0].subject, client_id: LOCAL_CLIENT_ID, scope: 'openid email' };
    const times = { auth_time: now, iat: now, exp: now + 900 };
    expect(access.payload).toMatchObject({ ...who, ...times, token_use: 'access' });
    expect(access.payload).not.toHaveProperty('aud');
    expect(access.protectedHeader).toEqual({ alg: 'RS256', kid: expect.any(String) });
    const id = await jwtVerify(member(tokens, 'id_token'), keys, { ...options, audience: LOCAL_CLIENT_ID });
    expect(id.payload).toMatchObject({ token_use: 'id', nonce: 'a-nonce', email: LOCAL_OPERATORS[0].email });
  });

  it('keeps its key across restarts, for its owner alone, and publishes no private part of it', async () => {
    browser = startedIssuer();
    const before = await jwks();
    const again = startedIssuer(browser.folder);
    expect((await again.send('GET', '/.well-known/jwks.json')).body).toBe(before);
    expect(statSync(join(browser.folder, KEY)).mode & 0o777).toBe(0o600);
    const { keys } = JSON.parse(before);
    expect(Object.keys(keys[0]).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });

  it.each(['/oauth2/token', '/'])('the issuer has nothing to get at %s', async (path) => {
    expect((await browser.send('GET', path)).status).toBe(404);
  });
});

describe('signing in', () => {
  it('shows the operators and one button', async () => {
    const { status, body, headers } = await browser.open();
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(body.match(/<button/g)).toHaveLength(1);
    for (const part of ['Sign in as operator', ...LOCAL_OPERATORS.map(({ email }) => email)])
      expect(body).toContain(part);
  });

  it('sends the browser back with a code and its state by 303 (OA-13)', async () => {
    const { status, headers } = await browser.press();
    expect(status).toBe(303);
    expect(headers.location).toMatch(new RegExp(`^${SIGNED_IN}\\?code=[\\w-]{43}&state=a-state$`));
    const cookie = /^issuer_session_3001=[\w-]{43}; Path=\/issuer; HttpOnly; SameSite=Lax$/;
    expect(headers['set-cookie']).toMatch(cookie);
  });

  it('signs in the operator that was chosen', async () => {
    const reply = await browser.press({}, {}, LOCAL_OPERATORS[1]?.subject);
    const tokens = await browser.exchange(answered(reply, 'code'));
    expect(decodeJwt(member(tokens, 'id_token')).email).toBe(LOCAL_OPERATORS[1]?.email);
    expect((await browser.press({}, {}, 'somebody')).status).toBe(400);
  });

  it('asks a signed-in browser nothing, and keeps the time of the first sign-in', async () => {
    const cookie = cookieOf(await browser.press());
    browser.clock.ms += 600_000;
    const silent = await browser.open({ prompt: 'none' }, { cookie });
    const tokens = await browser.exchange(answered(silent, 'code'));
    expect(decodeJwt(member(tokens, 'access_token')).auth_time).toBe(browser.clock.ms / 1000 - 600);
  });

  it.each([
    ['the page wants a new one', { prompt: 'login' }, 600_000],
    ['it is older than the page allows', { max_age: '599' }, 600_000],
    ['it is an hour ago', {}, HOUR_MS],
  ])('asks a signed-in browser again when %s', async (_, changes, laterMs) => {
    const cookie = cookieOf(await browser.press());
    browser.clock.ms += laterMs - 1;
    expect((await browser.open({}, { cookie })).status).toBe(303);
    browser.clock.ms += 1;
    expect((await browser.open(changes, { cookie })).status).toBe(200);
  });

  it('answers a page that asks silently that somebody has to sign in', async () => {
    expect(answered(await browser.open({ prompt: 'none' }), 'error')).toBe('login_required');
  });

  it.each(['cross-site', 'same-site', 'none'])('takes no form from elsewhere (%s)', async (site) => {
    expect((await browser.press({}, { 'sec-fetch-site': site })).status).toBe(403);
  });
});

describe('an authorization request', () => {
  it.each([
    ['another client', { client_id: 'other' }],
    ['no client', { client_id: undefined }],
    ['an address of somebody else', { redirect_uri: 'https://evil.example/signed-in' }],
    ['an address that only begins right', { redirect_uri: `${SIGNED_IN}/../evil` }],
    ['no address', { redirect_uri: undefined }],
  ])('an authorization request with %s is answered to the person, never by a redirect', async (_, changes) => {
    const reply = await browser.open(changes);
    expect(reply.status).toBe(400);
    expect(reply.headers).not.toHaveProperty('location');
  });

  it.each([
    ['no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no method', { code_challenge_method: undefined }, 'invalid_request'],
    ['a token wanted', { response_type: 'token' }, 'unsupported_response_type'],
    ['no openid', { scope: 'email' }, 'invalid_scope'],
    ['a scope nobody knows', { scope: 'openid admin' }, 'invalid_scope'],
    ['another prompt', { prompt: 'consent' }, 'invalid_request'],
    ['an age that is no number', { max_age: '-1' }, 'invalid_request'],
  ])('an authorization request with %s is refused with its state', async (_, changes, error) => {
    const reply = await browser.open(changes);
    expect(['error', 'state', 'code'].map((name) => answered(reply, name))).toEqual([error, 'a-state', '']);
  });

  it('an authorization request with a repeated parameter is refused', async () => {
    const query = authorizationQuery();
    query.append('scope', 'openid');
    expect(answered(await browser.send('GET', '/oauth2/authorize', { query }), 'error')).toBe('invalid_request');
    query.append('redirect_uri', 'https://evil.example/');
    expect((await browser.send('GET', '/oauth2/authorize', { query })).status).toBe(400);
  });
});

describe('a code', () => {
  it.each([
    ['another verifier', { code_verifier: `${VERIFIER}x` }],
    ['no verifier', { code_verifier: undefined }],
    ['another address', { redirect_uri: `${ORIGIN}/signed-out` }],
  ])('a code is used up by an exchange with %s', async (_, changes) => {
    const code = await newCode();
    expect(member(await browser.exchange(code, changes), 'error')).toBe('invalid_grant');
    expect(member(await browser.exchange(code), 'error')).toBe('invalid_grant');
  });

  it('a code is good for a minute', async () => {
    const code = await newCode();
    browser.clock.ms += 60_000;
    expect(member(await browser.exchange(code), 'error')).toBe('invalid_grant');
  });

  it('used twice ends what it gave', async () => {
    const code = await newCode();
    const token = member(await browser.exchange(code), 'refresh_token');
    expect(member(await browser.exchange(code), 'error')).toBe('invalid_grant');
    expect(member(await refresh(token), 'error')).toBe('invalid_grant');
  });

  it('a code is for its client alone', async () => {
    expect(member(await browser.exchange(await newCode(), { client_id: 'other' }), 'error')).toBe('invalid_client');
  });
});

describe('a refresh token', () => {
  it('a refresh token is exchanged for new tokens of the same sign-in, without a nonce', async () => {
    const first = await signedIn();
    browser.clock.ms += 840_000;
    const second = await refresh(member(first, 'refresh_token'));
    const { auth_time, exp = 0 } = decodeJwt(member(first, 'access_token'));
    expect(decodeJwt(member(second, 'access_token'))).toMatchObject({ auth_time, exp: exp + 840 });
    expect(decodeJwt(member(second, 'id_token'))).not.toHaveProperty('nonce');
    expect(member(second, 'refresh_token')).not.toBe(member(first, 'refresh_token'));
  });

  it('a refresh token is taken again for ten seconds after its rotation and no longer', async () => {
    const token = await refreshTokenOf();
    await refresh(token);
    browser.clock.ms += 9000;
    expect((await refresh(token)).status).toBe(200);
    browser.clock.ms += 1000;
    expect(member(await refresh(token), 'error')).toBe('invalid_grant');
  });

  it('ends eight hours after the sign-in, however often it was exchanged', async () => {
    let token = await refreshTokenOf();
    for (let hour = 1; hour < 8; hour++) {
      browser.clock.ms += HOUR_MS;
      token = member(await refresh(token), 'refresh_token');
    }
    browser.clock.ms += HOUR_MS;
    expect(member(await refresh(token), 'error')).toBe('invalid_grant');
  });

  it('stops working once revoked, with all that came from it', async () => {
    const token = await refreshTokenOf();
    const next = member(await refresh(token), 'refresh_token');
    const form = { client_id: LOCAL_CLIENT_ID, token: next };
    expect((await browser.send('POST', '/oauth2/revoke', { form })).status).toBe(200);
    for (const one of [token, next]) expect(member(await refresh(one), 'error')).toBe('invalid_grant');
  });

  it('a refresh token is the only other thing the token endpoint takes', async () => {
    expect(member(await browser.token({ grant_type: 'password' }), 'error')).toBe('unsupported_grant_type');
  });
});

describe('signing out', () => {
  it.each(['logout_uri', 'post_logout_redirect_uri'])(
    'ends the browser’s session and returns it (%s)',
    async (name) => {
      const cookie = cookieOf(await browser.press());
      const query = new URLSearchParams({ client_id: LOCAL_CLIENT_ID, [name]: `${ORIGIN}/signed-out` });
      const { status, headers } = await browser.send('GET', '/logout', { query, headers: { cookie } });
      expect([status, headers.location]).toEqual([303, `${ORIGIN}/signed-out`]);
      expect(headers['set-cookie']).toContain('Max-Age=0');
      expect((await browser.open({}, { cookie })).status).toBe(200);
    },
  );

  it('goes nowhere else', async () => {
    const query = new URLSearchParams({ logout_uri: 'https://evil.example/' });
    expect((await browser.send('GET', '/logout', { query })).status).toBe(400);
  });
});
