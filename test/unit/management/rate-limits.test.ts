import { describe, expect, it } from 'vitest';
import { CONNECT_SESSIONS_PER_MINUTE } from '../../../lambdas/gateway/core/limits.ts';
import { ACCOUNT, managementGateway, secretKey, textAt } from './support/gateway.ts';

const body = { end_user: { id: 'u' } };

describe('the limit of connect sessions', () => {
  const spent = async () => {
    const gateway = managementGateway();
    const nowEpochSec = gateway.clock.nowEpochSec();
    for (let i = 0; i < CONNECT_SESSIONS_PER_MINUTE - 1; i++) {
      await gateway.services.rates.count(ACCOUNT, 'connect_sessions', CONNECT_SESSIONS_PER_MINUTE, nowEpochSec);
    }
    return gateway;
  };

  it('lets the last one of a minute through and refuses the next, saying when to go on', async () => {
    const gateway = await spent();
    expect((await gateway.call('POST', '/connect/sessions', { body })).status).toBe(201);
    const refused = await gateway.call('POST', '/connect/sessions', { body });
    expect(refused).toMatchObject({ status: 429, code: 'rate_limited' });
    const waitSec = Number(refused.headers['retry-after']);
    expect(waitSec).toBeGreaterThan(0);
    expect(waitSec).toBeLessThanOrEqual(60);
    expect(gateway.sessions.size).toBe(1);
    gateway.clock.advanceSec(waitSec);
    expect((await gateway.call('POST', '/connect/sessions', { body })).status).toBe(201);
  });

  it('counts no request that is refused for what it holds', async () => {
    const gateway = await spent();
    const wrong = { ...body, allowed_integrations: ['none'] };
    expect((await gateway.call('POST', '/connect/sessions', { body: wrong })).status).toBe(400);
    expect((await gateway.call('POST', '/connect/sessions', { body })).status).toBe(201);
  });

  it('is each account’s own', async () => {
    const gateway = await spent();
    await gateway.call('POST', '/connect/sessions', { body });
    const key = gateway.addKey(secretKey('full', 'other'));
    expect((await gateway.call('POST', '/connect/sessions', { body, key })).status).toBe(201);
  });
});

describe('a connect session', () => {
  it('leaves an event that names who made it, and neither token nor link', async () => {
    const gateway = managementGateway();
    const reply = await gateway.call('POST', '/connect/sessions', { body });
    expect(gateway.events.all).toMatchObject([
      {
        eventType: 'ConnectSessionCreated',
        subject: { accountId: 'default' },
        endUserId: 'u',
        actor: expect.stringMatching(/^key:/),
        cause: expect.stringMatching(/^session:[0-9a-f]{12}$/),
      },
    ]);
    expect(JSON.stringify(gateway.events.all)).not.toContain(textAt(reply.body, 'data', 'token').slice(3));
  });

  it('is not made when its event cannot be written', async () => {
    const gateway = managementGateway();
    gateway.events.failing = true;
    expect((await gateway.call('POST', '/connect/sessions', { body })).status).toBe(500);
    expect(gateway.sessions.size).toBe(0);
  });
});
