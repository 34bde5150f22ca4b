import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { startAuthorization } from '../../../lambdas/connect/start-authorization.ts';
import { authorizedConnection } from '../../../lambdas/gateway/authorization/store-connection.ts';
import { sha256Hex } from '../../../lambdas/gateway/core/identifiers.ts';
import { DEFAULT_REFRESH_POLICY } from '../../../lambdas/gateway/tokens/freshness.rules.ts';
import { completeAuthorization } from '../../../lambdas/oauth-callback/complete-authorization.ts';
import { anyText } from '../../support/any-text.ts';
import { gatewayRequest } from '../support/gateway-request.ts';
import {
  DRIVE_FILE,
  DRIVE_READ,
  ENDPOINTS,
  GRANT,
  INTEGRATION,
  makeWorld,
  session,
  tokenAnswer,
  type World,
} from './support.ts';

async function start(world: World, cookie?: string) {
  const choice = { integrationId: 'drive', openerOrigin: undefined, language: 'en', requestId: 'r1' } as const;
  const started = await startAuthorization(world.start, world.session, { ...choice, bindingCookie: cookie });
  const asked = new URL(started.authorizationUrl).searchParams;
  return { asked, state: asked.get('state') ?? '', bindingCookie: started.bindingCookie };
}

/** A state may be used up again by the request that used it first: its reply may have been lost. */
let requests = 0;

function finish(world: World, parameters: Readonly<Record<string, string>>, cookie: string, issuers: string[] = []) {
  const query = [...Object.entries(parameters), ...issuers.map((issuer) => ['iss', issuer] as const)];
  const requestId = `request-${requests++}`;
  const request = gatewayRequest({ rawPath: '/oauth/callback', query, requestId });
  return completeAuthorization(world.complete, request, [cookie]);
}

async function run(world: World, issuers: string[] = []) {
  const { state, bindingCookie } = await start(world);
  return finish(world, { state, code: 'code-1' }, bindingCookie, issuers);
}

function kindOf(result: Awaited<ReturnType<typeof run>>): string {
  return result.kind === 'failed' ? result.failure.kind : result.kind;
}

describe('the issuer', () => {
  const google = 'https://accounts.google.com';
  const { issuer: other } = ENDPOINTS;
  test.each<[string, string, string[], string]>([
    ['Google’s, absent', google, [], 'connected'],
    ['Google’s, equal', google, [google], 'connected'],
    ['Google’s, without its scheme', google, ['accounts.google.com'], 'connected'],
    ['Google’s, with a trailing slash', google, [`${google}/`], 'other_issuer'],
    ['Google’s, without its scheme and with a trailing slash', google, ['accounts.google.com/'], 'other_issuer'],
    ['Google’s, under http', google, ['http://accounts.google.com'], 'other_issuer'],
    ['Google’s, in other case', google, ['https://Accounts.Google.com'], 'other_issuer'],
    ['Google’s, with a space', google, [`${google} `], 'other_issuer'],
    ['Google’s, with a longer name', google, [`${google}.evil.example`], 'other_issuer'],
    ['Google’s, twice', google, [google, google], 'malformed_answer'],
    ['Google’s, twice, once in each spelling', google, [google, 'accounts.google.com'], 'malformed_answer'],
    ['another provider’s, absent', other, [], 'connected'],
    ['another provider’s, equal', other, [other], 'connected'],
    ['another provider’s, without its scheme', other, ['accounts.example'], 'other_issuer'],
    ['another provider’s, with a trailing slash', other, [`${other}/`], 'other_issuer'],
    ['another provider’s, in other case', other, [other.toUpperCase()], 'other_issuer'],
    ['not the one that was asked', other, ['https://accounts.other.example'], 'other_issuer'],
  ])('OA-7: %s', async (_, issuer, values, expected) => {
    const world = makeWorld();
    Object.assign(world.start, { endpointsOf: () => ({ ...ENDPOINTS, issuer }) });
    const verify = vi.spyOn(world.complete.idTokens, 'verify');
    expect(kindOf(await run(world, values))).toBe(expected);
    expect(world.exchanges).toHaveLength(expected === 'connected' ? 1 : 0);
    // The same spellings count in the ID token.
    const spellings = issuer === google ? [google, 'accounts.google.com'] : [issuer];
    expect(verify.mock.calls.map((given) => given[3])).toEqual(expected === 'connected' ? [spellings] : []);
  });
});

describe('a Workspace domain that is asked for', () => {
  const fixed = (hd: string) => ({ defaults: { drive: { scopes: undefined, authorizationParams: { hd } } } });
  const world = (hostedDomain: string | undefined, session_: object, integration: object = {}) => {
    const made = makeWorld({ subject: '1', email: 'first.user@example.com', ...(hostedDomain && { hostedDomain }) });
    made.session = session(session_);
    made.integration = { ...INTEGRATION, ...integration };
    return made;
  };

  test.each([
    ['by the session', fixed('workspace.example'), {}],
    ['by the integration', {}, { hostedDomain: 'workspace.example' }],
    ['by the session, of any that the integration takes', fixed('workspace.example'), { hostedDomain: '*' }],
    ['by the integration, whatever the session says', fixed('other.example'), { hostedDomain: 'workspace.example' }],
  ])('%s: an account of it connects, and no other', async (_, session_, integration) => {
    expect(kindOf(await run(world('workspace.example', session_, integration)))).toBe('connected');
    for (const claimed of ['other.example', undefined]) {
      const refused = world(claimed, session_, integration);
      const result = await run(refused);
      expect(kindOf(result)).toBe('wrong_domain');
      const happened = expect.stringMatching(/only Google accounts of workspace\.example, but you chose first\.user@/);
      expect(result).toMatchObject({ failure: { text: { happened } } });
      expect(refused.connections).toEqual([]);
    }
  });

  test('any of them: a consumer account does not connect', async () => {
    const any = { hostedDomain: '*' };
    expect(kindOf(await run(world('workspace.example', {}, any)))).toBe('connected');
    expect(kindOf(await run(world(undefined, {}, any)))).toBe('wrong_domain');
  });

  test('an answer that names no account proves no domain', async () => {
    const unnamed = world('workspace.example', fixed('workspace.example'));
    unnamed.tokenAnswer = tokenAnswer({ ...GRANT, id_token: undefined });
    expect(kindOf(await run(unnamed))).toBe('account_unproven');
    expect(unnamed.connections).toEqual([]);
  });
});

describe('the callback', () => {
  test('a connection remembers the language in which its end user read the pages, the latest that is known', async () => {
    const world = makeWorld();
    await run(world);
    const [connection] = world.connections;
    if (connection === undefined) throw new Error('There is none');
    expect(connection.language).toBe('en');
    const { encryptedAccessToken = '', encryptedRefreshToken = '', testingAtConsent = false } = connection;
    const again = (language: string | undefined) =>
      authorizedConnection({
        ref: connection,
        grant: { ...connection, encryptedAccessToken, encryptedRefreshToken, testingAtConsent, language },
        integration: INTEGRATION,
        endUser: undefined,
        tags: {},
        previous: connection,
        numericId: 1,
        nowMs: world.nowMs,
        refreshPolicy: DEFAULT_REFRESH_POLICY,
      });
    expect(again('fr').language).toBe('fr');
    // A flow that began under a version whose flows had none.
    expect(again(undefined).language).toBe('en');
  });

  test('CR-11: an authorization keeps what operators and callers have set of a connection, and nothing of its old grant', async () => {
    const world = makeWorld();
    await run(world);
    const [connection] = world.connections;
    if (connection === undefined) throw new Error('There is none');
    const set = { metadata: { plan: 'pro' }, budget: { day: { calls: 1 } }, callsRecordedUntilEpochSec: 2_000_000_000 };
    const ofOldGrant = { expiryWarnings: 2, limitWarned: true, grantEndedAtEpochSec: 1 };
    const { encryptedAccessToken = '', encryptedRefreshToken = '', testingAtConsent = false } = connection;
    const { provider, accessTokenExpiresAtEpochSec, requestedScopes, grantedScopes, clientId } = connection;
    const { providerAccount, consentedAtEpochSec, refreshTokenExpiresAtEpochSec } = connection;
    const again = authorizedConnection({
      ref: connection,
      grant: {
        ...{ provider, encryptedAccessToken, encryptedRefreshToken, accessTokenExpiresAtEpochSec, requestedScopes },
        ...{ grantedScopes, clientId, providerAccount, consentedAtEpochSec, refreshTokenExpiresAtEpochSec },
        testingAtConsent,
      },
      integration: INTEGRATION,
      endUser: undefined,
      tags: {},
      previous: { ...connection, ...set, ...ofOldGrant },
      numericId: 1,
      nowMs: world.nowMs,
      refreshPolicy: DEFAULT_REFRESH_POLICY,
    });
    const gone = { expiryWarnings: undefined, limitWarned: undefined, grantEndedAtEpochSec: undefined };
    expect(again).toMatchObject({ ...set, ...gone });
  });

  test('OA-20: a replayed callback makes no token call and changes nothing', async () => {
    const world = makeWorld();
    const { state, bindingCookie } = await start(world);
    const query = { state, code: 'code-1' };
    expect(kindOf(await finish(world, query, bindingCookie))).toBe('connected');
    const before = JSON.stringify(world.connections);
    expect(kindOf(await finish(world, query, bindingCookie))).toBe('unknown_state');
    expect(world.exchanges).toHaveLength(1);
    expect(JSON.stringify(world.connections)).toBe(before);
  });

  test('CS-3: without the cookie of the browser that started, the state is used up and no code is used', async () => {
    const world = makeWorld();
    const { state, bindingCookie } = await start(world);
    const query = { state, code: 'code-1' };
    const stranger = await finish(world, query, 'A'.repeat(43));
    expect(kindOf(stranger)).toBe('other_browser');
    expect(stranger).toMatchObject({ returnUrl: undefined, integrationId: undefined });
    expect(kindOf(await finish(world, query, bindingCookie))).toBe('unknown_state');
    expect(world.exchanges).toHaveLength(0);
  });

  test('a flow that comes back after ten minutes has timed out', async () => {
    const world = makeWorld();
    const { state, bindingCookie } = await start(world);
    world.nowMs += 600_000;
    expect(kindOf(await finish(world, { state, code: 'c' }, bindingCookie))).toBe('timed_out');
    expect(world.exchanges).toHaveLength(0);
  });

  test('CS-13: another client or other scopes meanwhile end the flow', async () => {
    for (const change of [{ clientId: '999-other.apps.googleusercontent.com' }, { scopes: [DRIVE_READ, DRIVE_FILE] }]) {
      const world = makeWorld();
      const { state, bindingCookie } = await start(world);
      world.integration = { ...INTEGRATION, ...change };
      expect(kindOf(await finish(world, { state, code: 'c' }, bindingCookie))).toBe('integration_changed');
      expect(world.exchanges).toHaveLength(0);
      expect(world.connections).toEqual([]);
    }
  });

  test.each([
    ['an ID token with another flow’s nonce', { nonce: 'of another flow' }, {}, 'account_unproven'],
    ['an exchange without a refresh token', {}, { refresh_token: undefined }, 'no_refresh_token'],
    [
      'a grant of sign-in scopes',
      {},
      { scope: 'openid https://www.googleapis.com/auth/userinfo.email' },
      'only_sign_in',
    ],
  ])('OA-18, OA-19: %s makes no connection', async (_, claims, granted, expected) => {
    const world = makeWorld({ subject: '1', ...claims });
    world.tokenAnswer = tokenAnswer({ ...GRANT, ...granted });
    expect(kindOf(await run(world))).toBe(expected);
    expect(world.connections).toEqual([]);
  });

  test('OA-16: no answer of the token endpoint but a complete one stores anything', async () => {
    const broken = fc.oneof(
      fc.json(),
      fc.string(),
      fc.record({ access_token: fc.oneof(fc.constant(''), fc.integer(), fc.constant(null)), token_type: fc.string() }),
      fc.constantFrom('{"access_token":"x"', '[]', 'null', '{"access_token":"x","token_type":"mac","expires_in":1}'),
    );
    await fc.assert(
      fc.asyncProperty(broken, fc.constantFrom(200, 201, 204, 302, 400, 403, 500), async (body, status) => {
        const world = makeWorld();
        world.tokenAnswer = tokenAnswer(body, status);
        const result = await run(world);
        expect(result.kind).toBe('failed');
        expect(world.connections).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('OA-10: any error of the provider spends the state and ends the session as refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1 }), anyText(), async (error, description) => {
        const world = makeWorld();
        const { state, bindingCookie } = await start(world);
        const query = { state, error, error_description: description };
        const refused = { kind: 'failed', failure: { errorType: 'callback_err' } };
        expect(await finish(world, query, bindingCookie)).toMatchObject(refused);
        expect(world.session.status).toBe('refused');
        expect(kindOf(await finish(world, query, bindingCookie))).toBe('unknown_state');
      }),
      { numRuns: 200 },
    );
  });
});

describe('how Google ends a flow', () => {
  const CALLBACK: readonly [error: string, description: string | undefined, kind: string][] = [
    ['access_denied', undefined, 'refused'],
    ['access_denied', 'The user cancelled.', 'refused'],
    ['access_denied', 'Account restricted', 'account_restricted'],
    ['access_denied', 'This ACCOUNT RESTRICTED by policy', 'account_restricted'],
    ['admin_policy_enforced', undefined, 'admin_blocked'],
    ['policy_enforced', undefined, 'account_protected'],
    ['org_internal', 'Restricted to users within its organization.', 'organization_only'],
    ['disabled_client', undefined, 'app_disabled'],
    ['invalid_scope', undefined, 'app_misconfigured'],
    ['login_required', undefined, 'sign_in_needed'],
    ['temporarily_unavailable', undefined, 'provider_trouble'],
    ['something_new', 'Account restricted', 'provider_refused'],
    ['constructor', undefined, 'provider_refused'],
  ];

  test.each(CALLBACK)('the callback’s %s (%s) is %s, in Google’s words', async (error, description, kind) => {
    const world = makeWorld();
    const { state, bindingCookie } = await start(world);
    const said = description === undefined ? {} : { error_description: description };
    const result = await finish(world, { state, error, ...said }, bindingCookie);
    expect(kindOf(result)).toBe(kind);
    const providerSaid = description === undefined ? error : `${error}: ${description}`;
    expect(result).toMatchObject({ failure: { providerSaid } });
    expect(world.exchanges).toEqual([]);
  });

  test.each([
    ['policy_enforced', 'account_protected'],
    ['admin_policy_enforced', 'admin_blocked'],
    ['org_internal', 'organization_only'],
    ['access_denied', 'account_restricted'],
    ['invalid_grant', 'code_rejected'],
    ['invalid_rapt', 'provider_refused'],
    ['unauthorized_client', 'client_rejected'],
    ['toString', 'provider_refused'],
  ])('%s at the exchange is %s', async (error, kind) => {
    const world = makeWorld();
    world.tokenAnswer = tokenAnswer({ error }, 400);
    expect(kindOf(await run(world))).toBe(kind);
    expect(world.connections).toEqual([]);
  });
});

describe('what was granted', () => {
  test('OA-17: granted scopes are stored under their canonical names, missing ones are reported, wider ones kept', async () => {
    const world = makeWorld({ subject: '1', email: 'first.user@example.com' });
    world.integration = { ...INTEGRATION, scopes: [DRIVE_READ, DRIVE_FILE] };
    const wider = 'https://www.googleapis.com/auth/calendar';
    world.tokenAnswer = tokenAnswer({
      ...GRANT,
      scope: `openid https://www.googleapis.com/auth/userinfo.email ${DRIVE_READ} ${wider}`,
    });
    const result = await run(world);
    expect(result).toMatchObject({ kind: 'connected', missingScopes: [DRIVE_FILE], canStartAgain: true });
    const [connection] = world.connections;
    expect(connection?.grantedScopes).toEqual(['openid', 'email', DRIVE_READ, wider]);
    expect(world.session).toMatchObject({ mayAskAgain: true, outcome: { missingScopes: [DRIVE_FILE] } });
  });

  test('a session whose connection lacks scopes asks again for the same connection, and only for it', async () => {
    const world = makeWorld({ subject: '1' });
    world.integration = { ...INTEGRATION, scopes: [DRIVE_READ, DRIVE_FILE], includeGrantedScopes: true };
    const { bindingCookie } = await start(world, 'B'.repeat(43));
    const first = world.pending.at(-1);
    const made = { integrationId: 'drive', connectionId: first?.connectionId };
    const outcome = { ...made, errorType: undefined, message: undefined };
    world.session = { ...world.session, status: 'connected', mayAskAgain: true, outcome };
    world.put({
      ...(await storedConnection()),
      connectionId: first?.connectionId ?? '',
      grantedScopes: ['openid', 'email', DRIVE_READ],
    });
    const { asked, state } = await start(world, bindingCookie);
    expect(asked.get('scope')).toBe(`openid email ${DRIVE_FILE}`);
    expect(asked.get('include_granted_scopes')).toBe('true');
    const pending = world.pendingOf(sha256Hex(state));
    expect(pending).toMatchObject({ connectionId: first?.connectionId, isReconnect: true });
  });
});

describe('the account on a reconnect', () => {
  const reconnect = { integrationId: 'drive', connectionId: 'known' };

  test.each([
    ['CS-6: another account is refused with both e-mails', '2', false, 'wrong_account'],
    ['CS-6: another account is taken where the session permits it', '2', true, 'connected'],
    ['the same account is taken', '1', false, 'connected'],
  ])('%s', async (_, subject, allowAccountChange, expected) => {
    const world = makeWorld({ subject, email: 'second.user@example.com' });
    world.session = session({ reconnect, allowAccountChange });
    const before = await storedConnection();
    world.put(before);
    const result = await run(world);
    expect(kindOf(result)).toBe(expected);
    if (result.kind === 'failed') {
      expect(result.failure.message).toMatch(/first\.user@example\.com.*second\.user@example\.com/);
      expect(world.connections).toEqual([before]);
      const event = { eventType: 'AuthorizationFailed', cause: 'wrong_account', subject: { connectionId: 'known' } };
      const actor = `session:${world.session.sessionHash.slice(0, 12)}`;
      expect(world.events.at(-1)).toMatchObject({ ...event, actor });
    } else {
      const cause = subject === '1' ? undefined : 'account_changed';
      expect(world.events.at(-1)).toMatchObject({ eventType: 'ConnectionReauthorized', cause });
    }
  });

  test.each([
    [false, 'account_unproven', undefined],
    [true, 'connected', 'account_unknown'],
  ])(
    'CS-6: an account that does not say who it is counts as another (change allowed: %s)',
    async (allowAccountChange, expected, cause) => {
      const world = makeWorld();
      world.session = session({ reconnect, allowAccountChange });
      world.put(await storedConnection());
      world.tokenAnswer = tokenAnswer({ ...GRANT, id_token: undefined, scope: DRIVE_READ });
      expect(kindOf(await run(world))).toBe(expected);
      if (cause !== undefined)
        expect(world.events).toContainEqual(expect.objectContaining({ eventType: 'ConnectionReauthorized', cause }));
    },
  );

  test.each(['1', '2'])(
    'CS-21: where no account was known before, whichever comes is recorded as such (account %s)',
    async (subject) => {
      const world = makeWorld({ subject });
      world.session = session({ reconnect });
      world.put({ ...(await storedConnection()), providerAccount: undefined });
      expect(kindOf(await run(world))).toBe('connected');
      const event = { eventType: 'ConnectionReauthorized', cause: 'account_not_known_before' };
      expect(world.events).toContainEqual(expect.objectContaining(event));
    },
  );

  test('LG-5: the connection’s history continues, number, age, description and sequence, and says which session it was', async () => {
    const world = makeWorld({ subject: '1' });
    world.session = session({ reconnect });
    const dead = { status: 'reauthorization_required', sequence: 7, metadata: { a: 1 } } as const;
    const before = { ...(await storedConnection()), ...dead };
    world.put(before);
    world.tokenAnswer = tokenAnswer({ ...GRANT, scope: `${GRANT.scope} ${DRIVE_FILE}` });
    await run(world);
    const { numericId, createdAt, metadata } = before;
    const alive = { status: 'active', death: undefined, sequence: 9, epoch: before.epoch + 1 };
    expect(world.connections[0]).toMatchObject({ ...alive, numericId, createdAt, metadata });
    const actor = `session:${world.session.sessionHash.slice(0, 12)}`;
    expect(world.events.map((event) => [event.eventType, event.actor])).toEqual([
      ['AuthorizationStarted', actor],
      ['ConnectionReauthorized', actor],
      ['ConnectionScopesChanged', actor],
    ]);
    expect(world.events.slice(-2)).toMatchObject([
      { eventType: 'ConnectionReauthorized', sequence: 8 },
      { eventType: 'ConnectionScopesChanged', sequence: 9, cause: 'scopes_gained' },
    ]);
  });
});

describe('a user who returns with a plain session', () => {
  const endUser = { id: 'u-1', email: null, displayName: null, tags: null, organization: null };
  const reusable = [{ integrationId: 'drive', connectionId: 'known' }];
  const dead = async (changes: object = {}) => ({
    ...(await storedConnection()),
    status: 'reauthorization_required' as const,
    endUser,
    ...changes,
  });

  test.each([
    ['reauthorizes the dead connection of the same account', '1', {}, 'known'],
    ['reauthorizes the only dead connection, whose account is not known', '2', { providerAccount: undefined }, 'known'],
    ['creates a connection for another account', '2', {}, undefined],
    ['creates a connection where the old one is active by now', '1', { status: 'active' as const }, undefined],
    [
      'creates a connection where the old one is another user’s by now',
      '1',
      { endUser: { ...endUser, id: 'u-2' } },
      undefined,
    ],
  ])('%s', async (_, subject, changes, expected) => {
    const world = makeWorld({ subject });
    world.session = session({ endUser, reusable });
    const before = await dead(changes);
    world.put(before);
    expect(kindOf(await run(world))).toBe('connected');
    const made = world.session.outcome?.connectionId;
    expect(world.connections).toHaveLength(expected === undefined ? 2 : 1);
    if (expected === undefined) {
      expect(made).not.toBe('known');
      const { encryptedRefreshToken, epoch } = before;
      expect(world.connections).toMatchObject(
        expect.arrayContaining([expect.objectContaining({ connectionId: 'known', encryptedRefreshToken, epoch })]),
      );
      return;
    }
    expect(made).toBe(expected);
    expect(world.connections).toMatchObject([{ connectionId: 'known', status: 'active', numericId: before.numericId }]);
    expect(world.events.at(-1)).toMatchObject({ eventType: 'ConnectionReauthorized' });
  });

  test('a user who returns with a plain session is asked for the account of the one that is dead, and chooses where there are two', async () => {
    const world = makeWorld({ subject: '1' });
    world.session = session({ endUser, reusable });
    world.put(await dead());
    expect((await start(world)).asked.get('login_hint')).toBe('1');
    world.session = session({ endUser, reusable: [...reusable, { integrationId: 'drive', connectionId: 'other' }] });
    world.put(await dead({ connectionId: 'other', providerAccount: { subject: '2', email: null } }));
    expect((await start(world)).asked.get('login_hint')).toBeNull();
  });
});

/** A connection as an authorization of the first account leaves it. */
async function storedConnection() {
  const world = makeWorld({ subject: '1', email: 'first.user@example.com' });
  await run(world);
  const [connection] = world.connections;
  if (connection === undefined) throw new Error('Nothing was stored');
  return { ...connection, connectionId: 'known' };
}
