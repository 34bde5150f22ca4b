import { SWEEP_BRAKE_AFTER_FAILURES, SWEEP_CONCURRENCY } from '../../../lambdas/gateway/core/limits.ts';
import { ConnectionRows } from './connection-rows.ts';
import { type DayCounts, noCounts } from './day-counts.ts';
import type { Mix } from './mixes.ts';
import { CALL_INTERVAL_MIN, FIELDS, MINUTES, ONE_CALL, PACKED, type Population } from './population.ts';
import type { RefreshRules } from './refresh-rules.ts';

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
  readonly #population: Population;
  readonly #rows: ConnectionRows;
  readonly #sweepers: Sweepers;
  readonly #random: () => number;
  /** The oldest minute with something due, and how far into it the schedule has come. */
  #oldest = 0;
  #done = 0;

  constructor(mix: Mix, rules: RefreshRules, population: Population, sweepers: Sweepers, random: () => number) {
    this.#mix = mix;
    this.#population = population;
    this.#rows = new ConnectionRows(population, rules, random);
    this.#sweepers = sweepers;
    this.#random = random;
  }

  /** What was due before this minute, in the order of the due index. */
  tick(minute: number): void {
    const { slices, perSliceMinute } = this.#sweepers;
    const down = this.#isDown(minute);
    // A run stops at so many failures in a row; what was begun by then ends.
    const most = down ? slices * (SWEEP_BRAKE_AFTER_FAILURES + SWEEP_CONCURRENCY - 1) : slices * perSliceMinute;
    const { due } = this.#population;
    let work = 0;
    while (this.#oldest < minute && work < most) {
      const list = due.of(this.#oldest);
      // Shards begin anywhere, so an entry's place in the run is chance.
      const spanSec = Math.min(60, ((work + list.length - this.#done) / most) * 60);
      for (; this.#done < list.length && work < most; this.#done++) {
        const connection = list[this.#done] ?? 0;
        const dueAt = this.#rows.refreshAt(connection);
        // Moved since it was put here, and found where it is now.
        if (Math.floor(dueAt / 60) !== this.#oldest) continue;
        work++;
        const at = minute * 60 + Math.floor(this.#random() * spanSec);
        this.counts.oldestDueSec = Math.max(this.counts.oldestDueSec, at - dueAt);
        this.#refresh(connection, at, undefined);
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

  /** As `AccessTokens.forCall` does it: use what is fresh, refresh alongside what is ending, wait where it has ended. */
  #call(connection: number, minute: number): void {
    const { state, uses } = this.#population;
    const at = minute * 60 + (connection % 60);
    const row = connection * FIELDS + PACKED;
    const packed = (state[row] ?? 0) - ONE_CALL;
    state[row] = packed;
    if (((packed >> 16) & 0xff) > 0) uses.add(minute + CALL_INTERVAL_MIN, connection);
    if (this.#isConsent(connection)) {
      this.#rows.storeTokens(connection, at, at);
      return;
    }
    add(this.counts.calls, minute);
    if (this.#rows.expiresAt(connection) > at) {
      this.counts.notes++;
      if (this.#rows.noteUse(connection, at)) this.#refresh(connection, at, at);
      return;
    }
    if (this.#isDown(minute)) add(this.counts.refused, minute);
    else if (this.#rows.isInUse(connection, at)) this.counts.waitedInUse++;
    else this.counts.waitedIdle++;
    this.#refresh(connection, at, at);
  }

  /** One token call. @param usedAt when it serves a call */
  #refresh(connection: number, at: number, usedAt: number | undefined): void {
    const minute = Math.floor(at / 60);
    if (this.#isDown(minute)) {
      this.#rows.fail(connection, at);
      add(this.counts.failed, minute);
    } else {
      this.#rows.storeTokens(connection, at, usedAt);
      add(usedAt === undefined ? this.counts.scheduled : this.counts.onUse, minute);
    }
  }

  /** The first thing that happens to a connection of today. */
  #isConsent(connection: number): boolean {
    const first = this.#population.count - (this.#mix.consents?.count ?? 0);
    return connection >= first && this.#rows.expiresAt(connection) < -86_400;
  }

  #isDown(minute: number): boolean {
    const { outage } = this.#mix;
    return outage !== undefined && minute >= outage.fromMinute && minute < outage.fromMinute + outage.minutes;
  }
}

function add(counts: Int32Array, minute: number): void {
  counts[minute] = (counts[minute] ?? 0) + 1;
}
