import { expect } from 'vitest';
import { forgetRequests, tokenCalls } from '../../support/simulator.ts';
import { sweep } from '../../support/sweep.ts';
import { changeItem, connectionKey, readItem } from '../../support/table.ts';
import { type FaultWorld, nowSec, type Subject, until, writes } from '../support/fault-world.ts';
import type { FaultRow } from '../support/row.ts';

/** The schedule: twice at once, late, killed, and misled by its index. */
export const sweepRows: readonly FaultRow[] = [
  {
    id: 'F59',
    claim: 'ticks that overlap or fire twice refresh nothing twice, and what an hour left over is caught up',
    runs: 'long',
    async run(world) {
      const subjects = await world.connectMany(5);
      for (const subject of subjects) await subject.set({ refreshAt: nowSec() - 3600 });
      await world.provider({ origin: 'token' }, { delayMs: 300 });
      let refreshed = 0;
      const tick = async () => {
        const report = await world.gateway.gateway.tick('refresh');
        if (isReport(report)) refreshed += report.refreshed;
      };
      await Promise.all([tick(), tick(), tick()]);
      // What a slow answer has put off is the next tick's.
      await until('all are refreshed', async () => {
        const rows = await Promise.all(subjects.map((subject) => subject.row()));
        if (rows.every((row) => Number(row.accessTokenExpiresAtEpochSec) > nowSec())) return true;
        await tick();
        return false;
      });
      expect(refreshed).toBe(5);
      expect(await tokenCalls(world.gateway)).toHaveLength(5);
    },
  },
  {
    id: 'F83',
    claim: 'an entry that is refreshed, dead or deleted by now causes no token call and is put right',
    runs: 'long',
    async run(world) {
      const dead = await world.connect();
      const done = await world.connect();
      const shard = (await dead.row()).dueShard;
      await dead.set({ status: 'reauthorization_required', cause: 'unknown', refreshAt: nowSec() - 5 });
      await done.set({ refreshAt: nowSec() - 5 });
      const reading = world.table.add((call) => call.operation === 'GetItem' && done.owns(call), {
        kind: 'hold',
        side: 'before',
      });
      const tick = sweep(world.gateway, dead, done);
      await reading.met;
      const { dueShard } = await done.row();
      await done.set({ refreshAt: nowSec() + 1000, dueShard });
      reading.release();
      expect(await tick).toMatchObject({ refreshed: 0, skipped: 2 });
      expect(await tokenCalls(world.gateway)).toHaveLength(0);
      const row = await dead.row();
      expect(row.dueShard).toBeUndefined();
      expect(row.refreshAt).toBeUndefined();
      await dead.set({ status: 'active', dueShard: shard, refreshAt: nowSec() + 1000 });
    },
  },
  {
    id: 'F69',
    claim: 'a revocation the provider could not take stays due until it is done',
    runs: 'matrix',
    async run(world) {
      const account = 'viewer@workspace.example';
      const subject = await world.connect({ account });
      await world.provider({ pathPrefix: '/revoke' }, { status: 503 });
      const deleted = await world.gateway.call(`${subject.path}&revoke=true`, { method: 'DELETE' });
      expect(JSON.stringify(await deleted.json())).toContain('pending');
      expect(await subject.row()).toMatchObject({ status: 'deleted' });
      await makeDue(world, subject);
      await world.gateway.gateway.tick('refresh');
      expect(await readItem(world.gateway, revocationKey(subject))).toMatchObject({ failureCount: 2 });
      await world.calm();
      await makeDue(world, subject);
      await world.gateway.gateway.tick('refresh');
      expect(await readItem(world.gateway, revocationKey(subject))).toBeUndefined();
      const done = await world.gateway.gateway.waitForEvent(
        (event) => event['detail-type'] === 'ConnectionGrantRevoked',
        5_000,
      );
      expect(done.detail).toMatchObject({ connection_id: subject.connectionId, cause: 'revoked' });
    },
  },
  {
    id: 'F88',
    claim: 'a sweep killed after some of its page leaves the rest to the next tick',
    runs: 'matrix',
    async run(world) {
      const subjects = await world.connectMany(6);
      for (const subject of subjects) await subject.set({ refreshAt: nowSec() - 5 });
      await forgetRequests(world.gateway);
      const stored = world.table.add(writes.tokens, { kind: 'hold', side: 'after' });
      const tick = world.gateway.gateway.tick('refresh').catch(() => 'killed');
      await stored.met;
      await world.signalBusy('refresh', 'SIGKILL');
      expect(await tick).toBe('killed');
      stored.release();
      await until(
        'the rest is done',
        async () => {
          await world.gateway.gateway.tick('refresh');
          const rows = await Promise.all(subjects.map((subject) => subject.row()));
          return rows.every((row) => Number(row.accessTokenExpiresAtEpochSec) > nowSec());
        },
        // The run that was killed keeps its slice for three leases.
        30_000,
      );
      expect((await tokenCalls(world.gateway)).length).toBeLessThanOrEqual(subjects.length * 2);
    },
  },
  {
    id: 'F89',
    claim: 'an idle connection is refreshed once per keep-alive period, and noting its use costs one write',
    runs: 'matrix',
    async run(world) {
      const idle = await world.connect();
      const longAgo = nowSec() - 60 * DAY_SEC;
      // No end of Testing mode lies ahead that would bring it before the schedule earlier.
      await idle.set({ lastUsedAtEpochSec: longAgo, consentedAtEpochSec: longAgo, refreshAt: nowSec() - 5 });
      expect(await world.gateway.gateway.tick('refresh')).toMatchObject({ refreshed: 1 });
      const next = Number((await idle.row()).refreshAt) - nowSec();
      expect(next).toBeGreaterThan(26 * DAY_SEC);
      expect(next).toBeLessThanOrEqual(30 * DAY_SEC);
      const notes = world.table.add(
        (call) => call.body.includes('SET #lastUsedAtEpochSec') && idle.owns(call),
        { kind: 'pass' },
        100,
      );
      for (let i = 0; i < 20; i++) expect((await idle.call()).status).toBe(200);
      expect(notes.count(), 'one write per process at most').toBeLessThanOrEqual(4);
      expect(Number((await idle.row()).refreshAt) - nowSec(), 'in use again: refreshed ahead').toBeLessThan(3600);
    },
  },
];

const DAY_SEC = 24 * 3600;

function revocationKey(subject: Subject) {
  return { pk: connectionKey(subject.integrationId, subject.connectionId).pk, sk: 'REVOCATION' };
}

/** The back-off of a pending revocation has passed. */
function makeDue(world: FaultWorld, subject: Subject): Promise<void> {
  return changeItem(world.gateway, revocationKey(subject), { refreshAt: nowSec() - 1 });
}

function isReport(value: unknown): value is { readonly refreshed: number } {
  return typeof value === 'object' && value !== null && 'refreshed' in value;
}
