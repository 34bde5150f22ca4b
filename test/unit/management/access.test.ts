import { describe, expect, it } from 'vitest';
import { type AnyRoute, ROUTES } from '../../../lambdas/management/routes/index.ts';
import {
  FULL_KEY,
  integratedGateway,
  type ManagementGateway,
  managementGateway,
  secretKey,
  textAt,
} from './support/gateway.ts';

const target = (route: AnyRoute): string => route.pattern.replace(/\{\w+\}/g, 'none');
const protectedRoutes = ROUTES.filter(({ access }) => access.right !== 'anyone');

/** Status and code of a route for a caller; the input is empty, so 400 and 404 mean that the caller was let in. */
async function knock(route: AnyRoute, key: string | undefined, gateway: ManagementGateway): Promise<string> {
  const body = route.body === undefined ? {} : { body: {} };
  const reply = await gateway.call(route.method, target(route), { key, ...body });
  return `${reply.status} ${reply.code ?? 'ok'}`;
}

const LET_IN = /^(200|400|404|409) /;

describe('who may call a route', () => {
  it('opens nothing but the health check and its own description to everyone', () => {
    const open = ROUTES.filter(({ access }) => access.right === 'anyone').map(({ pattern }) => pattern);
    expect(open).toEqual(['/healthz', '/openapi.json', '/docs', '/docs/reference.js']);
  });

  it('lets no secret key of the right read change anything', () => {
    for (const route of protectedRoutes) {
      const ofAccount = /^\/(account|journal|security-events|test-credentials|webhooks)\b/.test(route.pattern);
      expect(route.access.right).toBe(route.method === 'GET' && !ofAccount ? 'read' : 'full');
    }
  });

  const NO_KEY = '401 invalid_secret_key';
  const revokedAt = '2026-01-02T00:00:00.000Z';
  it.each<
    [string, (gateway: ManagementGateway) => string | undefined, (access: AnyRoute['access']) => string | RegExp]
  >([
    ['no call without a key', () => undefined, () => '401 missing_auth_header'],
    ['no malformed key', () => 'sk_default_short', () => NO_KEY],
    ['no unknown key', () => secretKey('unknown'), () => NO_KEY],
    ['no key of another account', () => secretKey('full', 'other'), () => NO_KEY],
    ['no revoked key', ({ addKey }) => addKey(secretKey('old'), { revokedAt }), () => NO_KEY],
    [
      'no key for the proxy alone',
      ({ addKey }) => addKey(secretKey('p'), { right: 'proxy' }),
      ({ proxyKey }) => (proxyKey === true ? LET_IN : '403 forbidden'),
    ],
    [
      'a reading key where it may read, and nowhere else',
      ({ addKey }) => addKey(secretKey('r'), { right: 'read' }),
      ({ right }) => (right === 'read' ? LET_IN : '403 forbidden'),
    ],
    ['a full key', () => FULL_KEY, () => LET_IN],
    [
      'a limited key, but not to what concerns the account',
      ({ addKey }) => addKey(secretKey('l'), { integrationIds: ['drive'] }),
      ({ account }) => (account === true ? '403 forbidden' : LET_IN),
    ],
  ])('lets in to every route %s', async (_, keyOf, expected) => {
    for (const route of protectedRoutes) {
      const gateway = managementGateway();
      const outcome = await knock(route, keyOf(gateway), gateway);
      expect(outcome, `${route.method} ${route.pattern}`).toMatch(expected(route.access));
    }
  });

  it('takes a connect session where sessions may read, and nowhere else', async () => {
    for (const route of protectedRoutes) {
      const gateway = integratedGateway();
      const made = await gateway.call('POST', '/connect/sessions', { body: { end_user: { id: 'u' } } });
      const outcome = await knock(route, textAt(made.body, 'data', 'token'), gateway);
      const expected = route.access.session === true ? LET_IN : '401 invalid_session_token';
      expect(outcome, `${route.method} ${route.pattern}`).toMatch(expected);
    }
  });

  it('shows a connect session neither budget nor quota of the integration', async () => {
    const gateway = integratedGateway();
    await gateway.call('PATCH', '/integrations/drive', { body: { budget: { day: { calls: 10 } } } });
    const made = await gateway.call('POST', '/connect/sessions', { body: { end_user: { id: 'u' } } });
    const key = textAt(made.body, 'data', 'token');
    expect(await gateway.call('GET', '/integrations/drive')).toMatchObject({ body: { data: { budget: { day: {} } } } });
    expect(await gateway.call('GET', '/integrations/drive', { key })).toMatchObject({
      body: { data: { budget: null, quota: null } },
    });
  });

  it('refuses two Authorization headers', async () => {
    const gateway = managementGateway();
    const reply = await gateway.call('GET', '/integrations', { headers: [['authorization', 'Bearer x']] });
    expect(reply).toMatchObject({ status: 400, code: 'invalid_headers' });
  });

  it('remembers a key for a minute and no longer (AK-4)', async () => {
    const gateway = managementGateway();
    const key = gateway.addKey(secretKey('soon gone'));
    expect((await gateway.call('GET', '/providers', { key })).status).toBe(200);
    gateway.keys.clear();
    gateway.clock.advanceSec(59);
    expect((await gateway.call('GET', '/providers', { key })).status).toBe(200);
    gateway.clock.advanceSec(2);
    expect((await gateway.call('GET', '/providers', { key })).status).toBe(401);
  });

  it('writes nothing for a wrong key', async () => {
    const gateway = managementGateway();
    await gateway.call('GET', '/providers', { key: secretKey('unknown') });
    expect(gateway.events.all).toEqual([]);
  });
});
