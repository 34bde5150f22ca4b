import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../../lambdas/management/routes/index.ts';
import { managementGateway } from './support/gateway.ts';
import { DASHBOARD_ORIGIN, operatorGateway } from './support/operator.ts';

const corsOf = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));
const asking = [['Access-Control-Request-Method', 'POST']] as const;
const preflight = { token: undefined, headers: asking } as const;

describe('pages of the dashboard', () => {
  it('pages of the dashboard may read answers, without credentials mode (PR-6)', async () => {
    const { headers } = await operatorGateway().send('GET', '/integrations', { origin: DASHBOARD_ORIGIN });
    expect(corsOf(headers)).toEqual({
      'access-control-allow-origin': DASHBOARD_ORIGIN,
      'access-control-expose-headers':
        'x-request-id, x-gateway-error, retry-after, deprecation, sunset, idempotent-replayed, ratelimit, ratelimit-policy',
    });
    expect(headers.vary).toBe('Origin');
  });

  it.each([
    ['a wrong token', '/integrations', { token: 'a.wrong.token' }, 401],
    ['a wrong query', '/integrations?debug=1', {}, 400],
    ['something missing', '/integrations/none', {}, 404],
  ])('pages of the dashboard may read the refusal of %s', async (_, target, sent, status) => {
    const reply = await operatorGateway().send('GET', target, { ...sent, origin: DASHBOARD_ORIGIN });
    expect(reply.status).toBe(status);
    expect(reply.headers['access-control-allow-origin']).toBe(DASHBOARD_ORIGIN);
  });

  it('pages of the dashboard may ask what each route takes', async () => {
    const { send } = operatorGateway();
    for (const { pattern } of ROUTES.filter(({ access }) => access.right !== 'anyone')) {
      const target = pattern.replace(/\{\w+\}/g, 'none');
      const { status, headers } = await send('OPTIONS', target, { ...preflight, origin: DASHBOARD_ORIGIN });
      expect(status, pattern).toBe(204);
      const { 'access-control-allow-methods': allowed, ...others } = corsOf(headers);
      const methods = ROUTES.filter((route) => route.pattern === pattern).map(({ method }) => method);
      expect(allowed?.split(', '), pattern).toEqual(expect.arrayContaining(methods));
      expect(others).toEqual({
        'access-control-allow-origin': DASHBOARD_ORIGIN,
        'access-control-allow-headers': 'authorization, content-type, idempotency-key',
        'access-control-max-age': '600',
      });
    }
  });
});

describe('everybody else', () => {
  it.each([
    ['another site', 'https://evil.example'],
    ['a longer name', `${DASHBOARD_ORIGIN}.evil.example`],
    ['a shorter name', DASHBOARD_ORIGIN.slice(0, -1)],
    ['another scheme', DASHBOARD_ORIGIN.replace('https', 'http')],
    ['another port', `${DASHBOARD_ORIGIN}:8443`],
    ['another spelling', DASHBOARD_ORIGIN.toUpperCase()],
    ['a page without an origin', 'null'],
    ['every origin', '*'],
  ])('gets no permission: %s', async (_, origin) => {
    const { send } = operatorGateway();
    for (const reply of [
      await send('GET', '/integrations', { origin }),
      await send('OPTIONS', '/integrations', { ...preflight, origin }),
    ]) {
      expect(corsOf(reply.headers)).toEqual({});
      expect(reply.headers.vary).toBe('Origin');
    }
  });

  it('gets none by sending two origins', async () => {
    const headers = [['Origin', 'https://evil.example']] as const;
    const reply = await operatorGateway().send('GET', '/integrations', { origin: DASHBOARD_ORIGIN, headers });
    expect(corsOf(reply.headers)).toEqual({});
  });

  it.each([
    '/healthz',
    '/',
    '/proxy/drive/v3/files',
    '/connect',
    '/connect/authorizations',
    '/oauth/callback',
    '/oauth/connect/drive',
    '/nothing',
  ])('finds nothing at %s, not even from the dashboard', async (target) => {
    const { send } = operatorGateway();
    for (const method of ['GET', 'OPTIONS']) {
      const reply = await send(method, target, { origin: DASHBOARD_ORIGIN, headers: asking });
      expect(corsOf(reply.headers)).toEqual({});
    }
  });

  it('gets none where there is no dashboard', async () => {
    const headers = [['Origin', DASHBOARD_ORIGIN]] as const;
    const reply = await managementGateway().call('GET', '/integrations', { headers });
    expect(corsOf(reply.headers)).toEqual({});
    expect(reply.headers).not.toHaveProperty('vary');
  });
});
