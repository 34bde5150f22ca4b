import { expect } from 'vitest';
import { walkConsent } from '../../../packages/simulator/consent.ts';
import type { Simulator } from '../../../packages/simulator/index.ts';
import { PAGE_PATHS } from '../../../packages/simulator/oauth/pages.ts';
import { authorize, authorizeUrl, codeOf, exchange, obtainTokens } from './flow.ts';
import { control, startTestSimulator, test } from './harness.ts';
import { CALENDAR, CLIENT, DRIVE, EDITOR, FIRST, REDIRECT_URI, SECOND, USERINFO_EMAIL } from './names.ts';

type Changes = Record<string, string | undefined>;

/** The answer to an authorization request: a page or a redirect. */
async function pageOf(simulator: Simulator, changes: Changes = {}, more = '') {
  const response = await fetch(authorizeUrl(simulator, changes) + more, { redirect: 'manual' });
  return { status: response.status, html: await response.text(), location: response.headers.get('location') };
}

test('sends back state, iss, code, scope, authuser and prompt in this order', async ({ simulator }) => {
  const query = await authorize(simulator, { state: 'a&b=c d' });
  expect([...query]).toEqual([
    ['state', 'a&b=c d'],
    ['iss', simulator.endpoints.issuer],
    ['code', expect.stringMatching(/^4\/0A/)],
    ['scope', ['email', 'openid', USERINFO_EMAIL, DRIVE, CALENDAR].join(' ')],
    ['authuser', '0'],
    ['prompt', 'consent'],
  ]);
});

test('adds hd for a Workspace account, to which a hinted user can switch', async ({ simulator }) => {
  const query = await authorize(simulator, { login_hint: FIRST }, { account: EDITOR });
  expect([query.get('hd'), query.get('authuser')]).toEqual(['workspace.example', '2']);
});

test('keeps the query of the redirect URI', async ({ simulator }) => {
  const query = await authorize(simulator, { redirect_uri: 'https://gateway.example/other?kept=1' });
  expect([query.get('kept'), query.has('code')]).toEqual(['1', true]);
});

test.for<[claim: string, changes: Changes, error: string]>([
  ['an unknown client', { client_id: '1-other.apps.googleusercontent.com' }, '401: invalid_client'],
  ['a missing client', { client_id: undefined }, '400: invalid_request'],
  ['an unregistered redirect URI', { redirect_uri: `${REDIRECT_URI}/` }, '400: redirect_uri_mismatch'],
  ['a redirect URI in other case', { redirect_uri: REDIRECT_URI.toUpperCase() }, '400: redirect_uri_mismatch'],
  ['a missing redirect URI', { redirect_uri: undefined }, '400: invalid_request'],
  ['a missing response type', { response_type: undefined }, '400: invalid_request'],
  ['the implicit flow', { response_type: 'token' }, '400: unsupported_response_type'],
  ['no scope', { scope: ' ' }, '400: invalid_request'],
  ['an unknown scope', { scope: 'openid https://www.googleapis.com/auth/nothing' }, '400: invalid_scope'],
  ['an unknown access type', { access_type: 'forever' }, '400: invalid_request'],
  ['an unknown prompt', { prompt: 'please' }, '400: invalid_request'],
  ['prompt none with another', { prompt: 'none consent' }, '400: invalid_request'],
  ['a short challenge', { code_challenge: 'short', code_challenge_method: 'S256' }, '400: invalid_request'],
  ['an unknown method', { code_challenge: 'x'.repeat(43), code_challenge_method: 'S512' }, '400: invalid_request'],
  ['a challenge method without challenge', { code_challenge_method: 'S256' }, '400: invalid_request'],
])('shows an error page and never redirects for %s', async ([, changes, error], { simulator }) => {
  const page = await pageOf(simulator, changes);
  expect([page.status, page.location]).toEqual([Number(error.slice(0, 3)), null]);
  expect(page.html).toContain(`Error ${error}`);
});

test('refuses a repeated parameter', async ({ simulator }) => {
  const page = await pageOf(simulator, {}, '&state=again');
  expect(page.status).toBe(400);
  expect(page.html).toContain('can only have a single value: state');
});

test('escapes everything a request brings to a page', async ({ simulator }) => {
  const page = await pageOf(simulator, { redirect_uri: '"><script>alert(1)</script>' });
  expect(page.html).not.toContain('<script>');
  expect(page.html).toContain('&lt;script&gt;');
});

test('forbids framing and scripts on its pages', async ({ simulator }) => {
  const response = await fetch(authorizeUrl(simulator));
  expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await response.text()).not.toMatch(/<script|\son[a-z]+=/);
});

test('offers every account without a login hint, and despite one with prompt=select_account', async ({ simulator }) => {
  expect((await pageOf(simulator)).html.match(/name="account"/g)).toHaveLength(4);
  const page = await pageOf(simulator, { login_hint: SECOND, prompt: 'select_account consent' });
  expect(page.html).toContain('Choose an account');
});

test.for([SECOND, '104857600000000000022'])('skips the chooser for the login hint %s', async (hint, { simulator }) => {
  const page = await pageOf(simulator, { login_hint: hint });
  expect(page.html).toContain('<strong>gateway</strong> wants access to your Google Account');
  expect(page.html).toContain(SECOND);
});

test('shows one box per scope beyond signing in, none for a lone scope', async ({ simulator }) => {
  const boxes = async (changes: Changes) => {
    const { html } = await pageOf(simulator, { login_hint: FIRST, ...changes });
    return [...html.matchAll(/type="checkbox"[^>]*value="([^"]+)"/g)].map(([, scope]) => scope);
  };
  expect(await boxes({})).toEqual([DRIVE, CALENDAR]);
  expect(await boxes({ scope: DRIVE })).toEqual([]);
});

test('grants only what was ticked', async ({ simulator }) => {
  const query = await authorize(simulator, {}, { scopes: [CALENDAR] });
  expect(query.get('scope')).not.toContain(DRIVE);
  const { body } = await exchange(simulator, query.get('code') ?? '');
  expect(body.scope).toBe(`openid ${USERINFO_EMAIL} ${CALENDAR}`);
});

test('grants identity alone when nothing is ticked, or counts that as access_denied', async ({ simulator }) => {
  const { body } = await obtainTokens(simulator, {}, { scopes: [] });
  expect(body.scope).toBe(`openid ${USERINFO_EMAIL}`);
  const query = await authorize(simulator, { scope: `${DRIVE} ${CALENDAR}` }, { scopes: [] });
  expect(query.get('error')).toBe('access_denied');
});

test('sends access_denied and state, and nothing else, on Cancel', async ({ simulator }) => {
  const query = await authorize(simulator, {}, { decision: 'cancel' });
  expect(Object.fromEntries(query)).toEqual({ error: 'access_denied', state: 'a state' });
});

test.for([
  ['admin_policy', 'admin_policy_enforced'],
  ['advanced_protection', 'policy_enforced'],
] as const)('ends the flow of an account under %s with %s', async ([reason, error], { simulator }) => {
  await control(simulator, 'POST', 'grants/kill', { account: FIRST, reason });
  expect((await authorize(simulator)).get('error')).toBe(error);
});

test.for([{ error: 'org_internal' }, { error: 'access_denied', error_description: 'Account restricted' }] as const)(
  'ends the flow with $error where a fault says so',
  async (callbackError, { simulator }) => {
    await control(simulator, 'POST', 'faults', {
      action: { callbackError },
      times: 1,
      match: { pathPrefix: PAGE_PATHS.consent },
    });
    const query = await authorize(simulator);
    expect(Object.fromEntries(query)).toEqual({ ...callbackError, state: 'a state' });
    expect((await authorize(simulator)).has('code')).toBe(true);
  },
);

test('repeats silently without prompt=consent and gives no refresh token then', async ({ simulator }) => {
  await obtainTokens(simulator);
  const page = await pageOf(simulator, { prompt: undefined, login_hint: FIRST });
  expect(page.status).toBe(302);
  const query = new URL(page.location ?? '').searchParams;
  expect(query.get('prompt')).toBe('none');
  const { body } = await exchange(simulator, query.get('code') ?? '');
  expect(body.access_token).toBeDefined();
  expect(body).not.toHaveProperty('refresh_token');
});

test('asks again when a new scope is wanted', async ({ simulator }) => {
  await obtainTokens(simulator, { scope: DRIVE });
  expect((await pageOf(simulator, { prompt: undefined, login_hint: FIRST })).status).toBe(200);
});

test.for<[error: string, when: string, changes: Changes]>([
  ['account_selection_required', 'without a login hint', {}],
  ['login_required', 'for an account that is not signed in', { login_hint: 'nobody@example.com' }],
  ['consent_required', 'without an earlier grant', { login_hint: FIRST }],
])('answers prompt=none with %s %s', async ([error, , changes], { simulator }) => {
  const query = await authorize(simulator, { prompt: 'none', ...changes });
  expect([query.get('error'), query.get('state')]).toEqual([error, 'a state']);
});

test('answers prompt=none with a code when everything was granted before', async ({ simulator }) => {
  await obtainTokens(simulator);
  expect(await codeOf(simulator, { prompt: 'none', login_hint: FIRST })).toMatch(/^4\//);
});

test('covers the union of the project with include_granted_scopes', async ({ simulator }) => {
  await obtainTokens(simulator, { scope: `openid ${DRIVE}` });
  const { body } = await obtainTokens(simulator, { scope: CALENDAR, include_granted_scopes: 'true' });
  expect(body.scope).toBe(`openid ${DRIVE} ${CALENDAR}`);
  expect((await obtainTokens(simulator, { scope: CALENDAR })).body.scope).toBe(CALENDAR);
});

test('keeps consumer accounts out of an internal app', async () => {
  const simulator = await startTestSimulator({ clients: [{ ...CLIENT, audience: 'internal' }] });
  await expect(walkConsent(authorizeUrl(simulator), { account: FIRST })).rejects.toThrow('403');
  expect((await authorize(simulator, {}, { account: EDITOR })).has('code')).toBe(true);
});

test('ends on a page for a deleted client and a disabled account', async ({ simulator }) => {
  await control(simulator, 'POST', 'grants/kill', { account: FIRST, reason: 'account_disabled' });
  await expect(walkConsent(authorizeUrl(simulator))).rejects.toThrow('disabled');
  await control(simulator, 'POST', 'grants/kill', { clientId: CLIENT.clientId, reason: 'client_deleted' });
  const page = await pageOf(simulator);
  expect(page.status).toBe(401);
  expect(page.html).toContain('deleted_client');
});

test('refuses a page that was already answered', async ({ simulator }) => {
  const { html } = await pageOf(simulator, { login_hint: FIRST });
  const session = /name="session" value="([^"]+)"/.exec(html.slice(html.indexOf('auth/consent')))?.[1] ?? '';
  const body = new URLSearchParams({ session, account: FIRST, decision: 'allow', scope: DRIVE });
  const send = () => fetch(`${simulator.url}/o/oauth2/v2/auth/consent`, { method: 'POST', body, redirect: 'manual' });
  expect((await send()).status).toBe(302);
  expect((await send()).status).toBe(400);
});

test('answers a scripted user what is not on the page', async ({ simulator }) => {
  const url = authorizeUrl(simulator);
  await expect(walkConsent(url, { account: 'nobody@example.com' })).rejects.toThrow(FIRST);
  await expect(walkConsent(url, { scopes: ['other'] })).rejects.toThrow('no check box for "other"');
});
