import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSchedules, scheduleInput } from '../../../../dev/local/events/schedules.ts';
import { type LocalSchedule, parseRate } from '../../../../dev/local/template/schedules.ts';
import type { Json } from '../../../../dev/tools/json.ts';

const SCHEDULE: LocalSchedule = {
  logicalId: 'Tick',
  name: 'stack-Tick',
  arn: 'arn:tick',
  intervalMs: 60_000,
  enabled: true,
  functionArn: 'arn:refresh',
  roleArn: 'arn:role',
  groupArn: 'arn:group',
  input: '{"slice":{"index":0,"count":1}}',
  maximumRetryAttempts: 0,
  maximumEventAgeSec: 60,
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Opens a schedule like {@link SCHEDULE}, and starts it; `invoke` receives its events. */
function open(more: Partial<LocalSchedule> = {}, invoke: (event: Json) => Promise<Json> = async (event) => event) {
  const schedule = { ...SCHEDULE, ...more };
  const events: Json[] = [];
  const failures: string[] = [];
  const schedules = openSchedules({
    schedules: [schedule],
    invoke: (_arn, event) => {
      events.push(event);
      return invoke(event);
    },
    onFailure: (message) => failures.push(message),
  });
  schedules.start();
  return { schedules, events, failures };
}

const broken = async (): Promise<Json> => {
  throw new Error('broken');
};

describe('a schedule', () => {
  it('fires once per interval with its input, and not after it was stopped', async () => {
    const { schedules, events } = open();
    await vi.advanceTimersByTimeAsync(59_999);
    expect(events).toEqual([]);
    await vi.advanceTimersByTimeAsync(60_001);
    expect(events).toEqual([{ slice: { index: 0, count: 1 } }, { slice: { index: 0, count: 1 } }]);
    schedules.stop();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(events).toHaveLength(2);
  });

  it('a schedule does not fire while disabled', async () => {
    const { events } = open({ enabled: false });
    await vi.advanceTimersByTimeAsync(120_000);
    expect(events).toEqual([]);
  });

  it('starts again while an earlier run is under way', async () => {
    const { events, schedules } = open({}, () => new Promise(() => {}));
    await vi.advanceTimersByTimeAsync(120_000);
    expect(events).toHaveLength(2);
    schedules.stop();
  });

  it('repeats a failed run as often as its policy says', async () => {
    const { schedules, failures } = open({ maximumRetryAttempts: 2 }, broken);
    await vi.advanceTimersByTimeAsync(65_000);
    expect(failures).toEqual([1, 2, 3].map((attempt) => expect.stringContaining(`attempt ${attempt}`)));
    expect(failures.at(-1)).toBe('stack-Tick attempt 3 (last): broken');
    schedules.stop();
  });

  it('repeats no more once stopped, nor when the event is too old', async () => {
    const first = open({ maximumRetryAttempts: 9 }, broken);
    await vi.advanceTimersByTimeAsync(60_000);
    first.schedules.stop();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(first.failures).toHaveLength(1);
    const second = open({ intervalMs: 3_600_000, maximumRetryAttempts: 9, maximumEventAgeSec: 2 }, broken);
    await vi.advanceTimersByTimeAsync(3_700_000);
    expect(second.failures).toHaveLength(3);
    second.schedules.stop();
  });

  it('fires by hand, with another input where one is given', async () => {
    const { schedules } = open();
    expect(await schedules.fire(SCHEDULE)).toEqual({ slice: { index: 0, count: 1 } });
    expect(await schedules.fire(SCHEDULE, { slice: 1 })).toEqual({ slice: 1 });
    const found = [schedules.find('Tick'), schedules.find('stack-Tick'), schedules.ofFunction('arn:refresh')];
    expect(found).toEqual([SCHEDULE, SCHEDULE, SCHEDULE]);
    expect(schedules.find('other')).toBeUndefined();
  });
});

describe('the input of a run', () => {
  it('the input of a run has Scheduler’s placeholders filled', () => {
    const input =
      '{"arn":"<aws.scheduler.schedule-arn>","at":"<aws.scheduler.scheduled-time>","n":<aws.scheduler.attempt-number>}';
    expect(scheduleInput({ ...SCHEDULE, input }, new Date('2026-11-20T10:00:00.5Z'), 2)).toEqual({
      arn: 'arn:tick',
      at: '2026-11-20T10:00:00Z',
      n: 2,
    });
  });

  it('the input of a run with an unknown placeholder, or no JSON, is refused at the start', () => {
    const unknown = 'Tick.Target.Input: <aws.scheduler.moon> is unknown';
    expect(() => open({ input: '"<aws.scheduler.moon>"' })).toThrow(unknown);
    expect(() => open({ input: 'text' })).toThrow('Tick.Target.Input is not valid JSON');
  });
});

describe('a rate', () => {
  it.each([
    ['rate(1 minute)', 60_000],
    ['rate(5 minutes)', 300_000],
    ['rate(2 hours)', 7_200_000],
    ['rate(1 day)', 86_400_000],
  ])('%s is %i ms', (text, ms) => {
    expect(parseRate(text, 'x')).toBe(ms);
  });
  it.each(['cron(* * * * ? *)', 'at(2026-01-01T00:00:00)', 'rate(0 minutes)', 'rate(1 week)', 'rate(1.5 hours)'])(
    '%s is refused',
    (text) => {
      expect(() => parseRate(text, 'x')).toThrow('x is');
    },
  );
});
