import { describe, expect, it } from 'vitest';
import { answered, integratedGateway, member } from './support/gateway.ts';

const OWN = { credentialsSource: 'own', clientId: '900-test', secretId: 's' } as const;

describe('pending revocations (TK-8)', () => {
  it('are counted with the oldest in full, and gone once the provider has ended the grant', async () => {
    const gateway = integratedGateway(OWN);
    await gateway.addConnection();
    gateway.tokenAnswers.revoke = answered(503, {});
    await gateway.call('DELETE', '/connections/first?provider_config_key=drive&revoke=force');
    const reply = await gateway.call('GET', '/revocations');
    expect(reply.status).toBe(200);
    expect(member(reply.body, 'data')).toMatchObject({
      pending: 1,
      complete: true,
      oldest: [{ provider_config_key: 'drive', connection_id: 'first', failed_attempts: 1 }],
    });
    expect(JSON.stringify(reply.body)).not.toMatch(/refresh-of-first|subject|@/);
    expect(member((await gateway.call('GET', '/revocations?integrationId=calendar')).body, 'data')).toMatchObject({
      pending: 0,
      oldest: [],
    });
    gateway.pending.clear();
    expect(member((await gateway.call('GET', '/revocations')).body, 'data')).toMatchObject({ pending: 0 });
  });
});
