import { expect, test } from 'vitest';
import { walkConsent } from '../../../simulator/consent.ts';
import {
  authorize,
  authorizeUrl,
  CALENDAR,
  CLIENT,
  control,
  DRIVE,
  EDITOR,
  exchange,
  FIRST,
  obtainTokens,
  REDIRECT_URI,
  SECOND,
  startTestSimulator,
  USERINFO_EMAIL,
} from './harness.ts';

async function open(url: string): Promise<{ status: number; html: string; location: string | null }> {
  const response = await fetch(url, { redirect: 'manual' });
  return { status: response.status, html: await response.text(), location: response.headers.get('location') };
}

test('sends back state, iss, code, scope, authuser and prompt in this order', async () => {
  const simulator = await startTestSimulator();
  const query = await authorize(simulator, { state: 'a&b=c d' });
  expect([...query.keys()]).toEqual(['state', 'iss', 'code', 'scope', 'authuser', 'prompt']);
  expect(query.get('state')).toBe('a&b=c d');
  expect(query.get('iss')).toBe(simulator.endpoints.issuer);
  expect(query.get('code')).toMatch(/^4\/0A/);
  expect(query.get('scope')?.split(' ')).toEqual(['email', 'openid', USERINFO_EMAIL, DRIVE, CALENDAR]);
  expect(query.get('prompt')).toBe('consent');
});

test('adds hd for a Workspace account', async () => {
  const simulator = await startTestSimulator();
  const query = await authorize(simulator, {}, { account: EDITOR });
  expect(query.get('hd')).toBe('workspace.example');
  expect(query.get('authuser')).toBe('2');
});

test('keeps the query of the redirect URI', async () => {
  const simulator = await startTestSimulator();
  const query = await authorize(simulator, { redirect_uri: 'https://gateway.example/other?kept=1' });
  expect(query.get('kept')).toBe('1');
  expect(query.has('code')).toBe(true);
});

const refusals: [claim: string, changes: Record<string, string | undefined>, status: number, error: string][] = [
  ['an unknown client', { client_id: '1-other.apps.googleusercontent.com' }, 401, 'invalid_client'],
  ['a missing client', { client_id: undefined }, 400, 'invalid_request'],
  ['an unregistered redirect URI', { redirect_uri: `${REDIRECT_URI}/` }, 400, 'redirect_uri_mismatch'],
  ['a redirect URI in other case', { redirect_uri: REDIRECT_URI.toUpperCase() }, 400, 'redirect_uri_mismatch'],
  ['a missing redirect URI', { redirect_uri: undefined }, 400, 'invalid_request'],
  ['a missing response type', { response_type: undefined }, 400, 'invalid_request'],
  ['the implicit flow', { response_type: 'token' }, 400, 'unsupported_response_type'],
  ['no scope', { scope: ' ' }, 400, 'invalid_request'],
  ['an unknown scope', { scope: 'openid https://www.googleapis.com/auth/nothing' }, 400, 'invalid_scope'],
  ['an unknown access type', { access_type: 'forever' }, 400, 'invalid_request'],
  ['an unknown prompt', { prompt: 'please' }, 400, 'invalid_request'],
  ['prompt none beside another', { prompt: 'none consent' }, 400, 'invalid_request'],
  [
    'a challenge of the wrong length',
    { code_challenge: 'short', code_challenge_method: 'S256' },
    400,
    'invalid_request',
  ],
  [
    'an unknown challenge method',
    { code_challenge: 'x'.repeat(43), code_challenge_method: 'S512' },
    400,
    'invalid_request',
  ],
  ['a challenge method without challenge', { code_challenge_method: 'S256' }, 400, 'invalid_request'],
];

test.each(refusals)('shows an error page and never redirects for %s', async (_claim, changes, status, error) => {
  const simulator = await startTestSimulator();
  const page = await open(authorizeUrl(simulator, changes));
  expect(page.status).toBe(status);
  expect(page.location).toBeNull();
  expect(page.html).toContain(`Error ${status}: ${error}`);
});

test('refuses a repeated parameter', async () => {
  const simulator = await startTestSimulator();
  const page = await open(`${authorizeUrl(simulator)}&state=again`);
  expect(page.status).toBe(400);
  expect(page.html).toContain('can only have a single value: state');
});

test('accepts a request without PKCE', async () => {
  const simulator = await startTestSimulator();
  const query = await authorize(simulator, { code_challenge: undefined });
  expect(query.has('code')).toBe(true);
});

test('escapes everything a request brings to a page', async () => {
  const simulator = await startTestSimulator();
  const script = '"><script>alert(1)</script>';
  const page = await open(authorizeUrl(simulator, { redirect_uri: script }));
  expect(page.html).not.toContain('<script>');
  expect(page.html).toContain('&lt;script&gt;');
});

test('forbids framing and scripts on its pages', async () => {
  const simulator = await startTestSimulator();
  const response = await fetch(authorizeUrl(simulator));
  expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await response.text()).not.toMatch(/<script|\son[a-z]+=/);
});

test('offers every account without a login hint', async () => {
  const simulator = await startTestSimulator();
  const page = await open(authorizeUrl(simulator));
  expect(page.html.match(/name="account"/g)).toHaveLength(4);
});

test('skips the chooser for a login hint, by e-mail or sub', async () => {
  const simulator = await startTestSimulator();
  for (const hint of [SECOND, '104857600000000000022']) {
    const page = await open(authorizeUrl(simulator, { login_hint: hint }));
    expect(page.html).toContain('wants access to your Google Account');
    expect(page.html).toContain(SECOND);
  }
});

test('shows the chooser despite a login hint with prompt=select_account', async () => {
  const simulator = await startTestSimulator();
  const page = await open(authorizeUrl(simulator, { login_hint: SECOND, prompt: 'select_account consent' }));
  expect(page.html).toContain('Choose an account');
});

test('lets a hinted user switch to another account', async () => {
  const simulator = await startTestSimulator();
  const query = await authorize(simulator, { login_hint: FIRST }, { account: EDITOR });
  expect(query.get('authuser')).toBe('2');
});

test('names the app after the client id', async () => {
  const simulator = await startTestSimulator();
  const page = await open(authorizeUrl(simulator, { login_hint: FIRST }));
  expect(page.html).toContain('<strong>gateway</strong> wants access');
});

test('shows one box per scope beyond signing in', async () => {
  const simulator = await startTestSimulator();
  const page = await open(authorizeUrl(simulator, { login_hint: FIRST }));
  const boxes = [...page.html.matchAll(/type="checkbox"[^>]*value="([^"]+)"/g)].map(([, scope]) => scope);
  expect(boxes).toEqual([DRIVE, CALENDAR]);
});

test('shows no box for a lone scope', async () => {
  const simulator = await startTestSimulator();
  const page = await open(authorizeUrl(simulator, { login_hint: FIRST, scope: DRIVE }));
  expect(page.html).not.toContain('type="checkbox"');
});

test('grants only what was ticked', async () => {
  const simulator = await startTestSimulator();
  const query = await authorize(simulator, {}, { scopes: [CALENDAR] });
  expect(query.get('scope')).not.toContain(DRIVE);
  const { body } = await exchange(simulator, query.get('code') ?? '');
  expect(body.scope).toBe(`openid ${USERINFO_EMAIL} ${CALENDAR}`);
});

test('grants identity alone when nothing is ticked beside sign-in scopes', async () => {
  const simulator = await startTestSimulator();
  const { body } = await obtainTokens(simulator, {}, { scopes: [] });
  expect(body.scope).toBe(`openid ${USERINFO_EMAIL}`);
});

test('counts nothing ticked as access_denied when no sign-in scope was asked', async () => {
  const simulator = await startTestSimulator();
  const query = await authorize(simulator, { scope: `${DRIVE} ${CALENDAR}` }, { scopes: [] });
  expect(query.get('error')).toBe('access_denied');
});

test('sends access_denied and state, and nothing else, on Cancel', async () => {
  const simulator = await startTestSimulator();
  const query = await authorize(simulator, {}, { decision: 'cancel' });
  expect([...query]).toEqual([
    ['error', 'access_denied'],
    ['state', 'a state'],
  ]);
});

test('repeats silently without prompt=consent and gives no refresh token then', async () => {
  const simulator = await startTestSimulator();
  await obtainTokens(simulator);
  const page = await open(authorizeUrl(simulator, { prompt: undefined, login_hint: FIRST }));
  expect(page.status).toBe(302);
  const query = new URL(page.location ?? '').searchParams;
  expect(query.get('prompt')).toBe('none');
  const { body } = await exchange(simulator, query.get('code') ?? '');
  expect(body.access_token).toBeDefined();
  expect(body).not.toHaveProperty('refresh_token');
});

test('asks again when a new scope is wanted', async () => {
  const simulator = await startTestSimulator();
  await obtainTokens(simulator, { scope: DRIVE });
  const page = await open(authorizeUrl(simulator, { prompt: undefined, login_hint: FIRST }));
  expect(page.status).toBe(200);
});

test.each([
  ['account_selection_required without a login hint', {}],
  ['login_required for an account that is not signed in', { login_hint: 'nobody@example.com' }],
  ['consent_required without an earlier grant', { login_hint: FIRST }],
])('answers prompt=none with %s', async (claim, changes) => {
  const simulator = await startTestSimulator();
  const query = await authorize(simulator, { prompt: 'none', ...changes });
  expect(query.get('error')).toBe(claim.split(' ')[0]);
  expect(query.get('state')).toBe('a state');
});

test('answers prompt=none with a code when everything was granted before', async () => {
  const simulator = await startTestSimulator();
  await obtainTokens(simulator);
  const query = await authorize(simulator, { prompt: 'none', login_hint: FIRST });
  expect(query.get('code')).toMatch(/^4\//);
});

test('covers the union of the project with include_granted_scopes', async () => {
  const simulator = await startTestSimulator();
  await obtainTokens(simulator, { scope: `openid ${DRIVE}` });
  const { body } = await obtainTokens(simulator, { scope: CALENDAR, include_granted_scopes: 'true' });
  expect(body.scope).toBe(`openid ${DRIVE} ${CALENDAR}`);
  const narrow = await obtainTokens(simulator, { scope: CALENDAR });
  expect(narrow.body.scope).toBe(CALENDAR);
});

test('keeps consumer accounts out of an internal app', async () => {
  const simulator = await startTestSimulator({ clients: [{ ...CLIENT, audience: 'internal' }] });
  await expect(walkConsent(authorizeUrl(simulator), { account: FIRST })).rejects.toThrow('403');
  expect((await authorize(simulator, {}, { account: EDITOR })).has('code')).toBe(true);
});

test('ends on a page for a deleted client and a disabled account', async () => {
  const simulator = await startTestSimulator();
  await control(simulator, 'POST', 'grants/kill', { account: FIRST, reason: 'account_disabled' });
  await expect(walkConsent(authorizeUrl(simulator))).rejects.toThrow('disabled');
  await control(simulator, 'POST', 'grants/kill', { clientId: CLIENT.clientId, reason: 'client_deleted' });
  const page = await open(authorizeUrl(simulator));
  expect(page.status).toBe(401);
  expect(page.html).toContain('deleted_client');
});

test('refuses a page that was already answered', async () => {
  const simulator = await startTestSimulator();
  const page = await open(authorizeUrl(simulator, { login_hint: FIRST }));
  const session = /name="session" value="([^"]+)"/.exec(page.html.slice(page.html.indexOf('auth/consent')))?.[1] ?? '';
  const body = new URLSearchParams({ session, account: FIRST, decision: 'allow', scope: DRIVE });
  const send = () => fetch(`${simulator.url}/o/oauth2/v2/auth/consent`, { method: 'POST', body, redirect: 'manual' });
  expect((await send()).status).toBe(302);
  expect((await send()).status).toBe(400);
});

test('tells a scripted user what is not on the page', async () => {
  const simulator = await startTestSimulator();
  await expect(walkConsent(authorizeUrl(simulator), { account: 'nobody@example.com' })).rejects.toThrow(FIRST);
  await expect(walkConsent(authorizeUrl(simulator), { scopes: ['other'] })).rejects.toThrow('no check box for "other"');
});
