import { expect } from 'vitest';
import { quietNowMs } from '../../support/quiet-time.ts';
import { tokenCalls } from '../../support/simulator.ts';
import type { AwsCall, FaultAction } from '../support/fault-proxy.ts';
import { breakWrite, type FaultWorld, writes } from '../support/fault-world.ts';
import type { FaultRow } from '../support/row.ts';

/** A service is asked twice for five seconds each; what is left is for processes that share two processors with others. */
const ANSWERED_IN_MS = 15_000;

const unwraps = ({ operation }: AwsCall) => operation === 'Decrypt' || operation === 'GenerateDataKey';
const readsSecret = ({ operation }: AwsCall) => operation === 'GetSecretValue';

/** Services of AWS that take a request and give no answer, or none that ends. */
export const silentServiceRows: readonly FaultRow[] = [
  silentRow('F115', 'hang', 'take each request and never answer'),
  silentRow('F116', 'trickle', 'answer a byte a second without end'),
  silentRow('F117', 'cut', 'reset each connection in the middle of the answer'),
];

function silentRow(id: string, kind: 'hang' | 'trickle' | 'cut', how: string): FaultRow {
  return {
    id,
    claim: `table, key service and secret store that ${how}: each caller has a 503 that says when to come again, and all heals by itself`,
    runs: 'matrix',
    async run(world) {
      const action: FaultAction = { kind };
      const whole = await world.connect({ expired: false });
      const [expired, written] = await world.connectMany(2);
      if (expired === undefined || written === undefined) throw new Error('There are two');

      await world.restart('proxy');
      await world.restart('management');
      world.table.add(() => true, action, 1_000_000);
      await refusesInTime('the table', [() => whole.call(), () => listConnections(world), () => openSession(world)]);
      await world.calm();
      expect((await whole.call()).status, 'the table is back').toBe(200);

      await world.restart('proxy');
      world.aws.add(unwraps, action, 1_000_000);
      await refusesInTime('the key service', [() => whole.call(), () => expired.call()]);
      expect(await tokenCalls(world.gateway), 'nothing is asked for that could not be stored').toHaveLength(0);
      await world.calm();
      expect((await whole.call()).status, 'the key service is back').toBe(200);

      await world.restart('proxy');
      world.aws.add(readsSecret, action, 1_000_000);
      await refusesInTime('the secret store', [() => expired.call()]);
      expect(await tokenCalls(world.gateway)).toHaveLength(0);
      await world.calm();

      // Served with what the provider gave, unless the write outlasts two leases, which are short here.
      breakWrite(world, written, writes.tokens, action, 1_000_000);
      const [answer, tookMs] = await timed(() => written.call());
      expect([200, 503], 'a write of tokens').toContain(answer.status);
      expect(tookMs).toBeLessThan(ANSWERED_IN_MS);
      await world.calm();
    },
    // What the provider gave for the write that was not answered.
    spareTokenCalls: 1,
    // The connection whose secret could not be read is not asked for at once.
    recovery: 'forced',
  };
}

/** Each of these calls, made side by side, is refused for a while and in time. */
async function refusesInTime(what: string, calls: readonly (() => Promise<Response>)[]): Promise<void> {
  for (const [answer, tookMs] of await Promise.all(calls.map(timed))) {
    const { error } = await answer.json();
    expect(answer.status, `${what}: ${error.message}`).toBe(503);
    expect(['service_unavailable', 'token_refresh_unavailable']).toContain(error.code);
    expect(Number(answer.headers.get('retry-after')), what).toBeGreaterThan(0);
    expect(tookMs, what).toBeLessThan(ANSWERED_IN_MS);
  }
}

async function timed(call: () => Promise<Response>): Promise<[answer: Response, tookMs: number]> {
  const from = quietNowMs();
  return [await call(), quietNowMs() - from];
}

function listConnections(world: FaultWorld): Promise<Response> {
  return world.gateway.call('/connections?limit=1');
}

/** What a person's browser asks; nobody has a session of this token. */
function openSession(world: FaultWorld): Promise<Response> {
  return world.gateway.call('/connect/session', { headers: { authorization: `Bearer cs_${'a'.repeat(43)}` } });
}
