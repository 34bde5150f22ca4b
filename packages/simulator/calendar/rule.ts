/**
 * Recurrence rules of RFC 5545 in wall-clock milliseconds. The work of one reading is counted, not timed, so that a rule is read to
 * the same point on every machine: no rule holds the process for long (DS-10).
 */
import type { Work } from './work.ts';

const DAY_MS = 86_400_000;

/** Days and times without a start that a rule looks at before it counts as ended: 164 years of a daily rule. */
const IDLE_MAX = 60_000;

/** Steps for a period shorter than a day, of which every part of the time is looked at. */
const SUB_DAILY_STEPS = 4;

/** The last moment that has four digits of a year. */
const LAST_MS = Date.UTC(9999, 11, 31);

const FREQUENCIES = ['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
type Frequency = (typeof FREQUENCIES)[number];

/** Milliseconds of the periods that all have the same length. */
const PERIOD_MS: Partial<Record<Frequency, number>> = {
  SECONDLY: 1000,
  MINUTELY: 60_000,
  HOURLY: 3_600_000,
  DAILY: DAY_MS,
  WEEKLY: 7 * DAY_MS,
};

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

interface Weekday {
  /** 0 is Monday. */
  day: number;
  /** The how manieth of its month or year, from the end when negative; 0 for each. */
  nth: number;
}

/** A rule as it is read: numbers in lists, empty where the rule has no such part. */
interface RuleParts {
  frequency: Frequency;
  interval: number;
  count: number;
  weekStart: number;
  months: ReadonlySet<number>;
  monthDays: readonly number[];
  yearDays: readonly number[];
  weeks: readonly number[];
  weekdays: readonly Weekday[];
  hours: readonly number[];
  minutes: readonly number[];
  seconds: readonly number[];
  positions: readonly number[];
  startMs: number;
  /** True when no part leaves out a day. */
  isEachDay: boolean;
  /** Starts of a day in milliseconds since midnight, in order; `undefined` for periods shorter than a day, and for too many to keep. */
  dayTimes: readonly number[] | undefined;
}

/** Starts of a day that are kept with a rule: one a minute. */
const KEPT_TIMES_MAX = 1_440;

/** Lowest and highest size of the numbers in a part; `signed` ones count from the end too, and are never 0. */
const RANGES: Readonly<Record<string, { low: number; high: number; signed: boolean }>> = {
  BYSECOND: { low: 0, high: 59, signed: false },
  BYMINUTE: { low: 0, high: 59, signed: false },
  BYHOUR: { low: 0, high: 23, signed: false },
  BYMONTH: { low: 1, high: 12, signed: false },
  BYMONTHDAY: { low: 1, high: 31, signed: true },
  BYYEARDAY: { low: 1, high: 366, signed: true },
  BYWEEKNO: { low: 1, high: 53, signed: true },
  BYSETPOS: { low: 1, high: 366, signed: true },
};

function numbersOf(parts: ReadonlyMap<string, string>, name: string): number[] {
  const text = parts.get(name);
  const range = RANGES[name];
  if (text === undefined || range === undefined) return [];
  const numbers = text.split(',').map((one) => (/^[+-]?\d{1,3}$/.test(one) ? Number(one) : Number.NaN));
  const isFit = (one: number) =>
    range.signed ? Math.abs(one) >= range.low && Math.abs(one) <= range.high : one >= range.low && one <= range.high;
  if (!numbers.every(isFit)) throw new RangeError(`${name}=${text}`);
  return [...new Set(numbers)].sort((a, b) => a - b);
}

function weekdaysOf(parts: ReadonlyMap<string, string>): Weekday[] {
  return (parts.get('BYDAY')?.split(',') ?? []).map((one) => {
    const groups = /^(?<nth>[+-]?\d{1,2})?(?<day>[A-Z]{2})$/.exec(one)?.groups;
    const day = WEEKDAYS.indexOf(groups?.day ?? '');
    const nth = Number(groups?.nth ?? 0);
    if (day < 0 || (groups?.nth !== undefined && (nth === 0 || Math.abs(nth) > 53)))
      throw new RangeError(`BYDAY=${one}`);
    return { day, nth };
  });
}

function positive(parts: ReadonlyMap<string, string>, name: string, usual: number): number {
  const text = parts.get(name);
  if (text === undefined) return usual;
  if (!/^0*[1-9]\d*$/.test(text)) throw new RangeError(`${name}=${text}`);
  return Number(text);
}

const weekdayOf = (dayMs: number): number => (Math.floor(dayMs / DAY_MS) + 3) % 7;

function readParts(text: readonly string[], startMs: number): RuleParts {
  const parts = new Map(text.map((part): [string, string] => [part.split('=')[0] ?? '', part.split('=')[1] ?? '']));
  if (parts.size !== text.length) throw new RangeError('a part stands twice');
  const frequency = FREQUENCIES.find((one) => one === parts.get('FREQ'));
  if (frequency === undefined) throw new RangeError(`FREQ=${parts.get('FREQ') ?? ''}`);
  const start = new Date(startMs);
  const weekStart = WEEKDAYS.indexOf(parts.get('WKST') ?? 'MO');
  if (weekStart < 0) throw new RangeError('WKST');
  const rank = FREQUENCIES.indexOf(frequency);
  const isBelow = (one: Frequency) => rank < FREQUENCIES.indexOf(one);
  const monthDays = numbersOf(parts, 'BYMONTHDAY');
  const yearDays = numbersOf(parts, 'BYYEARDAY');
  const weeks = numbersOf(parts, 'BYWEEKNO');
  const weekdays = weekdaysOf(parts);
  const months = numbersOf(parts, 'BYMONTH');
  // RFC 5545, section 3.3.10, the table of what may come with which frequency.
  if (weeks.length > 0 && frequency !== 'YEARLY') throw new RangeError('BYWEEKNO');
  if (yearDays.length > 0 && ['DAILY', 'WEEKLY', 'MONTHLY'].includes(frequency)) throw new RangeError('BYYEARDAY');
  if (monthDays.length > 0 && frequency === 'WEEKLY') throw new RangeError('BYMONTHDAY');
  const hasNth = weekdays.some(({ nth }) => nth !== 0);
  if (hasNth && ((frequency !== 'MONTHLY' && frequency !== 'YEARLY') || weeks.length > 0))
    throw new RangeError('BYDAY');
  const positions = numbersOf(parts, 'BYSETPOS');
  const others = [...parts.keys()].filter((name) => name.startsWith('BY') && name !== 'BYSETPOS');
  if (positions.length > 0 && others.length === 0) throw new RangeError('BYSETPOS');
  const namesDays = monthDays.length + yearDays.length + weekdays.length > 0;
  const usual = (list: readonly number[], value: number, from: Frequency) =>
    list.length === 0 && !isBelow(from) ? [value] : list;
  const ownDay: Weekday[] = [{ day: weekdayOf(startMs), nth: 0 }];
  const repeatsWeekday = !namesDays && (frequency === 'WEEKLY' || weeks.length > 0);
  const repeatsDate = !namesDays && weeks.length === 0 && (frequency === 'MONTHLY' || frequency === 'YEARLY');
  const isPlainYear = repeatsDate && frequency === 'YEARLY' && months.length === 0;
  const rule = {
    frequency,
    interval: positive(parts, 'INTERVAL', 1),
    count: positive(parts, 'COUNT', Number.POSITIVE_INFINITY),
    weekStart,
    months: new Set(isPlainYear ? [start.getUTCMonth() + 1] : months),
    monthDays: repeatsDate ? [start.getUTCDate()] : monthDays,
    yearDays,
    weeks,
    weekdays: repeatsWeekday ? ownDay : weekdays,
    hours: usual(numbersOf(parts, 'BYHOUR'), start.getUTCHours(), 'DAILY'),
    minutes: usual(numbersOf(parts, 'BYMINUTE'), start.getUTCMinutes(), 'HOURLY'),
    seconds: usual(numbersOf(parts, 'BYSECOND'), start.getUTCSeconds(), 'MINUTELY'),
    positions,
    startMs,
  };
  const isEachDay =
    rule.months.size + rule.monthDays.length + yearDays.length + weeks.length + rule.weekdays.length === 0;
  return { ...rule, isEachDay, dayTimes: isBelow('DAILY') ? undefined : keptTimes(rule) };
}

function keptTimes({ hours, minutes, seconds }: Pick<RuleParts, 'hours' | 'minutes' | 'seconds'>) {
  if (hours.length * minutes.length * seconds.length > KEPT_TIMES_MAX) return undefined;
  return hours.flatMap((hour) =>
    minutes.flatMap((minute) => seconds.map((second) => ((hour * 60 + minute) * 60 + second) * 1000)),
  );
}

const yearStart = (year: number): number => Date.UTC(year, 0, 1);
const monthStart = (year: number, month: number): number => Date.UTC(year, month - 1, 1);

/** The week of ISO 8601 that a day is in, from the front and from the end of the weeks' year. */
function weekOf(dayMs: number, weekStart: number): [number, number] {
  const offset = (weekdayOf(dayMs) - weekStart + 7) % 7;
  const fourth = new Date(dayMs + (3 - offset) * DAY_MS);
  const year = fourth.getUTCFullYear();
  const number = Math.floor((fourth.getTime() - yearStart(year)) / DAY_MS / 7) + 1;
  const weeks = Math.floor((yearStart(year + 1) - 1 - fourth.getTime()) / DAY_MS / 7) + number;
  return [number, number - weeks - 1];
}

function isNth(dayMs: number, { day, nth }: Weekday, firstMs: number, endMs: number): boolean {
  if (weekdayOf(dayMs) !== day) return false;
  if (nth === 0) return true;
  const place =
    nth > 0 ? Math.floor((dayMs - firstMs) / DAY_MS / 7) + 1 : -Math.floor((endMs - DAY_MS - dayMs) / DAY_MS / 7) - 1;
  return place === nth;
}

/** True for a day that every part of the rule lets through. */
function isDay(rule: RuleParts, dayMs: number): boolean {
  if (rule.isEachDay) return true;
  const date = new Date(dayMs);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + 1];
  if (rule.months.size > 0 && !rule.months.has(month)) return false;
  if (rule.monthDays.length > 0 && !rule.monthDays.includes(date.getUTCDate())) {
    if (!rule.monthDays.includes((dayMs - monthStart(year, month + 1)) / DAY_MS)) return false;
  }
  if (rule.yearDays.length > 0 && !rule.yearDays.includes((dayMs - yearStart(year)) / DAY_MS + 1)) {
    if (!rule.yearDays.includes((dayMs - yearStart(year + 1)) / DAY_MS)) return false;
  }
  if (rule.weeks.length > 0 && !weekOf(dayMs, rule.weekStart).some((number) => rule.weeks.includes(number)))
    return false;
  if (!rule.weekdays.some(({ day }) => day === weekdayOf(dayMs))) return rule.weekdays.length === 0;
  const inMonth = rule.frequency === 'MONTHLY' || rule.months.size > 0;
  const [firstMs, endMs] = inMonth
    ? [monthStart(year, month), monthStart(year, month + 1)]
    : [yearStart(year), yearStart(year + 1)];
  return rule.weekdays.some((weekday) => isNth(dayMs, weekday, firstMs, endMs));
}

/** Days that a rule may have in a year or a month, in order: all of them, or the dates that it names. */
function* candidates(rule: RuleParts, year: number, month: number | undefined): Generator<number> {
  const months = month === undefined ? Array.from({ length: 12 }, (_, index) => index + 1) : [month];
  for (const one of months) {
    if (rule.months.size > 0 && !rule.months.has(one)) continue;
    const firstMs = monthStart(year, one);
    const length = (monthStart(year, one + 1) - firstMs) / DAY_MS;
    const named = rule.monthDays
      .map((day) => (day > 0 ? day : length + 1 + day))
      .filter((day) => day > 0 && day <= length);
    const days =
      rule.monthDays.length === 0
        ? Array.from({ length }, (_, index) => index + 1)
        : [...new Set(named)].sort((a, b) => a - b);
    for (const day of days) yield firstMs + (day - 1) * DAY_MS;
  }
}

/** How far one reading of a rule may go, and how far it is. */
class Reading {
  /** Days and times since the last start. */
  idle = 0;
  readonly #work: Work;
  readonly #mostLeft: number;
  readonly #stepsEach: number;

  /** @param stepsEach what it costs to look at one day or time */
  constructor(work: Work, most: number, stepsEach: number) {
    this.#work = work;
    this.#mostLeft = Math.max(0, work.left - most);
    this.#stepsEach = stepsEach;
  }

  look(count = 1): void {
    this.idle += count;
    this.#work.left -= count * this.#stepsEach;
  }

  get isIdle(): boolean {
    return this.idle > IDLE_MAX;
  }

  get isOver(): boolean {
    return this.isIdle || this.#work.left <= this.#mostLeft;
  }
}

interface Period {
  days: Iterable<number>;
  /** Where the next period begins, for rules that look at times of a day. */
  fromMs: number;
  toMs: number;
}

/** The periods of a rule from a moment on. */
function* periods(rule: RuleParts, fromMs: number): Generator<Period> {
  const { frequency, interval, startMs } = rule;
  const start = new Date(startMs);
  const lengthMs = PERIOD_MS[frequency];
  if (lengthMs !== undefined) {
    const offset = frequency === 'WEEKLY' ? ((weekdayOf(startMs) - rule.weekStart + 7) % 7) * DAY_MS : 0;
    const firstMs = Math.floor(startMs / Math.min(lengthMs, DAY_MS)) * Math.min(lengthMs, DAY_MS) - offset;
    const stepMs = lengthMs * interval;
    const skipped = Math.max(0, Math.floor((fromMs - firstMs) / stepMs));
    for (let at = firstMs + skipped * stepMs; at <= LAST_MS; at += stepMs) {
      const dayMs = Math.floor(at / DAY_MS) * DAY_MS;
      const days = frequency === 'WEEKLY' ? Array.from({ length: 7 }, (_, day) => dayMs + day * DAY_MS) : [dayMs];
      yield { days, fromMs: at, toMs: at + lengthMs };
    }
    return;
  }
  const perYear = frequency === 'YEARLY' ? 1 : 12;
  const first = start.getUTCFullYear() * perYear + (perYear === 1 ? 0 : start.getUTCMonth());
  const wanted = new Date(Math.max(fromMs, startMs));
  const reached = wanted.getUTCFullYear() * perYear + (perYear === 1 ? 0 : wanted.getUTCMonth());
  const skipped = Math.max(0, Math.floor((reached - first) / interval));
  for (let at = first + skipped * interval; at < 10_000 * perYear; at += interval) {
    const year = Math.floor(at / perYear);
    const month = perYear === 1 ? undefined : (at % 12) + 1;
    yield { days: candidates(rule, year, month), fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY };
  }
}

/** Times of a day in milliseconds that a period of a rule has, in order. */
function* timesOf(rule: RuleParts, dayMs: number, { fromMs, toMs }: Period): Generator<number> {
  if (rule.dayTimes !== undefined) {
    for (const ms of rule.dayTimes) yield dayMs + ms;
    return;
  }
  const rank = FREQUENCIES.indexOf(rule.frequency);
  const at = new Date(fromMs);
  const within = (list: readonly number[], own: number, isFixed: boolean) =>
    isFixed ? (list.length === 0 || list.includes(own) ? [own] : []) : list;
  const isSubDaily = rank < FREQUENCIES.indexOf('DAILY');
  const hours = within(rule.hours, isSubDaily ? at.getUTCHours() : 0, isSubDaily);
  const minutes = within(
    rule.minutes,
    isSubDaily ? at.getUTCMinutes() : 0,
    rule.frequency === 'MINUTELY' || rule.frequency === 'SECONDLY',
  );
  const seconds = within(rule.seconds, isSubDaily ? at.getUTCSeconds() : 0, rule.frequency === 'SECONDLY');
  for (const hour of hours) {
    for (const minute of minutes) {
      for (const second of seconds) {
        const ms = dayMs + ((hour * 60 + minute) * 60 + second) * 1000;
        if (!isSubDaily || (ms >= fromMs && ms < toMs)) yield ms;
      }
    }
  }
}

/** The starts of a period at the rule's positions, counted over days and times without making all of them. */
function atPositions(rule: RuleParts, days: readonly number[], period: Period): number[] {
  const perDay = days.map((day) => [...timesOf(rule, day, period)]);
  const total = perDay.reduce((sum, times) => sum + times.length, 0);
  const wanted = rule.positions.map((position) => (position > 0 ? position - 1 : total + position));
  const all = wanted.flatMap((index) => {
    let left = index;
    for (const times of perDay) {
      if (left < 0) return [];
      if (left < times.length) return times[left] ?? [];
      left -= times.length;
    }
    return [];
  });
  return [...new Set(all)].sort((a, b) => a - b);
}

function* startsOfPeriod(rule: RuleParts, period: Period, reading: Reading): Generator<number> {
  const days: number[] = [];
  for (const day of period.days) {
    reading.look();
    if (!isDay(rule, day)) continue;
    if (rule.positions.length > 0) days.push(day);
    else {
      for (const ms of timesOf(rule, day, period)) {
        reading.look();
        yield ms;
      }
    }
  }
  // Most periods of some rules have no day: there is nothing to count positions in.
  if (days.length === 0) return;
  const times = rule.hours.length * rule.minutes.length * rule.seconds.length;
  reading.look(days.length * Math.max(1, times));
  // More starts in one period than one reading may look at: nothing of the period is known.
  if (!reading.isOver) yield* atPositions(rule, days, period);
}

/** A recurrence rule without UNTIL. */
export class RecurrenceRule {
  readonly #parts: RuleParts;
  /** The last start that COUNT allows; known after the first reading. */
  #lastMs: number | undefined;
  /** No start is known from here on. */
  #barrenFromMs = Number.POSITIVE_INFINITY;

  /**
   * @param text parts in upper case, such as `FREQ=DAILY`
   * @param startMs the first start of its series, in wall-clock milliseconds
   * @throws {RangeError} naming the part that is wrong
   */
  constructor(text: readonly string[], startMs: number) {
    this.#parts = readParts(text, startMs);
  }

  /** Starts that the rule has on a day that it lets through; not counted for periods shorter than a day. */
  get startsPerDay(): number {
    const { hours, minutes, seconds } = this.#parts;
    return hours.length * minutes.length * seconds.length;
  }

  /** True for periods shorter than a day. */
  get isSubDaily(): boolean {
    return FREQUENCIES.indexOf(this.#parts.frequency) < FREQUENCIES.indexOf('DAILY');
  }

  /**
   * The starts that are not before a moment, in order. A rule that never comes to one ends after {@link IDLE_MAX} days and times;
   * the first start of the series counts towards COUNT although the rule may not have it.
   * @param work what the request may still look at; the reading ends with it
   * @param most steps that this reading may take of it
   */
  *startsFrom(fromMs: number, work: Work, most = Number.POSITIVE_INFINITY): Generator<number> {
    const lastMs = this.#lastOfCount(work);
    for (const ms of this.#read(fromMs, work, most)) {
      if (ms > lastMs) return;
      if (ms >= fromMs) yield ms;
    }
  }

  /** The last start that COUNT allows, or the last one that is known of a COUNT that is never reached. */
  #lastOfCount(work: Work): number {
    const { count, startMs } = this.#parts;
    if (!Number.isFinite(count)) return Number.POSITIVE_INFINITY;
    if (this.#lastMs !== undefined) return this.#lastMs;
    let left = count;
    let lastMs = startMs;
    for (const ms of this.#read(startMs, work, IDLE_MAX)) {
      // The series' own start is an instance whatever the rule says (RFC 5545, section 3.3.10).
      if (left === count && ms !== startMs) left -= 1;
      if (left <= 0) break;
      left -= 1;
      lastMs = ms;
    }
    // What a request with little left has read is not all there is.
    if (work.left > 0) this.#lastMs = lastMs;
    return lastMs;
  }

  /** Every start from the period of a moment on, COUNT left out. */
  *#read(fromMs: number, work: Work, most: number): Generator<number> {
    const parts = this.#parts;
    const reading = new Reading(work, most, this.isSubDaily ? SUB_DAILY_STEPS : 1);
    if (fromMs >= this.#barrenFromMs) return;
    let foundMs = fromMs - 1;
    for (const period of periods(parts, fromMs)) {
      for (const ms of startsOfPeriod(parts, period, reading)) {
        if (reading.isOver) break;
        reading.idle = 0;
        if (ms < parts.startMs || ms > LAST_MS) continue;
        foundMs = ms;
        yield ms;
      }
      reading.look();
      if (!reading.isOver) continue;
      // Periods shorter than a day may rest for longer than one reading goes.
      if (reading.isIdle && !this.isSubDaily) this.#barrenFromMs = Math.min(this.#barrenFromMs, foundMs + 1);
      return;
    }
  }
}
