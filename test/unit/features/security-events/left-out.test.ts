import { describe, expect, it } from 'vitest';
import { MemoryTable } from '../../../../dev/support/memory-table.ts';
import { MESSAGES } from '../../../../lambdas/features/messages.ts';
import { feature } from '../../../../lambdas/features/security-events/feature.ts';
import { SECURITY_EVENTS_PATH } from '../../../../lambdas/features/security-events/statement.rules.ts';
import type { GatewayRequest } from '../../../../lambdas/gateway/core/http-message.ts';
import { evidenceOfFeatures } from '../../../../lambdas/gateway/tokens/end-evidence.ts';
import { takersOf } from '../../../../lambdas/inbox/takers.ts';
import { managementGateway, member } from '../../management/support/gateway.ts';

const PROJECT = '123456789012';
const WITHOUT: ReadonlySet<string> = new Set([feature.id]);
const LEFT_OUT = { without: WITHOUT, baseUrl: 'https://lean.example/v1' };

const statement: GatewayRequest = {
  method: 'POST',
  rawPath: SECURITY_EVENTS_PATH,
  query: [],
  headers: [],
  body: Buffer.from('a.b.c'),
  requestId: 'r-1',
  sourceIp: '192.0.2.1',
};

function inbox(without: ReadonlySet<string>) {
  const memory = new MemoryTable();
  const refused = async () => {
    throw new Error('asked the issuer');
  };
  const takers = takersOf(MESSAGES, {
    config: { without, setting: () => '' },
    table: memory.table,
    clock: { nowMs: () => 0 },
    logger: { info: () => {}, warn: () => {}, error: () => {} },
    metrics: { count: () => {} },
    upstream: { send: refused, close: () => {} },
    issuer: 'https://accounts.google.com',
    start: refused,
  });
  return { memory, taker: takers.find(({ path }) => path === SECURITY_EVENTS_PATH) };
}

describe('a deployment without security events', () => {
  it('refuses a statement with 404 not_supported, asks nobody and stores nothing', async () => {
    const { memory, taker } = inbox(WITHOUT);
    await expect(taker?.take(statement)).rejects.toMatchObject({
      code: 'not_supported',
      message: 'This gateway was deployed without security-events.',
    });
    expect(memory.ofType('security_event')).toEqual([]);
    // With them, the same text is judged: its issuer is asked.
    await expect(inbox(new Set()).taker?.take(statement)).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('reports neither readiness nor silence of a project that was registered before, and keeps its row', async () => {
    const before = managementGateway();
    const own = { credentialsSource: 'own', clientId: `${PROJECT}-a.apps.googleusercontent.com` } as const;
    before.addIntegration(own);
    await before.call('PUT', `/security-events/${PROJECT}`, { body: { verification: 'state-of-now' } });
    const [row] = before.memory.ofType('security_project');
    const after = managementGateway(LEFT_OUT);
    after.addIntegration(own);
    after.memory.put(row ?? expect.fail('no row'));
    for (const gateway of [before, after]) gateway.clock.advanceSec(3_601);
    const seen = async ({ call }: typeof before) => {
      const readiness = await call('GET', '/integrations/drive/readiness');
      const overview = await call('GET', '/overview');
      const kinds = [member(overview.body, 'data', 'attention')].flat().map((one) => member(one, 'kind'));
      return [member(readiness.body, 'data', 'security_events'), kinds.includes('security_events')];
    };
    expect(await seen(before)).toEqual([expect.objectContaining({ state: 'not_verified' }), true]);
    expect(await seen(after)).toEqual([null, false]);
    expect(after.memory.ofType('security_project')).toEqual([row]);
  });

  it('a deployment without security events has no statement that explains the end of a grant, so its cause is a guess', async () => {
    const grant = { cloudProject: PROJECT, subject: 's', tokenPrints: [], consentedAtEpochSec: 0, diedAtEpochSec: 1 };
    expect(await evidenceOfFeatures([]).statedEnd(grant)).toBeUndefined();
  });
});
