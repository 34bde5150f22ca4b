import { expect } from 'vitest';
import { quietNowMs } from '../../support/quiet-time.ts';
import { tokenCalls } from '../../support/simulator.ts';
import { breakWrite, REFRESH, SHORT_LEASE_SEC, statusesOf, THROTTLED, until, writes } from '../support/fault-world.ts';
import type { FaultRow } from '../support/row.ts';
import { forceRefresh } from './grants.ts';
import { killAt } from './lease.ts';

/** Answers and writes that get lost between the provider and the table. */
export const lostAnswerRows: readonly FaultRow[] = [
  {
    id: 'F04',
    claim:
      'killed between answer and store: full recovery without rotation or in its grace, rotation_lost where it is strict',
    runs: 'matrix',
    // The answer died with its process.
    spareTokenCalls: 1,
    async run(world) {
      for (const [rotateRefreshToken, status] of [
        [undefined, 200],
        ['grace', 200],
        ['strict', 424],
      ] as const) {
        const subject = await world.connect();
        if (rotateRefreshToken !== undefined) await world.provider(REFRESH, { rotateRefreshToken }, { times: 1 });
        await killAt(world, subject, writes.tokens, 'before');
        expect((await subject.call()).status, rotateRefreshToken ?? 'no rotation').toBe(status);
        if (status === 424) expect(await subject.row()).toMatchObject({ cause: 'rotation_lost' });
        await world.calm();
      }
    },
  },
  {
    id: 'F06',
    claim: 'a lost token reply is asked for once more: grace recovers, strict gives rotation_lost, without a loop',
    runs: 'matrix',
    async run(world) {
      for (const [rotateRefreshToken, status] of [
        ['grace', 200],
        ['strict', 424],
      ] as const) {
        const subject = await world.connect();
        await world.provider(REFRESH, { rotateRefreshToken, closeAfterApply: true }, { times: 1 });
        expect((await subject.call()).status, rotateRefreshToken).toBe(status);
        expect(await tokenCalls(world.gateway)).toHaveLength(2);
        if (status === 424) expect(await subject.row()).toMatchObject({ cause: 'rotation_lost' });
        await world.calm();
      }
    },
  },
  {
    id: 'F07',
    claim: 'a token reply cut anywhere stores nothing partial',
    runs: 'matrix',
    async run(world) {
      const subject = await world.connect({ expired: false });
      for (const at of [0, 1, 2, 20, 80, 150, 200, 250]) {
        for (const cut of ['truncateAfterBytes', 'resetAfterBytes']) {
          const before = await subject.row();
          await world.provider(REFRESH, { [cut]: at });
          expect((await forceRefresh(world, subject)).status, `${cut} ${at}`).toBe(503);
          const row = await subject.row();
          expect(row).toMatchObject({ status: 'active', encryptedAccessToken: before.encryptedAccessToken });
          await world.calm();
        }
      }
    },
  },
  {
    id: 'F08',
    claim: 'a token endpoint that hangs: the old token serves, expired ones get 503 in time, the lease comes free',
    runs: 'matrix',
    async run(world) {
      await world.provider(REFRESH, { hang: true });
      const valid = await world.connect({ expired: false });
      await valid.set({ accessTokenExpiresAtEpochSec: Math.floor(Date.now() / 1000) + 60 });
      expect((await valid.call()).status).toBe(200);
      // The refresh alongside the call outlasts the answer.
      await until('the lease is free', async () => (await valid.row()).refreshLease === undefined);
      const expired = await world.connect();
      const startedMs = quietNowMs();
      expect(await statusesOf(20, () => expired.call())).toEqual(new Set([503]));
      expect(quietNowMs() - startedMs).toBeLessThan((2 * SHORT_LEASE_SEC + 2) * 1000);
      expect((await tokenCalls(world.gateway)).length).toBeLessThanOrEqual(2);
      expect((await expired.row()).refreshLease).toBeUndefined();
    },
  },
  {
    id: 'F14',
    claim: 'a token write throttled after rotation is repeated, and what stays unwritten is adopted from escrow',
    runs: 'matrix',
    async run(world) {
      const brief = await world.connect({ account: 'second.user@example.com' });
      await world.provider(REFRESH, { rotateRefreshToken: 'strict' }, { times: 1 });
      breakWrite(world, brief, writes.tokens, THROTTLED, 3);
      expect((await brief.call()).status).toBe(200);
      // A caller waits for no write that is repeated.
      await until('what was rotated is stored', async () => (await brief.row()).attemptHash === undefined);
      await world.calm();

      const long = await world.connect({ account: 'second.user@example.com' });
      await world.provider(REFRESH, { rotateRefreshToken: 'strict' }, { times: 1 });
      breakWrite(world, long, writes.tokens, THROTTLED, 1_000);
      expect((await long.call()).status).toBe(200);
      expect((await long.row()).attemptHash, 'open').toBeTypeOf('string');
      await world.calm();
      await new Promise((resolve) => setTimeout(resolve, SHORT_LEASE_SEC * 1000));
      await world.gateway.gateway.tick('refresh');
      const row = await long.row();
      expect(row.tokenEpoch).toBe(row.epoch);
      expect(await tokenCalls(world.gateway)).toHaveLength(1);
    },
  },
  {
    id: 'F15',
    claim: 'token write and escrow denied: the call in hand is served, an alarm says so, and the end is explicit',
    runs: 'matrix',
    // The answer could be stored nowhere.
    spareTokenCalls: 1,
    async run(world) {
      const subject = await world.connect({ account: 'second.user@example.com' });
      await world.provider(REFRESH, { rotateRefreshToken: 'strict' }, { times: 1 });
      const denied = { kind: 'error', name: 'AccessDeniedException' } as const;
      breakWrite(world, subject, writes.tokens, denied, 1_000);
      world.table.add(writes.escrow, denied, 1_000);
      expect((await subject.call()).status).toBe(200);
      expect(JSON.stringify(world.gateway.gateway.logs())).toContain('RotatedTokenLost');
      await world.calm();
      expect((await subject.call()).status).toBe(424);
      expect(await subject.row()).toMatchObject({ cause: 'rotation_lost' });
    },
  },
];
