import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../../lambdas/management/routes/index.ts';
import { FULL_KEY, managementGateway, member } from './support/gateway.ts';
import { OPERATOR_SUBJECT, OPERATOR_TOKEN, operatorGateway } from './support/operator.ts';

const protectedRoutes = ROUTES.filter(({ access }) => access.right !== 'anyone');

describe('an operator', () => {
  describe.each(protectedRoutes.map((route) => [`${route.method} ${route.pattern}`, route] as const))(
    '%s',
    (_, route) => {
      const target = route.pattern.replace(/\{\w+\}/g, 'none');
      const body = route.body === undefined ? {} : { body: {} };

      it('is let in with a token of the issuer', async () => {
        const { status } = await operatorGateway().send(route.method, target, body);
        expect([200, 400, 404, 409]).toContain(status);
      });

      it('is refused with any other token', async () => {
        const reply = await operatorGateway().send(route.method, target, { ...body, token: 'another.access.token' });
        expect(reply).toMatchObject({ status: 401, body: { error: { code: 'invalid_operator_token' } } });
      });

      it('is refused while the issuer’s keys are out of reach, which is no verdict', async () => {
        const { state, send } = operatorGateway();
        state.judgement = { kind: 'unavailable' };
        expect(await send(route.method, target, body)).toMatchObject({
          status: 503,
          headers: { 'retry-after': '30' },
          body: { error: { code: 'service_unavailable' } },
        });
      });
    },
  );

  it('is nobody where the deployment has no dashboard', async () => {
    const reply = await managementGateway().call('GET', '/integrations', { key: OPERATOR_TOKEN });
    expect(reply).toMatchObject({ status: 401, body: { error: { code: 'invalid_secret_key' } } });
  });

  it('out of the issuer’s reach disturbs no secret key (F95)', async () => {
    const { state, send } = operatorGateway();
    state.judgement = { kind: 'unavailable' };
    expect((await send('GET', '/integrations', { token: FULL_KEY })).status).toBe(200);
  });

  it('works for the first account and is named in its trail by id', async () => {
    const { gateway, send } = operatorGateway();
    const reply = await send('POST', '/integrations/quickstart', {
      body: { provider: 'google-drive', unique_key: 'drive' },
    });
    expect(reply.status).toBe(200);
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

  it('is not let in by a cookie', async () => {
    const headers = [['Cookie', `token=${OPERATOR_TOKEN}`]] as const;
    expect((await operatorGateway().send('GET', '/integrations', { token: undefined, headers })).status).toBe(401);
  });
});

describe('making a secret key', () => {
  const wanted = { name: 'Backend', right: 'read' };

  it('takes an operator’s sign-in of the last 15 minutes (UI-6)', async () => {
    const { state, send } = operatorGateway();
    state.signedInSecAgo = 15 * 60;
    expect((await send('POST', '/account/keys', { body: wanted })).status).toBe(201);
  });

  it('is refused after an older sign-in, and says what to do', async () => {
    const { gateway, state, send } = operatorGateway();
    state.signedInSecAgo = 15 * 60 + 1;
    expect(await send('POST', '/account/keys', { body: wanted })).toMatchObject({
      status: 403,
      body: { error: { code: 'recent_sign_in_required', message: expect.stringContaining('Sign in again') } },
    });
    expect(gateway.keys.size).toBe(1);
    expect((await send('GET', '/account/keys')).status).toBe(200);
  });

  it('asks no sign-in of a secret key', async () => {
    const { send } = operatorGateway();
    expect((await send('POST', '/account/keys', { body: wanted, token: FULL_KEY })).status).toBe(201);
  });
});
