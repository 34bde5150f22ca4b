import { RRuleTemporal } from 'rrule-temporal';
import { describe, expect, test } from 'vitest';
import {
  checkRecurrence,
  occurrenceOfStamp,
  occurrences,
  type Series,
} from '../../../packages/simulator/calendar/recurrence.ts';
import {
  momentOfWall,
  readEventTime,
  showMoment,
  startOfDay,
} from '../../../packages/simulator/calendar/zoned-time.ts';
import { ProcessorTime } from '../../support/processor-time.ts';
import { randomRules } from './random-rules.ts';

function timed(wall: string, timeZone: string, ...lines: string[]): Series {
  return { start: { ms: momentOfWall(wall, timeZone), timeZone }, lines, calendarZone: timeZone };
}

function wholeDays(date: string, ...lines: string[]): Series {
  return { start: { date }, lines, calendarZone: 'Europe/Berlin' };
}

function starts(series: Series, from = '1970-01-01T00:00:00Z', to?: string): string[] {
  const toMs = to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to);
  return occurrences(series, Date.parse(from), toMs).map(({ start }) =>
    'date' in start ? start.date : showMoment(start.ms, start.timeZone),
  );
}

/** Days of occurrences at 9:00 in New York, the offset left out where it does not matter. */
function days(...lines: string[]): string[] {
  return starts(timed('1997-09-02T09:00:00', 'America/New_York', ...lines)).map((start) => start.slice(0, 10));
}

describe('the examples of RFC 5545 section 3.8.5.3', () => {
  test.each<[rule: string, expected: string]>([
    ['FREQ=WEEKLY;COUNT=10', '09-02 09-09 09-16 09-23 09-30 10-07 10-14 10-21 10-28 11-04'],
    [
      'FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH',
      '09-02 09-04 09-09 09-11 09-16 09-18 09-23 09-25 09-30 10-02',
    ],
    ['FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH', '09-02 09-04 09-16 09-18 09-30 10-02 10-14 10-16'],
    ['FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15', '09-02 09-15 10-02 10-15 11-02 11-15 12-02 12-15 01-02 01-15'],
    ['FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3', '09-02 09-04 10-07'],
  ])('%s', (rule, expected) => {
    const found = days(`RRULE:${rule}`).map((day) => day.slice(5));
    // The RFC's BYSETPOS example starts on 4 September; here the start is an occurrence of its own (section 3.8.5.3).
    expect(found).toEqual(expected.split(' '));
  });

  test.each<[what: string, start: string, rule: string, expected: string]>([
    [
      'the last weekday of a month',
      '1997-09-29',
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2;COUNT=3',
      '1997-10-30 1997-11-27',
    ],
    ['the 20th Monday of a year', '1997-05-19', 'FREQ=YEARLY;BYDAY=20MO', '1998-05-18 1999-05-17'],
    ['week 20', '1997-05-12', 'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', '1998-05-11 1999-05-17'],
    ['Friday the 13th', '1998-02-13', 'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13', '1998-03-13 1998-11-13'],
    [
      'four-yearly elections',
      '1996-11-05',
      'FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8',
      '2000-11-07 2004-11-02',
    ],
  ])('%s', (_what, start, rule, expected) => {
    const series = timed(`${start}T09:00:00`, 'America/New_York', `RRULE:${rule}`);
    const found = starts(series, `${start}T00:00:00Z`, '2005-01-01T00:00:00Z').slice(0, 3);
    expect(found.map((day) => day.slice(0, 10))).toEqual([start, ...expected.split(' ')]);
  });

  test('skips days that a month does not have', () => {
    expect(days('RRULE:FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=6')).toEqual([
      ...['1997-09-02', '1997-09-15', '1997-09-30', '1997-10-15', '1997-10-30', '1997-11-15'],
    ]);
  });
});

describe('where clocks change', () => {
  test('keeps the time of the wall, in Berlin, New York, Lord Howe and where nothing changes', () => {
    const rule = 'RRULE:FREQ=WEEKLY;COUNT=2';
    expect(starts(timed('2026-03-23T09:00:00', 'Europe/Berlin', rule))).toEqual([
      '2026-03-23T09:00:00+01:00',
      '2026-03-30T09:00:00+02:00',
    ]);
    expect(starts(timed('2026-10-30T09:00:00', 'America/New_York', rule))).toEqual([
      '2026-10-30T09:00:00-04:00',
      '2026-11-06T09:00:00-05:00',
    ]);
    expect(starts(timed('2026-04-01T09:00:00', 'Australia/Lord_Howe', rule))).toEqual([
      '2026-04-01T09:00:00+11:00',
      '2026-04-08T09:00:00+10:30',
    ]);
    expect(starts(timed('2026-03-23T09:00:00', 'Asia/Kolkata', rule))).toEqual([
      '2026-03-23T09:00:00+05:30',
      '2026-03-30T09:00:00+05:30',
    ]);
  });

  test('takes a time that is skipped with the offset before, and of two equal times the first', () => {
    expect(starts(timed('2026-03-28T02:30:00', 'Europe/Berlin', 'RRULE:FREQ=DAILY;COUNT=3'))).toEqual([
      '2026-03-28T02:30:00+01:00',
      '2026-03-29T03:30:00+02:00',
      '2026-03-30T02:30:00+02:00',
    ]);
    expect(starts(timed('2026-10-24T02:30:00', 'Europe/Berlin', 'RRULE:FREQ=DAILY;COUNT=3'))).toEqual([
      '2026-10-24T02:30:00+02:00',
      '2026-10-25T02:30:00+02:00',
      '2026-10-26T02:30:00+01:00',
    ]);
  });

  test('begins a day where midnight is skipped at its first moment', () => {
    // Clocks in Beirut went from 0:00 to 1:00 on 29 March 2026.
    expect(showMoment(startOfDay('2026-03-29', 'Asia/Beirut'), 'Asia/Beirut')).toBe('2026-03-29T01:00:00+03:00');
  });

  test('finds an instance by the UTC time of its id on both sides', () => {
    const series = timed('2026-10-24T09:00:00', 'Europe/Berlin', 'RRULE:FREQ=DAILY');
    expect(occurrenceOfStamp(series, '20261025T080000Z')?.startMs).toBe(Date.parse('2026-10-25T08:00:00Z'));
    expect(occurrenceOfStamp(series, '20261025T070000Z')).toBeUndefined();
    expect(occurrenceOfStamp(series, '20261024T070000Z')?.startMs).toBe(Date.parse('2026-10-24T07:00:00Z'));
    expect(occurrenceOfStamp(series, '20261025')).toBeUndefined();
  });
});

describe('lines alongside the rule', () => {
  test('EXDATE takes out and RDATE adds, in UTC, in a zone of their own and in the event’s', () => {
    const series = timed(
      '2026-06-01T09:00:00',
      'Europe/Berlin',
      'RRULE:FREQ=DAILY;COUNT=5',
      'EXDATE:20260602T070000Z',
      'EXDATE;TZID=America/New_York:20260603T030000',
      'EXDATE:20260604T090000',
      'RDATE;TZID=Europe/Berlin:20260701T120000',
    );
    expect(starts(series)).toEqual([
      '2026-06-01T09:00:00+02:00',
      '2026-06-05T09:00:00+02:00',
      '2026-07-01T12:00:00+02:00',
    ]);
  });

  test('UNTIL is the last moment, included; a day counts whole', () => {
    const until = (value: string) =>
      starts(timed('2026-06-01T09:00:00', 'Europe/Berlin', `RRULE:FREQ=DAILY;UNTIL=${value}`)).length;
    expect([until('20260603T070000Z'), until('20260603T065959Z'), until('20260603')]).toEqual([3, 2, 3]);
  });

  test('whole days repeat by date, with EXDATE and UNTIL as dates', () => {
    const series = wholeDays('2026-03-27', 'RRULE:FREQ=DAILY;UNTIL=20260331', 'EXDATE;VALUE=DATE:20260329');
    expect(starts(series)).toEqual(['2026-03-27', '2026-03-28', '2026-03-30', '2026-03-31']);
  });

  test('gives only what lies in the time asked for, and without an end no more than two years of days', () => {
    const series = timed('2020-01-01T09:00:00', 'Europe/Berlin', 'RRULE:FREQ=DAILY');
    expect(starts(series, '2026-03-28T09:00:00+01:00', '2026-03-29T09:00:00+02:00')).toHaveLength(2);
    expect(starts(series)).toHaveLength(730);
  });

  test.each([
    'RRULE:FREQ=SOMETIMES',
    'RRULE:COUNT=3',
    'RRULE:FREQ=DAILY;COUNT=3;UNTIL=20260601T000000Z',
    'RRULE:FREQ=DAILY;COUNT=0',
    'RRULE:FREQ=DAILY;BYDAY=XX',
    'RRULE:FREQ=DAILY;EVERY=2',
    'EXDATE:soon',
    'EXDATE;TZID=Europe/Atlantis:20260601T090000',
    'DTSTART:20260601T090000Z',
    'FREQ=DAILY',
  ])('refuses %s', (line) => {
    expect(() => checkRecurrence(timed('2026-06-01T09:00:00', 'Europe/Berlin', line))).toThrow();
  });
});

test.each<[value: unknown, shown: string | undefined]>([
  [{ dateTime: '2026-06-01T09:00:00+02:00' }, '2026-06-01T09:00:00+02:00'],
  [{ dateTime: '2026-06-01T09:00:00.789Z' }, '2026-06-01T11:00:00+02:00'],
  [{ dateTime: '2026-06-01T09:00:00', timeZone: 'Asia/Tokyo' }, '2026-06-01T09:00:00+09:00'],
  [{ dateTime: '2026-06-01T09:00:00' }, undefined],
  [{ dateTime: '2026-02-30T09:00:00Z' }, undefined],
  [{ dateTime: '2026-06-01T25:00:00Z' }, undefined],
  [{ dateTime: '2026-06-01T09:00:00Z', date: '2026-06-01' }, undefined],
  [{ date: '2026-02-29' }, undefined],
  [{ date: '2028-02-29' }, '2028-02-29'],
  ['2026-06-01', undefined],
])('reads %j as %s', (value, shown) => {
  const time = readEventTime(value, 'Europe/Berlin');
  const text = time === undefined ? undefined : 'date' in time ? time.date : showMoment(time.ms, time.timeZone);
  expect(text).toBe(shown);
});

/** Of a list, the quarter that `npm test` runs, and what `npm run test:long` runs. */
function quarters<T>(all: readonly T[]): readonly [T[], T[]] {
  const isShort = (_: T, at: number) => at % 4 === 0;
  return [all.filter(isShort), all.filter((one, at) => !isShort(one, at))];
}

const [compared, othersCompared] = quarters(
  randomRules(200).filter(
    (rule) => /FREQ=(?:DAILY|WEEKLY|MONTHLY|YEARLY)/.test(rule) && !/SETPOS=366|BYMONTHDAY.*BYDAY=-?1/.test(rule),
  ),
);
test.each(compared)('%s has the same starts as another reader of rules gives it', hasStartsOfOtherReader);
test.each(othersCompared)(
  '%s has the same starts as another reader of rules gives it',
  { tags: ['long'] },
  hasStartsOfOtherReader,
);

function hasStartsOfOtherReader(rule: string): void {
  const firstMs = Date.UTC(2026, 0, 5, 9);
  const rest = rule.replace(/;?COUNT=\d+/, '');
  const other = () => new RRuleTemporal({ rruleString: `DTSTART:20260105T090000Z\nRRULE:${rest}`, strict: true });
  let expected: number[];
  try {
    expected = other()
      .between(new Date(firstMs), new Date(Date.UTC(2029, 0, 1)), true)
      .map(({ epochMilliseconds }) => epochMilliseconds);
  } catch {
    // It reads no more than ten thousand periods, and refuses combinations that RFC 5545 forbids.
    return;
  }
  const series = timed('2026-01-05T09:00:00', 'UTC', `RRULE:${rest}`);
  const found = occurrences(series, firstMs, Date.UTC(2029, 0, 1)).map(({ startMs }) => startMs);
  expect(found).toEqual([...new Set([firstMs, ...expected])].sort((a, b) => a - b));
}

describe('DS-10: a rule that is refused at insert', () => {
  const refusal = (rule: string) => () => checkRecurrence(timed('2026-01-01T09:00:00', 'UTC', `RRULE:${rule}`));

  test.each(['SECONDLY', 'MINUTELY', 'HOURLY'])('repeats %s, in any combination of its parts', (frequency) => {
    for (const more of [
      '',
      ';INTERVAL=500',
      ';BYHOUR=9',
      ';BYMONTH=2;BYMONTHDAY=30;COUNT=3',
      ';UNTIL=20270101T000000Z',
    ]) {
      expect(refusal(`FREQ=${frequency}${more}`), more).toThrow('daily, weekly, monthly or yearly');
    }
  });

  test('a rule that is refused at insert has more than 24 starts a day', () => {
    const hours = Array.from({ length: 24 }, (_, at) => at).join(',');
    expect(refusal(`FREQ=DAILY;BYHOUR=${hours}`)).not.toThrow();
    expect(refusal(`FREQ=DAILY;BYHOUR=${hours};BYMINUTE=0,30`)).toThrow('at most 24 starts a day');
    expect(refusal('FREQ=YEARLY;BYHOUR=1,2,3,4,5;BYMINUTE=1,2,3,4,5')).toThrow('at most 24 starts a day');
  });
});

const [late, othersLate] = quarters(randomRules(200).filter((rule) => rule.includes('COUNT=')));
test.each(late)('%s has the same starts when it is asked first for a late time, and for all times', hasStartsLate);
test.each(othersLate)(
  '%s has the same starts when it is asked first for a late time, and for all times',
  { tags: ['long'] },
  hasStartsLate,
);

function hasStartsLate(rule: string): void {
  const series = () => timed('2026-01-05T09:00:00', 'UTC', `RRULE:${rule}`);
  const [fromMs, toMs] = [Date.UTC(2026, 5, 1), Date.UTC(2027, 5, 1)];
  const late = series();
  let whole: number[];
  try {
    whole = occurrences(series(), 0, toMs).map(({ startMs }) => startMs);
  } catch (error) {
    expect(String(error)).toContain('is no rule');
    return;
  }
  // What one answer may hold ends before the late time.
  if (whole.length >= 10_000) return;
  const expected = whole.filter((ms) => ms >= fromMs);
  for (const _ of ['first', 'again']) {
    expect(occurrences(late, fromMs, toMs).map(({ startMs }) => startMs)).toEqual(expected);
  }
}

describe('DS-10: no rule stops the simulator', () => {
  const every = (count: number) => Array.from({ length: count }, (_, at) => at).join(',');

  test.each([
    'FREQ=SECONDLY',
    'FREQ=MINUTELY;INTERVAL=7',
    'FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO;BYMONTH=6',
    'FREQ=DAILY;COUNT=1000000000',
    'FREQ=DAILY;COUNT=999999999999999999999999',
    'FREQ=YEARLY;INTERVAL=100000000',
    'FREQ=DAILY;INTERVAL=999999999999',
    'FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30;COUNT=3',
    'FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    `FREQ=DAILY;BYHOUR=${every(24)};BYMINUTE=${every(60)};BYSECOND=${every(60)}`,
    `FREQ=YEARLY;BYHOUR=${every(24)};BYMINUTE=${every(60)};BYSECOND=${every(60)};BYSETPOS=-1`,
    ...randomRules(60),
  ])('%s ends within 200 ms of processor time, whatever time is asked', (rule) => {
    const series = timed('2026-01-01T09:00:00', 'Europe/Berlin', `RRULE:${rule}`);
    const startMs = Date.UTC(2026, 0, 1, 8);
    for (const [fromMs, toMs] of [
      [startMs, Number.POSITIVE_INFINITY],
      [0, Date.UTC(9999, 0, 1)],
      [Date.UTC(2090, 0, 1), Date.UTC(2090, 0, 2)],
    ] as const) {
      let found: unknown[] = [];
      const time = new ProcessorTime(200);
      for (const _ of time) {
        try {
          found = occurrences(series, fromMs, toMs);
        } catch (error) {
          expect(String(error)).toContain('is no rule');
        }
      }
      expect(time.ms).toBeLessThan(200);
      expect(found.length).toBeLessThanOrEqual(10_001);
    }
  });

  test('a daily series is complete in a window of its ninetieth year, and as long as 730 days without an end', () => {
    const daily = timed('2006-01-01T09:00:00', 'UTC', 'RRULE:FREQ=DAILY');
    expect(starts(daily, '2096-03-01T00:00:00Z', '2096-03-03T23:00:00Z')).toHaveLength(3);
    expect(starts(daily)).toHaveLength(730);
    expect(starts(daily, '2006-01-01T00:00:00Z', '2008-01-01T00:00:00Z')).toHaveLength(730);
    expect(starts(timed('2006-01-01T09:00:00', 'UTC', 'RRULE:FREQ=YEARLY'))).toHaveLength(730);
    const hourly = timed('2006-01-01T09:00:00', 'UTC', 'RRULE:FREQ=HOURLY');
    expect(starts(hourly, '2036-01-01T00:00:00Z', '2036-01-02T23:30:00Z')).toHaveLength(48);
  });
});
