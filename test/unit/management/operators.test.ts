import { describe, expect, it } from 'vitest';
import { type AnyRoute, ROUTES } from '../../../lambdas/management/routes/index.ts';
import { FULL_KEY, managementGateway, member, textAt } from './support/gateway.ts';
import { OPERATOR_SUBJECT, OPERATOR_TOKEN, operatorGateway } from './support/operator.ts';

describe('an operator', () => {
  it('an operator is refused everywhere while the issuer’s keys are out of reach, which is no verdict', async () => {
    const { state, send } = operatorGateway();
    state.judgement = { kind: 'unavailable' };
    for (const { method, pattern, body } of ROUTES.filter(({ access }) => access.right !== 'anyone')) {
      const target = pattern.replace(/\{\w+\}/g, 'none');
      const reply = await send(method, target, body === undefined ? {} : { body: {} });
      const refusal = { status: 503, headers: { 'retry-after': '30' }, code: 'service_unavailable' };
      expect(reply, `${method} ${pattern}`).toMatchObject(refusal);
    }
  });

  it('an operator is nobody where the deployment has no dashboard', async () => {
    const reply = await managementGateway().call('GET', '/integrations', { key: OPERATOR_TOKEN });
    expect(reply).toMatchObject({ status: 401, code: 'invalid_secret_key' });
  });

  it('out of the issuer’s reach disturbs no secret key (F95)', async () => {
    const { state, send } = operatorGateway();
    state.judgement = { kind: 'unavailable' };
    expect((await send('GET', '/integrations', { token: FULL_KEY })).status).toBe(200);
  });

  it('works for the first account and is named in its trail by id', async () => {
    const { gateway, send } = operatorGateway();
    const body = { provider: 'google-drive', unique_key: 'drive' };
    expect((await send('POST', '/integrations/quickstart', { body })).status).toBe(200);
    expect(gateway.events.all).toMatchObject([
      { eventType: 'IntegrationCreated', actor: `operator:${OPERATOR_SUBJECT}`, subject: { accountId: 'default' } },
    ]);
  });

  it('never sees credentials of a connection', async () => {
    const { gateway, send } = operatorGateway();
    gateway.addIntegration();
    await gateway.addConnection();
    const target = '/connections/first?provider_config_key=drive';
    expect(member((await send('GET', target)).body, 'credentials')).toEqual({});
    expect(await send('GET', `${target}&refresh_token=true`)).toMatchObject({ status: 403 });
    expect(gateway.events.types()).toEqual([]);
  });
});

describe('a viewer', () => {
  const protectedRoutes = ROUTES.filter(({ access }) => access.right !== 'anyone');
  const knock = async (send: ReturnType<typeof operatorGateway>['send'], { method, pattern, body }: AnyRoute) =>
    send(method, pattern.replace(/\{\w+\}/g, 'none'), body === undefined ? {} : { body: {} });

  it('a viewer is refused every route that is no GET, whatever the body, with the reason', async () => {
    const { gateway, state, send } = operatorGateway();
    Object.assign(state, { role: 'viewer', signedInSecAgo: 0 });
    const writing = protectedRoutes.filter(({ method }) => method !== 'GET');
    expect(writing.length).toBeGreaterThan(40);
    for (const route of writing) {
      const reply = await knock(send, route);
      const name = `${route.method} ${route.pattern}`;
      expect(reply, name).toMatchObject({ status: 403, code: 'forbidden' });
      expect(textAt(reply.body, 'error', 'message'), name).toContain('You signed in as a viewer');
    }
    expect(gateway.events.all).toEqual([]);
  });

  it('reads every route that an operator reads', async () => {
    const asked: Record<string, string[]> = {};
    for (const role of ['operator', 'viewer'] as const) {
      const { state, send } = operatorGateway();
      state.role = role;
      asked[role] = [];
      for (const route of protectedRoutes.filter(({ method }) => method === 'GET')) {
        const { status, code } = await knock(send, route);
        asked[role].push(`${route.pattern} ${status} ${code ?? ''}`);
      }
    }
    expect(asked.viewer).toEqual(asked.operator);
    expect(asked.viewer?.filter((line) => line.includes(' 403 '))).toEqual([]);
  });

  it('a viewer does not renew a token by reading a connection', async () => {
    const { gateway, state, send } = operatorGateway();
    gateway.addIntegration();
    await gateway.addConnection();
    state.role = 'viewer';
    const target = '/connections/first?provider_config_key=drive';
    expect((await send('GET', target)).status).toBe(200);
    expect(await send('GET', `${target}&force_refresh=true`)).toMatchObject({ status: 403, code: 'forbidden' });
  });
});

describe('a person in no group of the deployment', () => {
  it('a person in no group of the deployment is refused every route, with what to ask for', async () => {
    const { state, send } = operatorGateway();
    state.role = 'none';
    for (const { method, pattern, body } of ROUTES.filter(({ access }) => access.right !== 'anyone')) {
      const reply = await send(method, pattern.replace(/\{\w+\}/g, 'none'), body === undefined ? {} : { body: {} });
      expect(reply, `${method} ${pattern}`).toMatchObject({ status: 403, code: 'forbidden' });
      expect(textAt(reply.body, 'error', 'message')).toContain('in no group that may use this gateway');
    }
  });
});

describe('making a secret key', () => {
  const wanted = { name: 'Backend', right: 'read' };

  it('takes an operator’s sign-in of the last 15 minutes (UI-6)', async () => {
    const { state, send } = operatorGateway();
    state.signedInSecAgo = 15 * 60;
    expect((await send('POST', '/account/keys', { body: wanted })).status).toBe(201);
  });

  it('a new secret key is refused after an older sign-in, with what to do', async () => {
    const { gateway, state, send } = operatorGateway();
    state.signedInSecAgo = 15 * 60 + 1;
    const refused = await send('POST', '/account/keys', { body: wanted });
    expect(refused).toMatchObject({ status: 403, code: 'recent_sign_in_required' });
    expect(textAt(refused.body, 'error', 'message')).toContain('Sign in again');
    expect(gateway.keys.size).toBe(1);
    expect((await send('GET', '/account/keys')).status).toBe(200);
  });

  const reads = { ...wanted, can_read_credentials: true };

  it('AK-17, ST-30: making a secret key that reads tokens takes a sign-in of the last five minutes', async () => {
    const { gateway, state, send } = operatorGateway();
    state.signedInSecAgo = 5 * 60;
    expect((await send('POST', '/account/keys', { body: reads })).status).toBe(201);
    state.signedInSecAgo = 5 * 60 + 1;
    const refused = await send('POST', '/account/keys', { body: reads });
    expect(refused).toMatchObject({ status: 403, code: 'recent_sign_in_required' });
    expect(textAt(refused.body, 'error', 'message')).toContain('a sign-in of the last 5 minutes');
    expect((await send('POST', '/account/keys', { body: wanted })).status).toBe(201);
    expect(gateway.keys.size).toBe(3);
  });

  it('AK-17: making a secret key that reads tokens is refused without a second factor, before and after a new sign-in', async () => {
    const { gateway, state, send } = operatorGateway('optional');
    const refused = await send('POST', '/account/keys', { body: reads });
    expect(refused).toMatchObject({ status: 403, code: 'second_factor_required' });
    expect(textAt(refused.body, 'error', 'message')).toContain('gateway:operatorMfa=required');
    expect(gateway.keys.size).toBe(1);
    expect((await send('POST', '/account/keys', { body: wanted })).status).toBe(201);
    // The token's own word counts for more than what the issuer asks of everybody.
    state.secondFactor = true;
    expect((await send('POST', '/account/keys', { body: reads })).status).toBe(201);
  });

  it('AK-17: making a secret key that reads tokens is refused to a sign-in that says it had one factor, whatever the issuer asks', async () => {
    const { state, send } = operatorGateway('required');
    state.secondFactor = false;
    expect(await send('POST', '/account/keys', { body: reads })).toMatchObject({ code: 'second_factor_required' });
  });

  it('asks no sign-in of a secret key', async () => {
    const { send } = operatorGateway();
    expect((await send('POST', '/account/keys', { body: wanted, token: FULL_KEY })).status).toBe(201);
  });
});
