import { expect } from 'vitest';
import { control, forgetRequests, tokenCalls } from '../../support/simulator.ts';
import { sweep } from '../../support/sweep.ts';
import type { AwsCall } from '../support/fault-proxy.ts';
import { type FaultWorld, nowSec, type Subject, statusesOf, THROTTLED } from '../support/fault-world.ts';
import type { FaultRow } from '../support/row.ts';
import { forceRefresh } from './grants.ts';

/** Keys and stored values that cannot be used. */
export const storageRows: readonly FaultRow[] = [
  {
    id: 'F51',
    claim:
      'without the key service callers get 503, nothing is stored in clear and no grant is judged; it heals by itself',
    runs: 'test',
    async run(world) {
      const subject = await world.connect();
      const { kms } = world.gateway.gateway.switches;
      for (const fault of [{ disabled: true }, { throttled: true }]) {
        await world.restart('proxy');
        Object.assign(kms, fault);
        const answer = await subject.call();
        expect(answer.status).toBe(503);
        expect((await answer.json()).error.code).toBe('service_unavailable');
        expect(await tokenCalls(world.gateway), 'nothing is asked for that could not be stored').toHaveLength(0);
        const row = await subject.row();
        expect(row).toMatchObject({ status: 'active' });
        expect(row.refreshLease).toBeUndefined();
        expect(row.encryptedRefreshToken).toMatch(/^v1\./);
        await world.calm();
      }
      expect((await subject.call()).status).toBe(200);
    },
  },
  {
    id: 'F52',
    claim: 'one corrupt ciphertext is set aside and the sweep finishes all others',
    runs: 'long',
    async run(world) {
      const { broken, whole } = await oneBroken(world);
      const report = await world.gateway.gateway.tick('refresh');
      expect(report).toMatchObject({ refreshed: whole.length, failed: 1, dead: 0, finished: true });
      expect(await broken.row()).toMatchObject({ status: 'active', failureCount: 1 });
      for (const subject of whole) expect((await subject.row()).accessTokenExpiresAtEpochSec).toBeGreaterThan(nowSec());
      expect(await sweep(world.gateway, broken, ...whole)).toMatchObject({ failed: 0 });
    },
  },
  {
    id: 'F87',
    claim: 'an entry whose work always fails moves on by growing waits',
    runs: 'long',
    async run(world) {
      const { broken } = await oneBroken(world, 0);
      const waits: number[] = [];
      for (let tick = 0; tick < 3; tick++) {
        await broken.set({ refreshAt: nowSec() - 5 });
        expect(await sweep(world.gateway, broken)).toMatchObject({ failed: 1 });
        waits.push(Number((await broken.row()).refreshAt) - nowSec());
      }
      const [first = 0, , last = 0] = waits;
      expect(first).toBeGreaterThan(30);
      expect(last).toBeGreaterThan(first);
    },
  },
  {
    id: 'F140',
    claim:
      'PC-26: while units of the minute cannot be reported, no call fails for it, and each process holds background calls to what it has counted itself',
    runs: 'long',
    async run(world) {
      const { integrationId, connectionId } = await world.connect({ expired: false });
      const quota = (is: unknown) => world.gateway.json('PATCH', `/integrations/${integrationId}`, { quota: is });
      await quota({ per_minute: 1_000, per_minute_and_user: 10_000 });
      await world.restart('proxy');
      const isReport = ({ operation, body }: AwsCall) => operation === 'UpdateItem' && body.includes('_units#');
      const failing = world.table.add(isReport, THROTTLED, 10_000);
      const call = (priority: string) =>
        world.gateway.proxyAs(integrationId, connectionId, '/drive/v3/files', {
          headers: { 'gateway-priority': priority },
        });
      for (let i = 0; i < 3; i++) expect((await call('interactive')).status).toBe(200);
      const background = [];
      for (let i = 0; i < 24; i++) background.push((await call('background')).status);
      expect(new Set(background)).toEqual(new Set([200, 429]));
      expect(await statusesOf(10, () => call('interactive'))).toEqual(new Set([200]));
      await failing.met;
      await world.calm();
      expect((await quota(null)).status).toBe(200);
    },
  },
  {
    id: 'F44',
    claim: 'three of ten table reads throttled fail no call',
    runs: 'matrix',
    async run(world) {
      const subject = await world.connect({ expired: false });
      await world.restart('proxy');
      let reads = 0;
      const isThird = (call: { readonly operation: string }) =>
        (call.operation === 'GetItem' || call.operation === 'BatchGetItem') && reads++ % 10 < 3;
      world.table.add(isThird, THROTTLED, 10_000);
      expect(await statusesOf(100, () => subject.call())).toEqual(new Set([200]));
    },
  },
  {
    id: 'F45',
    claim:
      'the table down: warm memory serves, cold calls and refreshes answer 503 with Retry-After, and all heals by itself',
    runs: 'matrix',
    async run(world) {
      const warm = await world.connect({ expired: false });
      const others = await world.connectMany(2);
      // One process alone, so that the next call meets the memory of this one.
      await world.restart('proxy');
      expect((await warm.call()).status).toBe(200);
      world.table.add(() => true, { kind: 'drop' }, 1_000_000);
      expect((await warm.call()).status, 'from memory').toBe(200);
      for (const subject of others) {
        const answer = await subject.call();
        expect(answer.status, await answer.text()).toBe(503);
        expect(answer.headers.get('retry-after')).not.toBeNull();
      }
      await world.calm();
      for (const subject of [warm, ...others]) expect((await subject.call()).status).toBe(200);
    },
  },
  {
    id: 'F46',
    claim: 'a process that remembers an old token reads strongly when it is refused, without a refresh of its own',
    runs: 'matrix',
    async run(world) {
      const subject = await world.connect({ expired: false });
      expect((await subject.call()).status).toBe(200);
      await control(world.gateway, 'POST', '/tokens/expire', { kind: 'access' });
      expect((await forceRefresh(world, subject)).status).toBe(200);
      await forgetRequests(world.gateway);
      expect((await subject.call()).status).toBe(200);
      expect(await tokenCalls(world.gateway)).toHaveLength(0);
    },
  },
  {
    id: 'F49',
    claim: 'the secret store down: a warm process refreshes, a cold one answers 503 and heals by itself',
    runs: 'matrix',
    async run(world) {
      const [warm, cold] = [await world.connect(), await world.connect()];
      expect((await warm.call()).status).toBe(200);
      const down = { kind: 'error', name: 'InternalServiceError', status: 500 } as const;
      world.aws.add((call) => call.operation === 'GetSecretValue', down, 10_000);
      await world.restart('proxy');
      const answer = await cold.call();
      expect(answer.status).toBe(503);
      expect(await cold.row()).toMatchObject({ status: 'active' });
      await world.calm();
      expect((await forceRefresh(world, cold)).status).toBe(200);
    },
  },
  {
    id: 'F50',
    claim: 'a malformed client secret fails its integration by name, and no other',
    runs: 'matrix',
    async run(world) {
      const subject = await world.connect({ integrationId: 'google-calendar' });
      const other = await world.connect();
      await world.restart('proxy');
      const rubbish = { Name: 'x', SecretString: '{"client_id":', VersionId: 'v', ARN: 'arn' };
      const fault = world.aws.add(
        (call) => call.operation === 'GetSecretValue' && /calendar/i.test(call.body),
        { kind: 'answer', body: rubbish },
        10_000,
      );
      const answer = await subject.call();
      expect(answer.status).toBe(424);
      expect((await answer.json()).error.code).toBe('integration_credentials_rejected');
      expect((await other.call()).status).toBe(200);
      expect(await subject.row()).toMatchObject({ status: 'active' });
      fault.release();
      expect((await forceRefresh(world, subject)).status).toBe(200);
    },
  },
];

/** Connections that are due, one of them with a ciphertext that was cut, which stays so. */
async function oneBroken(world: FaultWorld, others = 4): Promise<{ broken: Subject; whole: Subject[] }> {
  const [broken, whole] = [await world.connect(), await world.connectMany(others)];
  for (const subject of [broken, ...whole]) await subject.set({ refreshAt: nowSec() - 5 });
  world.subjects.delete(broken);
  await broken.set({ encryptedRefreshToken: 'v1.1.AAAA' });
  return { broken, whole };
}
