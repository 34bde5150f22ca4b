import { expect } from 'vitest';
import { quietNowMs } from '../../support/quiet-time.ts';
import { tokenCalls } from '../../support/simulator.ts';
import { sweep } from '../../support/sweep.ts';
import {
  breakWrite,
  type FaultWorld,
  REFRESH,
  SHORT_LEASE_SEC,
  type Subject,
  tokenCallsReach,
  writes,
} from '../support/fault-world.ts';
import type { FaultRow } from '../support/row.ts';

const HOLD_BEFORE = { kind: 'hold', side: 'before' } as const;

/** Faults around the lease: who refreshes, and whose writes count. */
export const leaseRows: readonly FaultRow[] = [
  {
    id: 'F01',
    claim: '200 callers of a token that has just expired cause one token call, and all succeed',
    runs: 'test',
    async run(world) {
      const subject = await world.connect();
      const answers = await Promise.all(Array.from({ length: 200 }, () => subject.call()));
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
      expect(await tokenCalls(world.gateway)).toHaveLength(1);
    },
  },
  {
    id: 'F03',
    claim: 'a process killed with the lease taken holds nobody longer than one lease',
    runs: 'test',
    async run(world) {
      const subject = await world.connect();
      await killAt(world, subject, writes.lease, 'after');
      expect(await tokenCalls(world.gateway)).toHaveLength(0);
      const startedMs = quietNowMs();
      expect((await subject.call()).status).toBe(200);
      expect(quietNowMs() - startedMs).toBeLessThan((SHORT_LEASE_SEC + 2) * 1000);
      expect(await tokenCalls(world.gateway)).toHaveLength(1);
    },
  },
  {
    id: 'F05',
    claim: 'a process killed after the store costs no further token call',
    runs: 'test',
    async run(world) {
      const subject = await world.connect();
      await killAt(world, subject, writes.tokens, 'after');
      expect((await subject.call()).status).toBe(200);
      expect(await tokenCalls(world.gateway)).toHaveLength(1);
    },
  },
  {
    id: 'F09',
    claim: "a holder slower than its lease changes nothing of the next holder's tokens",
    runs: 'long',
    // The holder is slower than its lease: who takes the next one asks again.
    spareTokenCalls: 1,
    async run(world) {
      const subject = await world.connect();
      const late = breakWrite(world, subject, writes.tokens, { kind: 'hold', side: 'before' });
      const first = subject.call();
      await late.met;
      expect((await subject.call()).status).toBe(200);
      const stored = await subject.row();
      late.release();
      expect((await first).status).toBe(200);
      const row = await subject.row();
      expect(row.encryptedAccessToken).toBe(stored.encryptedAccessToken);
      expect(row.tokenEpoch).toBe(stored.tokenEpoch);
    },
  },
  {
    id: 'F09-strict',
    claim:
      'a rotated token of a holder slower than its lease reaches the row through escrow, and the connection lives again',
    runs: 'long',
    // As F09.
    spareTokenCalls: 1,
    async run(world) {
      const subject = await world.connect({ account: 'second.user@example.com' });
      await world.provider(REFRESH, { rotateRefreshToken: 'strict' }, { times: 1 });
      const late = breakWrite(world, subject, writes.tokens, { kind: 'hold', side: 'before' });
      const first = subject.call();
      await late.met;
      const second = await subject.call();
      expect(second.status).toBe(424);
      expect(await subject.row()).toMatchObject({ status: 'reauthorization_required', cause: 'rotation_lost' });
      late.release();
      expect((await first).status).toBe(200);
      await sweep(world.gateway, subject);
      expect((await subject.row()).status).toBe('active');
      expect((await subject.events()).map(({ type }) => type)).toEqual([
        'ConnectionCreated',
        'ConnectionReauthorizationRequired',
        'ConnectionRecovered',
      ]);
    },
  },
  {
    id: 'F16-escrow',
    claim:
      'a rotated token that reaches escrow while the refusal of its predecessor is judged is adopted, and nothing is marked',
    runs: 'long',
    // As F09.
    spareTokenCalls: 1,
    async run(world) {
      const subject = await world.connect({ account: 'second.user@example.com' });
      await world.provider(REFRESH, { rotateRefreshToken: 'strict' }, { times: 1 });
      const late = breakWrite(world, subject, writes.tokens, { kind: 'hold', side: 'before' });
      const first = subject.call();
      await late.met;
      await world.provider(REFRESH, { delayMs: 500 }, { times: 1 });
      const second = subject.call();
      await tokenCallsReach(world, 2);
      // The refusal is on its way: the next strong read of the row is the look before it is believed.
      const judging = breakWrite(world, subject, ({ operation }) => operation === 'GetItem', HOLD_BEFORE);
      await judging.met;
      late.release();
      expect((await first).status).toBe(200);
      judging.release();
      expect((await second).status).toBe(200);
      expect((await subject.row()).status).toBe('active');
      expect(await subject.events()).toHaveLength(1);
    },
  },
  {
    id: 'F10',
    claim: "a late release leaves the next holder's lease alone",
    runs: 'long',
    async run(world) {
      const subject = await world.connect();
      await world.provider(REFRESH, { status: 503 }, { times: 1 });
      const late = breakWrite(world, subject, writes.release, { kind: 'hold', side: 'before' });
      const first = subject.call();
      await late.met;
      const store = breakWrite(world, subject, writes.tokens, { kind: 'hold', side: 'before' });
      const second = subject.call();
      await store.met;
      const { refreshLease } = await subject.row();
      late.release();
      await first;
      expect((await subject.row()).refreshLease).toEqual(refreshLease);
      store.release();
      expect((await second).status).toBe(200);
    },
  },
  {
    id: 'F11',
    claim: 'a holder recognizes its own lease when the reply to its write is lost',
    runs: 'test',
    async run(world) {
      const subject = await world.connect();
      const lost = breakWrite(world, subject, writes.lease, { kind: 'apply_then_drop' });
      const call = subject.call();
      await lost.met;
      const startedMs = quietNowMs();
      expect((await call).status).toBe(200);
      expect(quietNowMs() - startedMs, 'it does not wait until its own lease is over').toBeLessThan(
        SHORT_LEASE_SEC * 1000 - 500,
      );
      expect(await tokenCalls(world.gateway)).toHaveLength(1);
    },
  },
  {
    id: 'F12',
    claim: 'an attempt that fails leaves nothing in the process: its next call works',
    runs: 'test',
    async run(world) {
      const subject = await world.connect();
      // One process alone, so that the next call meets this one.
      await world.restart('proxy');
      breakWrite(world, subject, writes.lease, { kind: 'error', name: 'AccessDeniedException' });
      expect((await subject.call()).status).toBe(503);
      const proxies = () => world.gateway.gateway.children().filter(({ functionName }) => functionName === 'proxy');
      const before = proxies().map(({ pid }) => pid);
      expect((await subject.call()).status).toBe(200);
      expect(proxies().map(({ pid }) => pid)).toEqual(before);
    },
  },
  {
    id: 'F13',
    claim: 'a token write whose reply is lost is known as a success, also when another lease has been taken since',
    runs: 'long',
    async run(world) {
      const subject = await world.connect();
      breakWrite(world, subject, writes.tokens, {
        kind: 'apply_then_drop',
        async meanwhile() {
          const row = await subject.row();
          await subject.set({ epoch: Number(row.epoch) + 1 });
        },
      });
      expect((await subject.call()).status).toBe(200);
      expect(await tokenCalls(world.gateway)).toHaveLength(1);
      expect((await subject.call()).status).toBe(200);
      expect(await tokenCalls(world.gateway)).toHaveLength(1);
    },
  },
];

/** Calls, and kills the process that serves the call when it stands at a write. */
export async function killAt(
  world: FaultWorld,
  subject: Subject,
  kind: Parameters<typeof breakWrite>[2],
  side: 'before' | 'after',
): Promise<void> {
  const fault = breakWrite(world, subject, kind, { kind: 'hold', side });
  const call = subject.call();
  await fault.met;
  await world.signalBusy('proxy', 'SIGKILL');
  expect((await call).status).toBe(502);
  // What a dead process had not sent is never applied.
  fault.release(side === 'before' ? 'drop' : undefined);
}
