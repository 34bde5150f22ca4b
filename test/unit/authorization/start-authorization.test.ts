import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startAuthorization } from '../../../lambdas/connect/start-authorization.ts';
import { sha256Base64url, sha256Hex } from '../../../lambdas/gateway/core/identifiers.ts';
import { codeVerifierContext } from '../../../lambdas/gateway/tokens/ciphertexts.rules.ts';
import { CLIENT_ID, DRIVE_FILE, DRIVE_READ, INTEGRATION, makeWorld, NOW_SEC, session, type World } from './support.ts';

const REQUEST = {
  integrationId: 'drive',
  bindingCookie: undefined,
  openerOrigin: undefined,
  language: 'en' as const,
  requestId: 'r1',
};

async function started(world: World, changes: object = {}) {
  const result = await startAuthorization(world.start, world.session, { ...REQUEST, ...changes });
  const query = new URL(result.authorizationUrl).searchParams;
  const pending = world.pendingOf(sha256Hex(query.get('state') ?? ''));
  if (pending === undefined) throw new Error('Nothing is pending under the hash of the state');
  return { ...result, query, pending };
}

describe('the authorization request', () => {
  async function startsRepeatNothing(starts: number): Promise<void> {
    const seen = new Set<string>();
    const world = makeWorld();
    // More than an account may start in a minute.
    Object.assign(world.start, { rates: { count: async () => true } });
    for (let i = 0; i < starts; i++) {
      world.session = session();
      const { query, pending } = await started(world);
      const verifier = await world.start.cipher.decrypt(
        codeVerifierContext('default', 'drive', pending.stateHash),
        pending.encryptedCodeVerifier,
      );
      expect(verifier).toMatch(/^[A-Za-z0-9\-._~]{43,128}$/);
      expect(query.get('code_challenge')).toBe(sha256Base64url(verifier));
      for (const secret of [verifier, query.get('state') ?? '', query.get('nonce') ?? '']) seen.add(secret);
    }
    expect(seen.size).toBe(3 * starts);
  }

  test('OA-1: starts repeat no verifier, state or nonce, and each challenge is the verifier’s S256', () =>
    startsRepeatNothing(500));

  test('OA-1: 10,000 starts repeat nothing, either', { tags: ['long'] }, () => startsRepeatNothing(10_000));

  test('DS-3: an account that has had its starts of the minute is asked to wait, and nothing is stored', async () => {
    const world = makeWorld();
    Object.assign(world.start, { rates: { count: async () => false } });
    await expect(started(world)).rejects.toMatchObject({ code: 'rate_limited', retryAfterSec: expect.any(Number) });
    expect([world.pending, world.events]).toEqual([[], []]);
  });

  test('OA-2, OA-19, OA-21: it asks for a code with S256 and offline access, and nothing else can be configured', async () => {
    const world = makeWorld();
    const fixed = { response_type: 'token', code_challenge_method: 'plain', grant_type: 'password' };
    world.session = session({ defaults: { drive: { scopes: undefined, authorizationParams: fixed } } });
    const { query } = await started(world);
    expect(query.getAll('response_type')).toEqual(['code']);
    expect(query.getAll('code_challenge_method')).toEqual(['S256']);
    expect([...query.keys()]).not.toContain('grant_type');
    expect([query.get('access_type'), query.get('prompt')]).toEqual(['offline', 'consent']);
  });

  test('OA-3: state has 256 bits, is kept as its hash only and ends after ten minutes', async () => {
    const world = makeWorld();
    const { query, pending } = await started(world);
    const state = query.get('state') ?? '';
    expect(Buffer.from(state, 'base64url')).toHaveLength(32);
    expect(JSON.stringify([pending, world.events])).not.toContain(state);
    expect(pending.expiresAtEpochSec).toBe(NOW_SEC + 600);
  });

  test('OA-6: issuer, client and redirect URI are pinned in the pending authorization', async () => {
    const { pending } = await started(makeWorld());
    expect(pending).toMatchObject({
      issuer: 'https://accounts.example',
      clientId: CLIENT_ID,
      redirectUri: 'https://gateway.example/prod/oauth/callback',
    });
  });

  test('CS-7: the connection id holds more than 128 random bits and is not the browser’s', async () => {
    const { pending } = await started(makeWorld(), { connectionId: 'chosen' });
    expect(Buffer.from(pending.connectionId, 'base64url')).toHaveLength(18);
  });
});

describe('who may start', () => {
  test('CS-4: a second browser cannot start a session that another has started', async () => {
    const world = makeWorld();
    const { bindingCookie } = await started(world);
    await expect(started(world)).rejects.toMatchObject({
      code: 'conflict',
      forEndUser: 'link_started_elsewhere',
      message: expect.stringMatching(/opened in another browser first.* Continue there, or ask the app for a new link/),
    });
    await expect(started(world, { bindingCookie })).resolves.toMatchObject({ bindingCookie });
  });

  test('an integration that the session does not allow is refused', async () => {
    await expect(started(makeWorld(), { integrationId: 'calendar' })).rejects.toMatchObject({ code: 'invalid_body' });
  });

  test('AK-12: test credentials serve no integration that went live', async () => {
    const world = makeWorld();
    world.integration = { ...INTEGRATION, credentialsSource: 'test', mode: 'live' };
    await expect(started(world)).rejects.toMatchObject({
      code: 'integration_credentials_rejected',
      message: expect.stringContaining('live'),
    });
    expect(world.pending).toEqual([]);
  });
});

describe('starts that are refused', () => {
  test('CS-16: 300 of one link leave the account its starts: another user’s link starts', async () => {
    const world = makeWorld();
    await started(world);
    for (let i = 0; i < 300; i++) await expect(started(world)).rejects.toMatchObject({ code: 'conflict' });
    world.session = session();
    await expect(started(world)).resolves.toBeDefined();
  });

  test('CS-16: what another browser was quick enough to forestall is given back to the account', async () => {
    const world = makeWorld();
    Object.assign(world.start.sessions, { start: async () => false });
    for (let i = 0; i < 310; i++) await expect(started(world)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('CS-16: a link that was started as often as it may be takes nothing more from the account', async () => {
    const world = makeWorld();
    world.session = session({ startCount: 20 });
    Object.assign(world.start, { rates: { count: () => expect.unreachable() } });
    await expect(started(world)).rejects.toMatchObject({ code: 'conflict', forEndUser: 'link_started_too_often' });
  });
});

describe('what a browser may choose', () => {
  const wishes = { scopes: [DRIVE_FILE], authorizationParams: { login_hint: 'browser@example.com', hd: 'a.example' } };
  const both = { ...INTEGRATION, scopes: [DRIVE_READ, DRIVE_FILE] };

  test('CS-17: scopes are the integration’s, whatever browser and session name', async () => {
    const any = fc.uniqueArray(fc.constantFrom(DRIVE_READ, DRIVE_FILE, `${DRIVE_FILE}x`, 'profile'), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(any, fc.option(any), fc.option(any), async (own, fixed, wished) => {
        const world = makeWorld();
        world.integration = { ...INTEGRATION, scopes: own };
        if (fixed !== null)
          world.session = session({ defaults: { drive: { scopes: fixed, authorizationParams: {} } } });
        const chosen = fixed ?? wished ?? own;
        const expected = chosen.filter((scope) => own.includes(scope));
        const attempt = started(world, { wishes: { scopes: wished ?? undefined, authorizationParams: {} } });
        if (expected.length === 0) await expect(attempt).rejects.toThrow(/scopes|no longer asks/);
        else expect((await attempt).query.get('scope')).toBe(['openid', 'email', ...expected].join(' '));
      }),
      { numRuns: 200 },
    );
  });

  test('its wishes count where the session fixed nothing, and what the session fixed wins', async () => {
    const world = makeWorld();
    world.integration = both;
    const wished = (await started(world, { wishes })).query;
    const hints = { login_hint: 'browser@example.com', hd: 'a.example' };
    expect(Object.fromEntries(wished)).toMatchObject({ scope: `openid email ${DRIVE_FILE}`, ...hints });
    const fixed = { scopes: [DRIVE_READ], authorizationParams: { login_hint: 'fixed@example.com' } };
    world.session = session({ defaults: { drive: fixed } });
    const { query } = await started(world, { wishes });
    expect(query.get('scope')).toBe(`openid email ${DRIVE_READ}`);
    expect(query.get('login_hint')).toBe('fixed@example.com');
  });
});
