import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../../lambdas/management/routes/index.ts';
import { FULL_KEY, managementGateway, member, textAt } from './support/gateway.ts';
import { OPERATOR_SUBJECT, OPERATOR_TOKEN, operatorGateway } from './support/operator.ts';

describe('an operator', () => {
  it('is refused everywhere while the issuer’s keys are out of reach, which is no verdict', async () => {
    const { state, send } = operatorGateway();
    state.judgement = { kind: 'unavailable' };
    for (const { method, pattern, body } of ROUTES.filter(({ access }) => access.right !== 'anyone')) {
      const target = pattern.replace(/\{\w+\}/g, 'none');
      const reply = await send(method, target, body === undefined ? {} : { body: {} });
      const refusal = { status: 503, headers: { 'retry-after': '30' }, code: 'service_unavailable' };
      expect(reply, `${method} ${pattern}`).toMatchObject(refusal);
    }
  });

  it('is nobody where the deployment has no dashboard', async () => {
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
    const refused = await send('POST', '/account/keys', { body: wanted });
    expect(refused).toMatchObject({ status: 403, code: 'recent_sign_in_required' });
    expect(textAt(refused.body, 'error', 'message')).toContain('Sign in again');
    expect(gateway.keys.size).toBe(1);
    expect((await send('GET', '/account/keys')).status).toBe(200);
  });

  const reads = { ...wanted, can_read_credentials: true };

  it('AK-17, ST-30: that reads tokens takes a sign-in of the last five minutes', async () => {
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

  it('AK-17: that reads tokens is refused without a second factor, before and after a new sign-in', async () => {
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

  it('AK-17: that reads tokens is refused to a sign-in that says it had one factor, whatever the issuer asks', async () => {
    const { state, send } = operatorGateway('required');
    state.secondFactor = false;
    expect(await send('POST', '/account/keys', { body: reads })).toMatchObject({ code: 'second_factor_required' });
  });

  it('asks no sign-in of a secret key', async () => {
    const { send } = operatorGateway();
    expect((await send('POST', '/account/keys', { body: wanted, token: FULL_KEY })).status).toBe(201);
  });
});
