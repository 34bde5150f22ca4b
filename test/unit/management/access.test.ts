import { describe, expect, it } from 'vitest';
import type { Route } from '../../../lambdas/management/route.ts';
import { ROUTES } from '../../../lambdas/management/routes/index.ts';
import { managementGateway, member, secretKey } from './support/gateway.ts';

const target = (route: Route): string => route.pattern.replace(/\{\w+\}/g, 'none');
const protectedRoutes = ROUTES.filter(({ access }) => access.right !== 'anyone');

/** Status and code of a route for a caller; the input is empty, so 400 and 404 mean that the caller was let in. */
async function knock(route: Route, key: string | undefined, gateway = managementGateway()): Promise<string> {
  const body = route.body === undefined ? {} : { body: {} };
  const reply = await gateway.call(route.method, target(route), { key, ...body });
  return `${reply.status} ${String(member(reply.body, 'error', 'code') ?? 'ok')}`;
}

const letIn = /^(200|400|404|409) /;

describe('who may call a route', () => {
  it('opens nothing but the health check and its own description to everyone', () => {
    const open = ROUTES.filter(({ access }) => access.right === 'anyone').map(({ pattern }) => pattern);
    expect(open).toEqual(['/healthz', '/openapi.json', '/docs', '/docs/reference.js']);
  });

  it('lets no secret key of the right read change anything', () => {
    for (const route of protectedRoutes) {
      const ofAccount = /^\/(account|test-credentials|webhooks)\b/.test(route.pattern);
      expect(route.access.right).toBe(route.method === 'GET' && !ofAccount ? 'read' : 'full');
    }
  });

  describe.each(protectedRoutes.map((route) => [`${route.method} ${route.pattern}`, route] as const))(
    '%s',
    (_, route) => {
      it('refuses a call without a key', async () => {
        expect(await knock(route, undefined)).toBe('401 missing_auth_header');
      });

      it.each([
        ['malformed', 'sk_default_short'],
        ['unknown', secretKey('unknown')],
        ['of another account', secretKey('full', 'other')],
      ])('refuses a key that is %s', async (_kind, key) => {
        expect(await knock(route, key)).toBe('401 invalid_secret_key');
      });

      it('refuses a revoked key', async () => {
        const gateway = managementGateway();
        const key = gateway.addKey(secretKey('old'), { revokedAt: '2026-01-02T00:00:00.000Z' });
        expect(await knock(route, key, gateway)).toBe('401 invalid_secret_key');
      });

      it('refuses a key for the proxy alone', async () => {
        const gateway = managementGateway();
        expect(await knock(route, gateway.addKey(secretKey('p'), { right: 'proxy' }), gateway)).toBe('403 forbidden');
      });

      it('lets a reading key in where it may read', async () => {
        const gateway = managementGateway();
        const outcome = await knock(route, gateway.addKey(secretKey('r'), { right: 'read' }), gateway);
        if (route.access.right === 'read') expect(outcome).toMatch(letIn);
        else expect(outcome).toBe('403 forbidden');
      });

      it('lets a full key in', async () => {
        expect(await knock(route, secretKey('full'))).toMatch(letIn);
      });

      it('keeps a limited key away from what concerns the account', async () => {
        const gateway = managementGateway();
        const outcome = await knock(route, gateway.addKey(secretKey('l'), { integrationIds: ['drive'] }), gateway);
        if (route.access.account === true) expect(outcome).toBe('403 forbidden');
        else expect(outcome).toMatch(letIn);
      });

      it('takes a connect session where sessions may read, and nowhere else', async () => {
        const gateway = managementGateway();
        gateway.addIntegration();
        const made = await gateway.call('POST', '/connect/sessions', { body: { end_user: { id: 'u' } } });
        const outcome = await knock(route, String(member(made.body, 'data', 'token')), gateway);
        if (route.access.session === true) expect(outcome).toMatch(letIn);
        else expect(outcome).toBe('401 invalid_session_token');
      });
    },
  );

  it('ignores cookies', async () => {
    const gateway = managementGateway();
    const reply = await gateway.call('GET', '/integrations', {
      key: undefined,
      headers: [['Cookie', `session=${secretKey('full')}`]],
    });
    expect(reply.status).toBe(401);
  });

  it('refuses two Authorization headers', async () => {
    const gateway = managementGateway();
    const reply = await gateway.call('GET', '/integrations', { headers: [['authorization', 'Bearer x']] });
    expect(reply).toMatchObject({ status: 400, body: { error: { code: 'invalid_headers' } } });
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
