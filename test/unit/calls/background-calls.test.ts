import { describe, expect, it } from 'vitest';
import { BackgroundCalls } from '../../../lambdas/gateway/calls/background-calls.ts';
import { readCallLine } from '../../../lambdas/gateway/calls/call-line.rules.ts';
import type { DayUse } from '../../../lambdas/gateway/calls/day-use.rules.ts';
import { Pacing } from '../../../lambdas/gateway/calls/pacing.ts';
import { PROVIDERS } from '../../../lambdas/gateway/providers/catalogue.ts';
import { connection, NOW_EPOCH_SEC } from '../support/connection.ts';
import { memoryCallTotals } from '../support/memory-call-totals.ts';

const NOW_MS = NOW_EPOCH_SEC * 1000;

/** Calls of feeds, with their log lines and the use of the minute that they report. */
function feeds() {
  const lines: string[] = [];
  const day: { use: DayUse | undefined } = { use: undefined };
  const totals = memoryCallTotals();
  const clock = { ms: NOW_MS + 40, nowMs: () => clock.ms };
  const random = { bytes: (length: number) => new Uint8Array(length), number: () => 0 };
  const logger = { info() {}, warn() {}, error() {} };
  const pacing = new Pacing({ totals, clock, random, logger }, ['project']);
  const deps = {
    pacing,
    lines: { append: (line: string) => void lines.push(line) },
    dayUse: { read: async () => day.use },
    providers: PROVIDERS,
    clock,
    random,
  };
  return {
    clock,
    day,
    calls: new BackgroundCalls(deps, 'feeds'),
    lines: () => lines.map(readCallLine),
    pacing,
    totals,
  };
}

const LIST = {
  connection: connection({ clientId: '12345-abc.apps.googleusercontent.com' }),
  provider: 'google-drive',
  method: 'GET',
  target: '/drive/v3/changes?pageToken=7',
  status: 200,
  bytesIn: 0,
  bytesOut: 900,
  startedAtMs: NOW_MS,
} as const;

describe('a call that the gateway makes for itself', () => {
  it('PC-21: leaves a line with units, bytes and project, under the name of the work', () => {
    const { calls, lines } = feeds();
    calls.made(LIST);
    const [line] = lines();
    expect(line).toMatchObject({ key: 'feeds', units: 100, bytesOut: 900, project: '12345', class: 'ok', totalMs: 40 });
    expect(line).toMatchObject({ connection: LIST.connection.connectionId, account: LIST.connection.accountId });
  });

  it('PC-21: counts as much where no answer came, because the request may have reached Google', () => {
    const { calls, lines } = feeds();
    calls.made({ ...LIST, status: undefined, bytesOut: 0 });
    expect(lines()).toMatchObject([{ units: 100, bytesOut: 0, class: 'providerFailed' }]);
  });

  it('PC-20: a call that the gateway makes for itself of Calendar is one request, whatever it asks', () => {
    const { calls, lines } = feeds();
    calls.made({ ...LIST, provider: 'google-calendar', target: '/calendar/v3/calendars/primary/events?syncToken=1' });
    expect(lines()).toMatchObject([{ provider: 'google-calendar', units: 1 }]);
  });

  it('PC-22: begins only while the project’s minute has room, whichever key used the rest, and counts in it', async () => {
    const { calls, pacing, totals, clock } = feeds();
    clock.ms = (Math.floor(NOW_MS / 60_000) + 0.8) * 60_000;
    const whose = { connection: LIST.connection, provider: LIST.provider, quota: { perMinute: 1000 } };
    for (let i = 0; i < 7; i++) {
      await calls.assertRoom(whose, LIST);
      calls.made({ ...LIST, quota: whose.quota });
    }
    await expect(calls.assertRoom(whose, LIST)).rejects.toMatchObject({
      code: 'quota_reserved',
      limit: { scope: 'project', units: 100, most: 700, left: 0 },
    });
    await pacing.pending();
    // A user's minute is looked at where feeds rest for it.
    expect(new Set(totals.reports.map(({ subject }) => subject.kind))).toEqual(new Set(['project_units']));
  });

  it('PC-24: rests, and the others with it, where Google says that the minute is used up', async () => {
    const { calls } = feeds();
    const owner = { provider: LIST.provider, cloudProject: '12345', user: 'u', quota: undefined, own: undefined };
    const whole = { ...owner, quota: PROVIDERS['google-drive'].quota };
    await calls.spent(whole, 'project', 30);
    expect((await calls.mayBegin(whole, 1))?.details.retryAfterSec).toBe(60);
    await calls.spent(owner, 'project');
  });

  it('PC-25: a call that the gateway makes for itself does not begin once the day of its Cloud project is used up, where the deployment stops then, and gets the time of its end', async () => {
    const { calls, clock, day } = feeds();
    const untilMs = clock.ms + 3 * 3_600_000;
    const project = { provider: 'google-drive', cloudProject: '12345' };
    const dayOf = (limit: 'warn' | 'stop', share: number) => ({
      untilMs,
      limit,
      projects: [{ ...project, units: { share, most: 1_000 } }],
    });
    day.use = dayOf('warn', 1.2);
    await calls.assertRoom(LIST, LIST);
    day.use = dayOf('stop', 0.99);
    await calls.assertRoom(LIST, LIST);
    day.use = dayOf('stop', 1);
    await expect(calls.assertRoom(LIST, LIST)).rejects.toMatchObject({
      code: 'budget_spent',
      limit: { name: 'project.day.units', most: 1_000, left: 0, resets_at: new Date(untilMs).toISOString() },
    });
    await calls.assertRoom(
      { ...LIST, connection: connection({ clientId: '99-abc.apps.googleusercontent.com' }) },
      LIST,
    );
  });
});
