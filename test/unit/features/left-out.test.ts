import { describe, expect, it } from 'vitest';
import { CALL_HOOKS } from '../../../lambdas/features/call-hooks.ts';
import { FEATURE_GRANT_ROUTES } from '../../../lambdas/features/grant-routes.ts';
import { FEATURE_IDS, FEATURES } from '../../../lambdas/features/index.ts';
import { FEATURE_ROUTES } from '../../../lambdas/features/routes.ts';
import { functionsWithout } from '../../../lambdas/gateway/core/table-rights.ts';
import type { CallHooks } from '../../../lambdas/gateway/forwarding/call-hooks.ts';
import { openCallHooks, openHold } from '../../../lambdas/gateway/forwarding/call-hooks.ts';
import { limitsOfBoundKeys } from '../../../lambdas/gateway/keys/key-limits.rules.ts';
import { resolveGatewayOptions } from '../../../lib/gateway-options.ts';
import { managementGateway, member } from '../management/support/gateway.ts';

const WITHOUT: ReadonlySet<string> = new Set(FEATURE_IDS);
const gateway = managementGateway({ without: WITHOUT, baseUrl: 'https://lean.example/v1' });
const LIMITS = FEATURES.flatMap(({ id, keyLimits }) =>
  Object.entries(keyLimits).map(([name, limit]) => ({ id, name, limit })),
);
const ROUTES = [FEATURE_ROUTES, FEATURE_GRANT_ROUTES]
  .flatMap((of) => Object.entries(of))
  .filter(([id]) => WITHOUT.has(id));

describe('a deployment that leaves features out', () => {
  it.each(ROUTES.flatMap(([id, routes]) => routes.map(({ method, pattern }) => [method, pattern, id] as const)))(
    'answers %s %s with 404 not_supported and the name of %s',
    async (method, pattern, id) => {
      const { status, code, body } = await gateway.call(method, pattern.replaceAll(/\{\w+\}/g, 'x'));
      expect([status, code]).toEqual([404, 'not_supported']);
      expect(member(body, 'error', 'message')).toContain(`deployed without ${id}:`);
    },
  );

  it('answers callers without a key with 401 there, as everywhere', async () => {
    for (const { method, pattern } of ROUTES.flatMap(([, routes]) => routes)) {
      expect(await gateway.call(method, pattern, { key: undefined })).toMatchObject({ status: 401 });
    }
  });

  it('a deployment that leaves features out has none of their routes in the API document', async () => {
    const { body } = await gateway.call('GET', '/openapi.json');
    const whole = await managementGateway({ baseUrl: 'https://whole.example/v1' }).call('GET', '/openapi.json');
    const paths = Object.keys(Object(member(body, 'paths')));
    const left = Object.keys(Object(member(whole.body, 'paths'))).filter((path) => !paths.includes(path));
    const own = ROUTES.flatMap(([, routes]) => routes.map(({ pattern }) => pattern.split('/')[1]));
    expect(new Set(left.map((path) => path.split('/')[1]))).toEqual(new Set(own));
    const groupsOf = (document: unknown) => JSON.stringify(member(document, 'tags'));
    for (const name of ['Approvals', 'Feeds', 'Security events', 'Undo', 'Webhooks']) {
      expect(groupsOf(whole.body)).toContain(`"name":"${name}"`);
      expect(groupsOf(body)).not.toContain(`"name":"${name}"`);
    }
  });

  it('a deployment that leaves features out lists none of their routes on the first page of /docs', async () => {
    const groups = ['Approvals', 'Feeds', 'Security events', 'Undo', 'Webhooks'].map((name) => `<h3>${name}</h3>`);
    const pageOf = async (of: typeof gateway) => Buffer.from((await of.raw('GET', '/docs')).body ?? '').toString();
    const whole = await pageOf(managementGateway({ baseUrl: 'https://other.example/v1' }));
    expect(groups.filter((group) => !whole.includes(group))).toEqual([]);
    const lean = await pageOf(gateway);
    expect(groups.filter((group) => lean.includes(group))).toEqual([]);
    expect(lean).toContain('<h3>Connections</h3>');
  });

  it.each(LIMITS)('refuses the limit $name of a new key and names $id', async ({ id, name, limit }) => {
    const limits = { mode: 'enforce', [name]: limit.values[0] };
    const { status, body } = await gateway.call('POST', '/account/keys', {
      body: { name: 'app', right: 'proxy', limits },
    });
    expect(status).toBe(400);
    expect(member(body, 'error', 'errors')).toEqual([
      { path: `limits.${name}`, message: `this gateway was deployed without ${id}` },
    ]);
  });

  it('refuses limits of a new key whose calls only approvals let pass', async () => {
    const limits = { mode: 'enforce', approve: ['delete'] };
    const { status, body } = await gateway.call('POST', '/account/keys', {
      body: { name: 'app', right: 'proxy', limits },
    });
    expect(status).toBe(400);
    expect(member(body, 'error', 'errors')).toEqual([
      { path: 'limits.approve', message: 'this gateway was deployed without approvals' },
    ]);
  });

  it('refuses calls that would wait for a person', async () => {
    const deps = { config: { without: WITHOUT } };
    const unreachable = () => expect.fail('opened a feature that is left out');
    const why = JSON.parse('{"message":"A person has to approve this call.","details":{"limit":{"name":"approve"}}}');
    const none = JSON.parse('{}');
    for (const hold of [openHold({ approvals: unreachable }, deps), openHold({}, deps)])
      await expect(hold(none, none, none, why)).rejects.toMatchObject({ code: 'approval_impossible', status: 403 });
  });

  it.each(['/mcp', '/approve/x', '/.well-known/x'])('answers %s with 404 not_supported', async (path) => {
    expect(await gateway.call('GET', path)).toMatchObject({ status: 404, code: 'not_supported' });
  });

  it.each(FEATURES.flatMap(({ id, messagePaths }) => messagePaths.map((path) => [path, id] as const)))(
    'answers %s with 404 not_supported and the name of %s, where it takes no messages',
    async (path, id) => {
      const { status, code, body } = await gateway.call('POST', path);
      expect([status, code]).toEqual([404, 'not_supported']);
      expect(member(body, 'error', 'message')).toContain(`deployed without ${id}:`);
      expect(await gateway.call('POST', path, { key: undefined })).toMatchObject({ status: 401 });
    },
  );

  it('lacks the functions of its features, and those that only these features ask for', () => {
    expect(functionsWithout(['webhooks'])).toEqual(new Set(['deliver']));
    expect(functionsWithout(['feeds'])).toEqual(new Set(['feeds', 'core']));
    expect(functionsWithout(['security-events'])).toEqual(new Set());
    expect(functionsWithout(['feeds', 'security-events'])).toEqual(new Set(['feeds', 'core', 'inbox']));
  });

  it('is refused with a feature that another one needs', () => {
    expect(() => resolveGatewayOptions({ without: ['approvals'] })).toThrow('agents needs approvals');
  });

  it('gives keys that are bound to one end user none of their limits', () => {
    expect(limitsOfBoundKeys({}, WITHOUT)).toEqual({});
    expect(Object.keys(limitsOfBoundKeys({}))).toEqual(LIMITS.map(({ name }) => name));
  });

  it('opens no module of a feature for a call, and sends every read', async () => {
    const unreachable = () => {
      throw new Error('opened a feature that is left out');
    };
    const deps = {
      ...gateway.services.forFeatures,
      config: { ...gateway.services.forFeatures.config, setting: () => '', without: WITHOUT },
      later: unreachable,
    };
    for (const hooks of openCallHooks(CALL_HOOKS, deps)) {
      const { values } = LIMITS.find(({ name }) => name === hooks.limit)?.limit ?? expect.fail(hooks.limit);
      for (const value of values) {
        expect(await outcome(hooks, 'GET', value)).toBe('sent');
        expect(['sent', 'nothing was applied']).toContain(await outcome(hooks, 'PATCH', value));
      }
    }
  });

  it('a deployment that leaves features out is refused with names that no feature has', () => {
    expect(() => resolveGatewayOptions(JSON.parse('{"without":["nothing"]}'))).toThrow('without');
    expect(resolveGatewayOptions({ without: [...FEATURE_IDS] }).without).toEqual([...FEATURE_IDS]);
  });
});

/** What becomes of a call of a key with a limit. */
async function outcome(hooks: CallHooks, method: string, value: unknown): Promise<unknown> {
  const call = JSON.parse(
    JSON.stringify({ caller: { key: { limits: { [hooks.limit]: value } } }, requests: [{ method, headers: [] }] }),
  );
  const send = async () => JSON.parse('{}');
  try {
    await hooks.around(call, send);
    return 'sent';
  } catch (error) {
    return member(error, 'applied') === 'no' ? 'nothing was applied' : error;
  }
}
