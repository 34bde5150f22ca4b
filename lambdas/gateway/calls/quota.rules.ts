/** Use of a provider's quotas by day, and the forecast for the rest of the day. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The zone of Google's days (Google, "Usage limits": a day is over at midnight Pacific Time). */
const DAY_ZONE = 'America/Los_Angeles';

/** A day of the provider's quotas. */
export interface QuotaDay {
  /** Such as `2026-03-01`, by the provider's calendar. */
  readonly date: string;
  readonly startMs: number;
  /** When the next one begins: 23 to 25 hours after the start. */
  readonly endMs: number;
}

// Takes 9 ms of a cold start: bundles that need no day leave it out.
const DATE = /* @__PURE__ */ new Intl.DateTimeFormat('en-CA', {
  timeZone: DAY_ZONE,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

/** The day of the provider's quotas that a moment lies in. */
export function quotaDay(ms: number): QuotaDay {
  const date = DATE.format(ms);
  const startMs = midnight(date);
  return { date, startMs, endMs: midnight(DATE.format(startMs + 1.5 * DAY_MS)) };
}

/** The day that began so many days earlier. */
function dayBefore({ startMs }: QuotaDay, days: number): QuotaDay {
  return quotaDay(startMs + DAY_MS / 2 - days * DAY_MS);
}

/** When a date begins there: seven or eight hours after it does in UTC. */
function midnight(date: string): number {
  const earliest = Date.parse(date) + 7 * HOUR_MS;
  return DATE.format(earliest) === date ? earliest : earliest + HOUR_MS;
}

/** Days before today whose hours a forecast is made of. */
export const FORECAST_DAYS = 7;

/** The first moment whose hour a forecast needs. */
export function forecastNeedsFrom(nowMs: number): number {
  return dayBefore(quotaDay(nowMs), FORECAST_DAYS).startMs;
}

/** Weight of a past day in the forecast while nothing of today is known. */
const TRUST_IN_HISTORY = 0.25;

/** Use of a day so far and expected at its end. */
export interface Forecast {
  readonly spent: number;
  readonly atEnd: number;
}

/**
 * Forecasts the use at the end of the day: the use so far, plus the use of the remaining hours one week before, scaled by today's hours
 * so far against those of that day. Without use a week before, the mean of the days since the first use counts instead; without any,
 * the day continues at its own rate.
 *
 * @param taken in the hour that begins at a moment: all hours of the last seven days and of today
 * @param untilMs up to where calls are counted
 */
export function forecastOf(taken: (hourMs: number) => number, untilMs: number): Forecast {
  const today = quotaDay(untilMs);
  const elapsedMs = untilMs - today.startMs;
  const { before: spent } = parted(taken, today, today.endMs - today.startMs);
  const days = Array.from({ length: FORECAST_DAYS }, (_, at) => parted(taken, dayBefore(today, at + 1), elapsedMs));
  const firstUse = days.findLastIndex(({ before, after }) => before + after > 0);
  const known = days.slice(0, firstUse + 1);
  if (known.length === 0) {
    const rate = spent / Math.max(elapsedMs, HOUR_MS);
    return { spent, atEnd: Math.round(spent + rate * (today.endMs - untilMs)) };
  }
  // After a week of use, the same weekday counts.
  const weekBefore = firstUse === FORECAST_DAYS - 1 ? days[firstUse] : undefined;
  const { before, after } = weekBefore ?? {
    before: mean(known.map((day) => day.before)),
    after: mean(known.map((day) => day.after)),
  };
  const trust = TRUST_IN_HISTORY * (before + after);
  const level = (spent + trust) / (before + trust);
  return { spent, atEnd: Math.round(spent + level * after) };
}

/** A day's units before and after so many milliseconds of it, with use spread evenly within an hour. */
function parted(taken: (hourMs: number) => number, { startMs, endMs }: QuotaDay, elapsedMs: number) {
  let [before, after] = [0, 0];
  for (let hourMs = startMs; hourMs < endMs; hourMs += HOUR_MS) {
    const units = taken(hourMs);
    const share = Math.min(1, Math.max(0, (startMs + elapsedMs - hourMs) / HOUR_MS));
    before += units * share;
    after += units * (1 - share);
  }
  return { before, after };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
