import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastMinute, secondsUntilRoom, usedUpMinute } from '../../../lambdas/gateway/calls/pace.rules.ts';
import { Pacing, type QuotaOwner } from '../../../lambdas/gateway/calls/pacing.ts';
import type { CallTotals } from '../../../lambdas/gateway/calls/ports.ts';
import { BACKGROUND_SHARE } from '../../../lambdas/gateway/core/limits.ts';
import { memoryCallTotals } from '../support/memory-call-totals.ts';
import { MINUTE_MS, START_MS } from './support.ts';

const QUOTA = { perMinute: 10_000, perMinuteAndUser: 6_000 };
const LATE_MS = START_MS + 45_000;
const ROOM = QUOTA.perMinute * BACKGROUND_SHARE;

/** Processes over one table, one clock and one chance. */
function world(options: { readonly store?: CallTotals; readonly random?: () => number } = {}) {
  const totals = memoryCallTotals();
  // Late enough in the minute for all of its room to be free.
  const clock = { ms: LATE_MS, nowMs: () => clock.ms };
  const warned: unknown[] = [];
  const deps = {
    totals: options.store ?? totals,
    clock,
    random: { bytes: (length: number) => new Uint8Array(length), number: options.random ?? (() => 0) },
    logger: { info() {}, warn: (...line: unknown[]) => void warned.push(line), error() {} },
  };
  return { process: () => new Pacing(deps), clock, totals, warned };
}

/** A user of a Cloud project, whose quota it is. */
function owner(user: string, own: QuotaOwner['own'] = QUOTA): QuotaOwner {
  return {
    provider: 'google-drive',
    cloudProject: '42',
    user,
    quota: { perMinute: 1_000_000, perMinuteAndUser: 325_000 },
    own,
  };
}

const units = (many: number) => ({ units: many, requests: 1 });
const retryAfterOf = async (answer: ReturnType<Pacing['mayBegin']>) => (await answer)?.details.retryAfterSec;

describe('the last minute of a quota', () => {
  it('PC-1: slides: what was taken in the minute before counts for as much of it as lies in the last sixty seconds', () => {
    expect(lastMinute({ current: 100, previous: 600, elapsedSec: 45 })).toBe(250);
    expect(lastMinute({ current: 100, previous: 600, elapsedSec: 0 })).toBe(700);
  });

  it('PC-23: a call is sent back for as long as it takes until it fits, if nothing else is taken', () => {
    const use = fc.record({
      current: fc.integer({ min: 0, max: 2000 }),
      previous: fc.integer({ min: 0, max: 2000 }),
      elapsedSec: fc.double({ min: 0, max: 59.9, noNaN: true }),
    });
    fc.assert(
      fc.property(use, fc.integer({ min: 1, max: 900 }), (taken, wanted) => {
        const room = 1000;
        const waitSec = secondsUntilRoom(taken, room, wanted);
        /** How much more than fits would be taken so many seconds later: of the last sixty seconds, and of that minute so far. */
        const excess = (sec: number) => {
          const at = taken.elapsedSec + sec;
          const later =
            at <= 60
              ? { ...taken, elapsedSec: at }
              : { current: 0, previous: taken.current, elapsedSec: Math.min(60, at - 60) };
          const soFar = later.current === 0 ? 0 : later.current + wanted - room * (0.25 + later.elapsedSec / 60);
          return Math.max(lastMinute(later) + wanted - room, soFar);
        };
        expect(excess(waitSec)).toBeLessThanOrEqual(1e-6);
        if (waitSec > 0.2) expect(excess(waitSec - 0.1)).toBeGreaterThan(0);
        expect(waitSec).toBeLessThan(120);
      }),
    );
  });

  it('PC-24: shows whose minute the provider says is used up', () => {
    expect(usedUpMinute(403, 'userRateLimitExceeded')).toBe('user');
    expect(usedUpMinute(403, 'quotaExceeded')).toBeUndefined();
    expect(usedUpMinute(403, 'rateLimitExceeded')).toBe('project');
    expect(usedUpMinute(429, undefined)).toBe('project');
    expect(usedUpMinute(403, 'insufficientPermissions')).toBeUndefined();
    expect(usedUpMinute(200, 'userRateLimitExceeded')).toBeUndefined();
  });
});

describe('calls in the background', () => {
  it('PC-22: calls in the background begin while less than 70 % of the project’s minute is taken, by whomever', async () => {
    const { process, clock } = world();
    const [busy, job] = [process(), process()];
    busy.took(owner('alice'), units(ROOM - 200));
    await busy.pending();
    expect(await job.mayBegin(owner('bob'), units(100))).toBeUndefined();
    busy.took(owner('alice'), units(200));
    await busy.pending();
    clock.ms += 1_000;
    expect(await job.mayBegin(owner('bob'), units(100))).toMatchObject({
      message: expect.stringContaining('Nothing was sent'),
      details: {
        limit: { name: 'background', scope: 'project', units: 100, most: ROOM, left: 0 },
        rate: { policy: 'project-quota', quota: ROOM, windowSec: 60, left: 0 },
        applied: 'no',
      },
    });
  });

  it('PC-23: calls in the background begin a quarter of what they may at once, and the rest as the minute passes: no sixty seconds hold more than the share and that quarter', async () => {
    const { process, clock } = world();
    clock.ms = START_MS;
    const job = process();
    const begun: number[] = [];
    for (; clock.ms < START_MS + 3 * MINUTE_MS; clock.ms += 100) {
      for (let i = 0; i < 20; i++) {
        const whose = owner(`user ${i}`);
        if ((await job.mayBegin(whose, units(70))) !== undefined) continue;
        job.took(whose, units(70));
        begun.push(clock.ms);
      }
    }
    const within = (fromMs: number, ms: number) => 70 * begun.filter((at) => at >= fromMs && at < fromMs + ms).length;
    expect(within(START_MS, 1_000)).toBeLessThanOrEqual(ROOM * 0.27);
    const most = Math.max(...begun.map((fromMs) => within(fromMs, MINUTE_MS)));
    expect(most).toBeLessThanOrEqual(ROOM * 1.25 + 140);
    // And a job has its share in the long run.
    expect(within(START_MS, 3 * MINUTE_MS)).toBeGreaterThan(2.6 * ROOM);
  });

  it('PC-22: calls in the background leave a part of a user’s own minute, too, and not of another’s', async () => {
    const { process } = world();
    const job = process();
    job.took(owner('alice'), units(QUOTA.perMinuteAndUser * BACKGROUND_SHARE));
    expect((await job.mayBegin(owner('alice'), units(5)))?.details.limit).toMatchObject({
      scope: 'user',
      most: 4200,
      left: 0,
    });
    expect(await job.mayBegin(owner('bob'), units(5))).toBeUndefined();
  });

  it('PC-21: a process with few calls reports none, and one with many after ten seconds or 2 % of what is left', async () => {
    const { process, totals, clock } = world();
    const few = process();
    for (let i = 0; i < 9; i++) few.took(owner(`user ${i}`), units(1));
    clock.ms += 20_000;
    few.took(owner('last'), units(0));
    expect(totals.reports).toEqual([]);
    const many = process();
    many.took(owner('alice'), units(110));
    expect(totals.reports).toEqual([]);
    clock.ms += 10_000;
    many.took(owner('bob'), units(1));
    await many.pending();
    expect(totals.reports.map(({ subject, calls }) => [subject.kind, calls])).toEqual([['project_units', 111]]);
    many.took(owner('carol'), units(200));
    await many.pending();
    expect(totals.reports.map(({ subject, calls }) => [subject.kind, calls]).slice(1)).toEqual([
      ['project_units', 200],
    ]);
  });

  it('PC-21: a user’s minute is reported for each 10 % of it, so calls that take less ask nothing', async () => {
    const { process, totals, clock } = world();
    const one = process();
    const alice = owner('alice', { perMinute: 1_000_000, perMinuteAndUser: 325_000 });
    for (let call = 0; call < 190; call++) one.took(alice, units(100));
    await one.pending();
    expect(totals.reports).toEqual([]);
    clock.ms += 1_000;
    for (let call = 0; call < 3_000; call++) {
      one.took(alice, units(100));
      await one.pending();
    }
    const ofUser = totals.reports.filter(({ subject }) => subject.kind === 'user_units');
    expect(ofUser.map(({ calls }) => calls)).toEqual(Array.from({ length: 9 }, () => 32_500));
  });

  it('PC-21: a minute that is full is reported no more, however many calls follow', async () => {
    const totals = memoryCallTotals();
    let told = 0;
    const add: CallTotals['add'] = (...all) => {
      told++;
      return totals.add(...all);
    };
    const one = world({ store: { ...totals, add } }).process();
    const anna = owner('anna');
    const take = async (calls: number) => {
      for (let made = 0; made < calls; made++) {
        one.took(anna, units(200));
        await one.pending();
      }
      return told;
    };
    const whenFull = await take(QUOTA.perMinute / 200);
    expect(whenFull).toBeGreaterThan(0);
    expect(await take(500)).toBe(whenFull);
  });

  it('PC-22: calls in the background ask the table once a second, and for the minute before once a minute', async () => {
    const { process, totals, clock } = world();
    const job = process();
    for (let i = 0; i < 30; i++) {
      expect(await job.mayBegin(owner('alice'), units(1))).toBeUndefined();
      job.took(owner('alice'), units(1));
      clock.ms += 100;
    }
    const asked = totals.reports.filter(({ subject }) => subject.kind === 'project_units');
    const minute = Math.floor(START_MS / MINUTE_MS);
    expect(asked.map(({ window }) => window - minute).sort()).toEqual([-1, 0, 0, 0]);
  });

  it('PC-1: what was taken at the end of a minute counts in the next one', async () => {
    const { process, clock } = world();
    clock.ms = START_MS + MINUTE_MS - 1_000;
    const busy = process();
    busy.took(owner('alice'), units(ROOM));
    await busy.pending();
    clock.ms += 2_000;
    expect(await retryAfterOf(process().mayBegin(owner('bob'), units(ROOM / 10)))).toBe(5);
    clock.ms += 5_000;
    expect(await process().mayBegin(owner('bob'), units(ROOM / 10))).toBeUndefined();
  });

  it('PC-21: fifty processes that begin as many as they may pass the share by a twentieth at most', async () => {
    const { process, clock } = world();
    const jobs = Array.from({ length: 50 }, process);
    let begun = 0;
    let newestMs = clock.ms;
    for (; clock.ms < newestMs + 3_000; clock.ms += 100) {
      const asked = jobs.map(async (job, i) => {
        const whose = owner(`user ${i}`);
        if ((await job.mayBegin(whose, units(5))) !== undefined) return;
        begun += 5;
        newestMs = clock.ms;
        job.took(whose, units(5));
      });
      await Promise.all(asked);
    }
    expect(begun).toBeGreaterThanOrEqual(ROOM);
    expect(begun).toBeLessThanOrEqual(ROOM * 1.05);
  });

  it('PC-23: a hundred clients that wait for Retry-After pass within two minutes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })), async (chance) => {
        const { process, clock } = world({ random: () => Number(chance.next().value) });
        const job = process();
        clock.ms = START_MS + 20_000;
        job.took(owner('busy'), units(QUOTA.perMinute));
        await job.pending();
        const waiting = Array.from({ length: 100 }, (_, i) => ({ whose: owner(`user ${i}`), atMs: clock.ms }));
        const untilMs = clock.ms + 2 * MINUTE_MS;
        let passed = 0;
        const seconds = new Map<number, number>();
        for (; clock.ms <= untilMs && passed < 100; clock.ms += 250) {
          for (const client of waiting.filter(({ atMs }) => atMs <= clock.ms)) {
            const refused = await job.mayBegin(client.whose, units(70));
            if (refused === undefined) {
              passed++;
              client.atMs = Number.POSITIVE_INFINITY;
              job.took(client.whose, units(70));
              seconds.set(Math.floor(clock.ms / 1000), (seconds.get(Math.floor(clock.ms / 1000)) ?? 0) + 1);
            } else client.atMs = clock.ms + refused.details.retryAfterSec * 1000;
          }
        }
        expect(passed).toBe(100);
        expect(Math.max(...seconds.values())).toBeLessThan(40);
      }),
      { numRuns: 5 },
    );
  });

  it('PC-24: calls in the background rest where the provider refuses, for a second at first and up to a minute, twice as long as others would', async () => {
    const { process, clock } = world();
    const job = process();
    const alice = owner('alice');
    const waits: (number | undefined)[] = [];
    for (let i = 0; i < 8; i++) {
      job.spent(alice, 'user');
      await job.pending();
      waits.push(await retryAfterOf(job.mayBegin(alice, units(1))));
      expect(await job.mayBegin(owner('bob'), units(1))).toBeUndefined();
      clock.ms += (waits.at(-1) ?? 0) * 1000;
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 120, 120]);
    job.spent(alice, 'project', 30);
    expect(await retryAfterOf(job.mayBegin(owner('bob'), units(1)))).toBe(60);
  });

  it('PC-24: other processes take the minute for full that the provider says is used up', async () => {
    const { process, clock } = world();
    const [first, second] = [process(), process()];
    first.spent(owner('alice'), 'project');
    first.spent(owner('alice'), 'project');
    await first.pending();
    expect((await second.mayBegin(owner('bob'), units(1)))?.details.limit).toMatchObject({ scope: 'project', left: 0 });
    clock.ms += 2 * MINUTE_MS;
    expect(await second.mayBegin(owner('bob'), units(1))).toBeUndefined();
  });

  it('PC-3: calls in the background of an older project, requests are counted instead of units', async () => {
    const { process } = world();
    const job = process();
    const old = owner('alice', { countedIn: 'requests', perMinute: 100, perMinuteAndUser: 100 });
    for (let i = 0; i < 70; i++) {
      expect(await job.mayBegin(old, units(200))).toBeUndefined();
      job.took(old, units(200));
    }
    expect((await job.mayBegin(old, units(200)))?.details.limit).toMatchObject({ units: 1, left: 0 });
  });

  it('PC-22: one that is larger than all that there is begins once nothing is taken', async () => {
    const { process } = world();
    const job = process();
    expect(await job.mayBegin(owner('alice'), units(QUOTA.perMinute * 2))).toBeUndefined();
    job.took(owner('bob'), units(1));
    expect(await job.mayBegin(owner('alice'), units(QUOTA.perMinute * 2))).toBeDefined();
  });

  it('PC-26: calls in the background continue with what the process has counted while the table cannot be reached', async () => {
    const asked: number[] = [];
    const store: CallTotals = {
      async add({ kind }) {
        if (kind === 'project_units') asked.push(clock.ms - LATE_MS);
        throw new Error('throttled');
      },
    };
    const { process, clock, warned } = world({ store });
    const job = process();
    let begun = 0;
    for (let i = 0; i < 150; i++) {
      if ((await job.mayBegin(owner(`user ${i}`), units(70))) !== undefined) continue;
      begun++;
      job.took(owner(`user ${i}`), units(70));
      clock.ms += 100;
    }
    expect(begun).toBe(100);
    // With the first question the minute before is asked for, too; then the table has ten seconds.
    expect(asked).toEqual([0, 0, 10_000, 10_000]);
    expect(warned).toContainEqual(['units of a quota could not be counted', { count: 0, outcome: 'Error' }]);
  });
});
