import { RecurrenceRule } from './rule.ts';
import { INSTANCE_STEPS, Work } from './work.ts';
import {
  addDays,
  type EventTime,
  isTimeZone,
  momentOfWall,
  momentOfWallMs,
  startOfDay,
  wallOfMoment,
} from './zoned-time.ts';

/** Thrown for recurrence lines that RFC 5545 or Calendar do not allow. */
export class RecurrenceError extends Error {}

/** One occurrence of a series, before any exception: its start, and the end of its instance's id. */
export interface Occurrence {
  start: EventTime;
  startMs: number;
  /** `20261122T090000Z`, or `20261122` for whole days. */
  stamp: string;
}

/** What a series repeats: its first start and its recurrence lines. */
export interface Series {
  start: EventTime;
  /** RRULE, EXRULE, RDATE and EXDATE lines. */
  lines: readonly string[];
  /** Zone in which whole days begin. */
  calendarZone: string;
}

/** Occurrences of one series that a single answer may hold when no end of the time is asked: two years of days. */
const OCCURRENCES_MAX = 730;

/** Occurrences of one series that a single answer may hold when an end of the time is asked: an hourly series for more than a year. */
const OCCURRENCES_IN_TIME_MAX = 10_000;

const DAY_MS = 86_400_000;
const LINE = /^(?<name>RRULE|EXRULE|RDATE|EXDATE)(?<parameters>(?:;[A-Z-]+=[^:;]+)*):(?<value>.+)$/i;
const STAMP = /^(?<date>\d{8})(?:T(?<hour>\d{2})(?<minute>\d{2})(?<second>\d{2})(?<utc>Z)?)?$/;

/** Parts of a rule (RFC 5545 section 3.3.10). */
const PARTS = new Set(
  'FREQ UNTIL COUNT INTERVAL BYSECOND BYMINUTE BYHOUR BYDAY BYMONTHDAY BYYEARDAY BYWEEKNO BYMONTH BYSETPOS WKST'.split(
    ' ',
  ),
);

interface Rule {
  repeat: RecurrenceRule;
  /** Last moment, included; wall-clock milliseconds for whole days. */
  untilMs: number;
}

interface Parsed {
  rules: Rule[];
  exRules: Rule[];
  added: Set<number>;
  excluded: Set<number>;
}

/** Wall-clock time as if it were UTC: the rules count in wall-clock time, whatever the zone does (RFC 5545 section 3.3.10). */
function wallMsOf(start: EventTime): number {
  return 'date' in start
    ? Date.parse(`${start.date}T00:00:00Z`)
    : Date.parse(`${wallOfMoment(start.ms, start.timeZone)}Z`);
}

function isoOfStamp(groups: Record<string, string | undefined>): { date: string; time: string | undefined } {
  const { date = '', hour, minute, second } = groups;
  return {
    date: `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`,
    time: hour === undefined ? undefined : `${hour}:${minute}:${second}`,
  };
}

/** A DATE or DATE-TIME value as a start of this series, in milliseconds (wall-clock for whole days). */
function readStamp(value: string, series: Series, tzid: string | undefined, endOfDay = false): number {
  const groups = STAMP.exec(value)?.groups;
  if (groups === undefined) throw new RecurrenceError(`"${value}" is no date and no time.`);
  const { date, time } = isoOfStamp(groups);
  try {
    if ('date' in series.start) return Date.parse(`${date}T00:00:00Z`);
    if (time === undefined) return momentOfWall(`${date}T${endOfDay ? '23:59:59' : '00:00:00'}`, series.start.timeZone);
    if (groups.utc !== undefined) return Date.parse(`${date}T${time}Z`);
    return momentOfWall(`${date}T${time}`, tzid ?? series.start.timeZone);
  } catch {
    throw new RecurrenceError(`"${value}" is no date and no time.`);
  }
}

function readRule(value: string, series: Series): Rule {
  const parts = value.split(';').filter((part) => part !== '');
  const stranger = parts.find((part) => !PARTS.has((part.split('=')[0] ?? '').toUpperCase()));
  if (stranger !== undefined) throw new RecurrenceError(`"${stranger}" is no part of a rule.`);
  if (parts.some((part) => /^(?:COUNT|INTERVAL)=0*$/i.test(part)))
    throw new RecurrenceError(`"${value}" repeats nothing.`);
  const until = parts.find((part) => /^UNTIL=/i.test(part))?.slice('UNTIL='.length);
  const untilMs =
    until === undefined ? Number.POSITIVE_INFINITY : readStamp(until.toUpperCase(), series, undefined, true);
  if (until !== undefined && parts.some((part) => /^COUNT=/i.test(part))) {
    throw new RecurrenceError('A rule has COUNT or UNTIL, not both.');
  }
  const rest = parts.filter((part) => !/^UNTIL=/i.test(part)).map((part) => part.toUpperCase());
  try {
    return { repeat: new RecurrenceRule(rest, wallMsOf(series.start)), untilMs };
  } catch (cause) {
    throw new RecurrenceError(`"${value}" is no rule: ${cause instanceof Error ? cause.message : ''}`, { cause });
  }
}

function readDates(value: string, parameters: string, series: Series): number[] {
  const tzid = /;TZID=(?<zone>[^;:]+)/i.exec(parameters)?.groups?.zone;
  if (tzid !== undefined && !isTimeZone(tzid)) throw new RecurrenceError(`"${tzid}" is no time zone.`);
  return value.split(',').map((entry) => readStamp(entry.trim().toUpperCase(), series, tzid));
}

function parse(series: Series): Parsed {
  const parsed: Parsed = { rules: [], exRules: [], added: new Set(), excluded: new Set() };
  for (const line of series.lines) {
    const groups = LINE.exec(line)?.groups;
    if (groups === undefined) throw new RecurrenceError(`"${line}" is no RRULE, EXRULE, RDATE or EXDATE line.`);
    const { name = '', parameters = '', value = '' } = groups;
    if (name.toUpperCase() === 'RRULE') parsed.rules.push(readRule(value, series));
    else if (name.toUpperCase() === 'EXRULE') parsed.exRules.push(readRule(value, series));
    else {
      for (const ms of readDates(value, parameters, series)) {
        if (name.toUpperCase() === 'RDATE') parsed.added.add(ms);
        else parsed.excluded.add(ms);
      }
    }
  }
  return parsed;
}

const cache = new WeakMap<Series, Parsed>();

function parsedOf(series: Series): Parsed {
  const known = cache.get(series) ?? parse(series);
  cache.set(series, known);
  return known;
}

/** Starts on one day that a rule may have; how many Google takes is not known. */
const STARTS_PER_DAY_MAX = 24;

/**
 * Checks recurrence lines of a write. Rules that repeat within a day are refused, as public reports say of Google (google-api-ruby-client
 * 572, ical-generator 130, DisCal-Discord-Bot 81), and so are rules of very many starts a day.
 * @throws {RecurrenceError} saying which line is wrong
 */
export function checkRecurrence(series: Series): void {
  const { rules, exRules } = parsedOf(series);
  for (const { repeat } of [...rules, ...exRules]) {
    if (repeat.isSubDaily) throw new RecurrenceError('A rule repeats daily, weekly, monthly or yearly.');
    if (repeat.startsPerDay > STARTS_PER_DAY_MAX) {
      throw new RecurrenceError(`A rule has at most ${STARTS_PER_DAY_MAX} starts a day.`);
    }
  }
}

/** The rule's starts between two moments, in the terms of {@link readStamp}. */
function startsOf(rule: Rule, series: Series, { fromMs, toMs }: Span, work: Work): number[] {
  const { start } = series;
  const lastMs = Math.min(toMs, rule.untilMs);
  const { repeat } = rule;
  if (lastMs < fromMs) return [];
  // Wall clocks differ from UTC by less than a day; the exact moments are compared below.
  const from = fromMs - 2 * DAY_MS;
  const starts: number[] = [];
  const isEndless = !Number.isFinite(toMs);
  const most = isEndless ? OCCURRENCES_MAX : OCCURRENCES_IN_TIME_MAX;
  for (const wallMs of repeat.startsFrom(from, work, isEndless ? work.share : undefined)) {
    if (wallMs > lastMs + 2 * DAY_MS) break;
    const ms = 'date' in start ? wallMs : momentOfWallMs(wallMs, start.timeZone);
    if (ms < fromMs || ms > lastMs) continue;
    work.left -= INSTANCE_STEPS;
    starts.push(ms);
    if (starts.length < most) continue;
    if (!isEndless) work.isCut = true;
    break;
  }
  if (!isEndless && work.left <= 0) work.isCut = true;
  return starts;
}

interface Span {
  fromMs: number;
  toMs: number;
}

/** Characters of a moment until the year 9999. */
const ISO_LENGTH = '2026-01-01T00:00:00.000Z'.length;

/** Stamps that are kept: series of one calendar often start at the same moments. */
const STAMPS_MAX = 20_000;

const stamps = new Map<number, string>();

function stampOf(ms: number): string {
  const known = stamps.get(ms);
  if (known !== undefined) return known;
  const iso = new Date(ms).toISOString();
  const stamp =
    iso.length > ISO_LENGTH
      ? iso.replaceAll(/[-:]|\.\d+/g, '')
      : `${iso.slice(0, 4)}${iso.slice(5, 7)}${iso.slice(8, 13)}${iso.slice(14, 16)}${iso.slice(17, 19)}Z`;
  if (stamps.size >= STAMPS_MAX) stamps.clear();
  stamps.set(ms, stamp);
  return stamp;
}

/** An occurrence at a moment; its stamp is made for those that are shown, because a question of free time has thousands that are not. */
class TimedOccurrence implements Occurrence {
  readonly startMs: number;
  readonly #timeZone: string;

  constructor(startMs: number, timeZone: string) {
    this.startMs = startMs;
    this.#timeZone = timeZone;
  }

  get start(): EventTime {
    return { ms: this.startMs, timeZone: this.#timeZone };
  }

  get stamp(): string {
    return stampOf(this.startMs);
  }
}

function occurrenceAt(ms: number, series: Series): Occurrence {
  if (!('date' in series.start)) return new TimedOccurrence(ms, series.start.timeZone);
  const date = new Date(ms).toISOString().slice(0, 10);
  return { start: { date }, startMs: startOfDay(date, series.calendarZone), stamp: date.replaceAll('-', '') };
}

/**
 * The occurrences of a series that start between two moments, in order. Without an end (`Infinity`) at most
 * {@link OCCURRENCES_MAX}.
 * @param work what the request may still do; occurrences are missing when it is cut
 * @throws {RecurrenceError} for lines that {@link checkRecurrence} refuses
 */
export function occurrences(series: Series, fromMs: number, toMs: number, work = new Work()): Occurrence[] {
  const { rules, exRules, added, excluded } = parsedOf(series);
  const own = 'date' in series.start ? wallMsOf(series.start) : series.start.ms;
  // Whole days are counted as midnights of UTC: a day of slack on both sides covers every zone.
  const slack = 'date' in series.start ? DAY_MS : 0;
  const span = { fromMs: Math.max(fromMs - slack, own), toMs: toMs + slack };
  const starts = [own, ...added].filter((ms) => ms >= span.fromMs && ms <= span.toMs);
  work.left -= added.size + excluded.size;
  for (const rule of rules) for (const ms of startsOf(rule, series, span, work)) starts.push(ms);
  const left = new Set(exRules.flatMap((rule) => startsOf(rule, series, span, work)));
  return starts
    .sort((a, b) => a - b)
    .filter((ms, at) => ms !== starts[at - 1] && !excluded.has(ms) && !left.has(ms))
    .map((ms) => occurrenceAt(ms, series))
    .filter(({ startMs }) => startMs >= fromMs && startMs <= toMs)
    .slice(0, Number.isFinite(toMs) ? undefined : OCCURRENCES_MAX);
}

/** The occurrence that an instance's id names; `undefined` when the series has none there. */
export function occurrenceOfStamp(series: Series, stamp: string): Occurrence | undefined {
  const groups = STAMP.exec(stamp)?.groups;
  const isWholeDay = 'date' in series.start;
  if (groups === undefined || (groups.utc === undefined) !== isWholeDay || (groups.hour === undefined) !== isWholeDay) {
    return undefined;
  }
  const { date, time } = isoOfStamp(groups);
  const ms = isWholeDay ? Date.parse(`${date}T00:00:00Z`) : Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(ms)) return undefined;
  const aroundMs = isWholeDay ? DAY_MS : 0;
  return occurrences(series, ms - aroundMs, ms + aroundMs).find((occurrence) => occurrence.stamp === stamp);
}

/** The end of an occurrence of an event that lasts as long as the first one: whole days by dates, times exactly. */
export function endOfOccurrence(occurrence: Occurrence, lastsMs: number, lastsDays: number): EventTime {
  const { start } = occurrence;
  if ('date' in start) return { date: addDays(start.date, lastsDays) };
  return { ms: start.ms + lastsMs, timeZone: start.timeZone };
}
