import { laterDay, momentIn, showMoment } from './calendar-times.rules.ts';

/** A span of time in ms. */
export interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Hours of a day in which somebody may be asked to meet. */
export interface Hours {
  /** Such as `09:00`. */
  readonly from: string;
  readonly until: string;
  readonly weekends: boolean;
}

/** The hours of each day of a range, in a zone. */
export function hoursWithin(range: Span, { from, until, weekends }: Hours, zone: string): Span[] {
  const spans: Span[] = [];
  const lastDay = showMoment(range.untilMs, zone).slice(0, 10);
  for (let day = showMoment(range.fromMs, zone).slice(0, 10); day <= lastDay; day = laterDay(day, 1)) {
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
    if (!weekends && (weekday === 0 || weekday === 6)) continue;
    const endsAt = until === '24:00' ? `${laterDay(day, 1)}T00:00:00` : `${day}T${until}:00`;
    const fromMs = Math.max(range.fromMs, momentIn(zone, `${day}T${from}:00`));
    const untilMs = Math.min(range.untilMs, momentIn(zone, endsAt));
    if (untilMs > fromMs) spans.push({ fromMs, untilMs });
  }
  return spans;
}

/** What of some spans no busy span covers, as far as it is long enough. */
export function freeSpans(spans: readonly Span[], busy: readonly Span[], lengthMs: number): Span[] {
  const taken = [...busy].sort((a, b) => a.fromMs - b.fromMs);
  return spans
    .flatMap(({ fromMs, untilMs }) => {
      const free: Span[] = [];
      let at = fromMs;
      for (const one of taken) {
        if (one.untilMs <= at || one.fromMs >= untilMs) continue;
        if (one.fromMs > at) free.push({ fromMs: at, untilMs: one.fromMs });
        at = Math.max(at, one.untilMs);
      }
      if (at < untilMs) free.push({ fromMs: at, untilMs });
      return free;
    })
    .filter((span) => span.untilMs - span.fromMs >= lengthMs);
}
