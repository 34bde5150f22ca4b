import {
  SWEEP_BRAKE_AFTER_FAILURES,
  SWEEP_CONCURRENCY,
  TOKEN_ENDPOINT_BACKOFF_MAX_SEC,
} from '../../lambdas/shared/domain/limits.ts';
import { refreshBackoffSec } from '../../lambdas/shared/domain/token-freshness.ts';
import { type DayCounts, noCounts } from './day-counts.ts';
import type { Mix } from './mixes.ts';
import {
  CALL_INTERVAL_MIN,
  EXPIRES_AT,
  FIELDS,
  LAST_USED,
  MINUTES,
  ONE_CALL,
  ONE_FAILURE,
  PACKED,
  type Population,
  REFRESH_AT,
} from './population.ts';
import { type RefreshRules, TOKEN_SEC } from './refresh-rules.ts';

/** What refreshes: slices of the schedule side by side, each with one instance. */
export interface Sweepers {
  readonly slices: number;
  /** Refreshes of one instance in a minute, as `npm run bench:sweep` measures them. */
  readonly perSliceMinute: number;
}

/**
 * Lives through a day minute by minute: the tick refreshes what is due, oldest first and as much as its instances can,
 * then connections are called. Changes the population.
 *
 * One instance a slice and minute: a deployment's sweep may take five minutes and overlaps with the ticks that follow, so a
 * real backlog is worked off faster than this one.
 */
export function simulateDay(
  mix: Mix,
  rules: RefreshRules,
  population: Population,
  sweepers: Sweepers,
  random: () => number,
): DayCounts {
  const day = new Day(mix, rules, population, sweepers, random);
  for (let minute = 0; minute < MINUTES; minute++) {
    day.tick(minute);
    day.callConnections(minute);
  }
  return day.counts;
}

class Day {
  readonly counts: DayCounts = noCounts();
  readonly #mix: Mix;
  readonly #rules: RefreshRules;
  readonly #population: Population;
  readonly #sweepers: Sweepers;
  readonly #random: () => number;
  /** The oldest minute with something due, and how far into it the schedule has come. */
  #oldest = 0;
  #done = 0;

  constructor(mix: Mix, rules: RefreshRules, population: Population, sweepers: Sweepers, random: () => number) {
    this.#mix = mix;
    this.#rules = rules;
    this.#population = population;
    this.#sweepers = sweepers;
    this.#random = random;
  }

  /** What was due before this minute, in the order of the due index. */
  tick(minute: number): void {
    const { slices, perSliceMinute } = this.#sweepers;
    const down = this.#isDown(minute);
    // A run stops at so many failures in a row; what was begun by then ends.
    const most = down ? slices * (SWEEP_BRAKE_AFTER_FAILURES + SWEEP_CONCURRENCY - 1) : slices * perSliceMinute;
    const { state, due } = this.#population;
    let work = 0;
    while (this.#oldest < minute && work < most) {
      const list = due.of(this.#oldest);
      // Shards begin anywhere, so an entry's place in the run is chance.
      const spanSec = Math.min(60, ((work + list.length - this.#done) / most) * 60);
      for (; this.#done < list.length && work < most; this.#done++) {
        const connection = list[this.#done] ?? 0;
        const dueAt = state[connection * FIELDS + REFRESH_AT] ?? 0;
        // Moved since it was put here, and found where it is now.
        if (Math.floor(dueAt / 60) !== this.#oldest) continue;
        const at = minute * 60 + Math.floor(this.#random() * spanSec);
        work++;
        this.counts.oldestDueSec = Math.max(this.counts.oldestDueSec, at - dueAt);
        if (down) this.#fail(connection, at);
        else {
          this.#storeTokens(connection, at, undefined);
          this.#count(this.counts.scheduled, minute);
        }
      }
      if (this.#done < list.length) break;
      due.clear(this.#oldest);
      this.#oldest++;
      this.#done = 0;
    }
    if (this.#oldest < minute - 1) this.counts.lastBehindMinute = minute;
  }

  callConnections(minute: number): void {
    const { uses } = this.#population;
    for (const connection of uses.of(minute)) this.#call(connection, minute);
    uses.clear(minute);
  }

  #call(connection: number, minute: number): void {
    const { state, uses } = this.#population;
    const at = minute * 60 + (connection % 60);
    const row = connection * FIELDS;
    const packed = (state[row + PACKED] ?? 0) - ONE_CALL;
    state[row + PACKED] = packed;
    if (((packed >> 16) & 0xff) > 0) uses.add(minute + CALL_INTERVAL_MIN, connection);
    if (this.#isConsent(connection, row)) {
      this.#storeTokens(connection, at, at);
      return;
    }
    this.#count(this.counts.calls, minute);
    const leftSec = (state[row + EXPIRES_AT] ?? 0) - at;
    if (leftSec > 0) this.#serve(connection, at, leftSec);
    else this.#wait(connection, at);
  }

  /** The token still works: note the use, and refresh beside the call when it is about to end. */
  #serve(connection: number, at: number, leftSec: number): void {
    const { state } = this.#population;
    const row = connection * FIELDS;
    const index = (state[row + PACKED] ?? 0) & 0xffff;
    state[row + LAST_USED] = at;
    this.counts.notes++;
    if (leftSec <= (this.#rules.endingSec[index] ?? 0)) {
      this.#refreshOnUse(connection, at);
      return;
    }
    const next = at + (this.#rules.aheadSec[index * (TOKEN_SEC + 1) + leftSec] ?? 0);
    // Use brings work forward and never puts it off.
    if (next < (state[row + REFRESH_AT] ?? 0)) this.#dueAt(connection, row, next);
  }

  /** The token has ended: the caller waits for a new one, or is refused where there is none to be had. */
  #wait(connection: number, at: number): void {
    const minute = Math.floor(at / 60);
    if (this.#isDown(minute)) this.#count(this.counts.refused, minute);
    else if (this.#isInUse(connection, at)) this.counts.waitedInUse++;
    else this.counts.waitedIdle++;
    this.#refreshOnUse(connection, at);
  }

  #refreshOnUse(connection: number, at: number): void {
    const minute = Math.floor(at / 60);
    if (this.#isDown(minute)) {
      this.#fail(connection, at);
      return;
    }
    this.#storeTokens(connection, at, at);
    this.#count(this.counts.onUse, minute);
  }

  #isConsent(connection: number, row: number): boolean {
    const { count, state } = this.#population;
    const first = count - (this.#mix.consents?.count ?? 0);
    return connection >= first && (state[row + EXPIRES_AT] ?? 0) < -86_400;
  }

  #isInUse(connection: number, at: number): boolean {
    return at - (this.#population.state[connection * FIELDS + LAST_USED] ?? 0) < this.#rules.activeWindowSec;
  }

  /** New tokens, and the next look at the connection. */
  #storeTokens(connection: number, at: number, usedAt: number | undefined): void {
    const { state } = this.#population;
    const row = connection * FIELDS;
    const index = (state[row + PACKED] ?? 0) & 0xffff;
    if (usedAt !== undefined) state[row + LAST_USED] = usedAt;
    const waitSec = this.#isInUse(connection, at) ? this.#rules.periodSec[index] : this.#rules.keepAliveSec[index];
    state[row + EXPIRES_AT] = at + TOKEN_SEC;
    state[row + PACKED] = (state[row + PACKED] ?? 0) % ONE_FAILURE;
    this.#dueAt(connection, row, at + (waitSec ?? 0));
  }

  /** The provider did not answer well: the connection backs off by the gateway's own rule. */
  #fail(connection: number, at: number): void {
    const { state } = this.#population;
    const row = connection * FIELDS;
    const packed = state[row + PACKED] ?? 0;
    const failures = Math.floor(packed / ONE_FAILURE);
    if (failures < 100) state[row + PACKED] = packed + ONE_FAILURE;
    this.#count(this.counts.failed, Math.floor(at / 60));
    const waitSec = refreshBackoffSec(failures, undefined, this.#random(), TOKEN_ENDPOINT_BACKOFF_MAX_SEC);
    this.#dueAt(connection, row, at + waitSec);
  }

  #dueAt(connection: number, row: number, at: number): void {
    const { state, due } = this.#population;
    const minute = Math.floor(at / 60);
    const before = Math.floor((state[row + REFRESH_AT] ?? 0) / 60);
    state[row + REFRESH_AT] = at;
    // The list it is in by now still fits, unless the schedule has passed over it.
    if (minute !== before || minute <= this.#oldest) due.add(minute, connection);
  }

  #isDown(minute: number): boolean {
    const { outage } = this.#mix;
    return outage !== undefined && minute >= outage.fromMinute && minute < outage.fromMinute + outage.minutes;
  }

  #count(counts: Int32Array, minute: number): void {
    counts[minute] = (counts[minute] ?? 0) + 1;
  }
}
