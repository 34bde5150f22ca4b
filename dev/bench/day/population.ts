import { MinuteLists } from './minute-lists.ts';
import { type Mix, minuteOfHours } from './mixes.ts';
import { type RefreshRules, TOKEN_SEC } from './refresh-rules.ts';

const DAY_SEC = 86_400;
/** Minutes of the simulated day. */
export const MINUTES = 1_440;
/** A connection in use is called every ten minutes of an hour: each call is noted. */
export const CALLS = 6;
export const CALL_INTERVAL_MIN = 10;
/** People come back at about the same time: the hour of today begins up to two hours before or after yesterday's. */
const SHIFT_MIN = 120;
const NEVER_SEC = -(2 ** 30);
/** Where nothing is due today. */
const FAR_SEC = 2 ** 30;

/** Fields of a connection's four numbers, which lie side by side: one look at the memory brings all of them. */
export const FIELDS = 4;
export const REFRESH_AT = 0;
export const EXPIRES_AT = 1;
export const LAST_USED = 2;
/** Class in the low 16 bits, calls to come in the next 8, failures in a row above. */
export const PACKED = 3;
export const ONE_CALL = 1 << 16;
export const ONE_FAILURE = 1 << 24;

/** Connections at the beginning of a day, and what is due and used in each of its minutes. Times are seconds of the day. */
export interface Population {
  readonly count: number;
  readonly inUse: number;
  readonly state: Int32Array;
  readonly due: MinuteLists;
  readonly uses: MinuteLists;
}

/**
 * Puts connections where they are on a day like any other: those in use somewhere in their token's hour, the others
 * somewhere in their month, none in step with another.
 *
 * @param classes class of each connection, those that are consented today included
 */
export function populate(mix: Mix, rules: RefreshRules, classes: Uint16Array, random: () => number): Population {
  const consents = mix.consents?.count ?? 0;
  const count = classes.length;
  const before = count - consents;
  const inUse = Math.round(before * mix.shareInUse);
  const state = new Int32Array(count * FIELDS);
  const due = new MinuteLists(MINUTES);
  const uses = new MinuteLists(MINUTES);
  for (let number = 0; number < count; number++) {
    const index = classes[number] ?? 0;
    const at = number * FIELDS;
    state[at + LAST_USED] = NEVER_SEC;
    state[at + PACKED] = index;
    let refreshAt = FAR_SEC;
    let expiresAt = NEVER_SEC;
    if (number >= before) {
      const { fromMinute = 0, perMinute = consents } = mix.consents ?? {};
      const minute = fromMinute + Math.floor((number - before) / perMinute);
      state[at + PACKED] = index + CALLS * ONE_CALL;
      uses.add(minute, number);
    } else if (number < inUse) {
      const yesterday = minuteOfHours(mix.hours, random());
      const latest = MINUTES - CALLS * CALL_INTERVAL_MIN - 1;
      const today = Math.min(latest, Math.max(0, yesterday + (random() - random()) * SHIFT_MIN));
      const lastCall = Math.min(MINUTES - 1, yesterday + (CALLS - 1) * CALL_INTERVAL_MIN);
      state[at + LAST_USED] = Math.floor(lastCall * 60) - DAY_SEC;
      state[at + PACKED] = index + CALLS * ONE_CALL;
      uses.add(Math.floor(today), number);
      const period = rules.periodSec[index] ?? 0;
      refreshAt = Math.floor(random() * period);
      expiresAt = refreshAt - period + TOKEN_SEC;
    } else {
      const period = rules.keepAliveSec[index] ?? FAR_SEC;
      refreshAt = Math.floor(random() * period);
      expiresAt = refreshAt - period + TOKEN_SEC;
    }
    state[at + REFRESH_AT] = refreshAt;
    state[at + EXPIRES_AT] = expiresAt;
    due.add(Math.floor(refreshAt / 60), number);
  }
  return { count, inUse, state, due, uses };
}
