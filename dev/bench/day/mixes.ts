/** Who uses connections when, and what goes wrong: the days that are simulated. */

import { AUTHORIZATIONS_PER_MINUTE } from '../../../lambdas/gateway/core/limits.ts';

/** Times are minutes of the day. */
export interface Mix {
  readonly name: string;
  readonly title: string;
  /** One in so many connections is simulated, with slices that do as much less, and every count multiplied. @default 1 */
  readonly oneIn?: number;
  /** Part of the connections that is used for an hour of the day. */
  readonly shareInUse: number;
  /** When that hour begins: at any time, or as an office in one time zone works. */
  readonly hours: 'round the clock' | 'working day';
  /** New connections, so many in each minute, in use from then on, in addition to the others. */
  readonly consents?: { readonly fromMinute: number; readonly perMinute: number; readonly count: number };
  /** The token endpoint answers 503. */
  readonly outage?: { readonly fromMinute: number; readonly minutes: number };
}

/** Every day that is simulated, in the order of the report. */
export const MIXES: readonly Mix[] = [
  { name: 'idle', title: 'none in use', shareInUse: 0, hours: 'round the clock' },
  { name: 'one', title: '1 % in use, round the clock', shareInUse: 0.01, hours: 'round the clock' },
  { name: 'ten', title: '10 % in use, round the clock', shareInUse: 0.1, hours: 'round the clock' },
  { name: 'work', title: '10 % in use, working day', shareInUse: 0.1, hours: 'working day' },
  { name: 'all', title: 'all in use, round the clock', shareInUse: 1, hours: 'round the clock', oneIn: 10 },
  {
    name: 'rollout',
    title: `10 %, working day; 100,000 consents from 09:00 on, ${AUTHORIZATIONS_PER_MINUTE} a minute`,
    shareInUse: 0.1,
    hours: 'working day',
    consents: { fromMinute: 9 * 60, perMinute: AUTHORIZATIONS_PER_MINUTE, count: 100_000 },
  },
  {
    name: 'outage',
    title: '10 %, working day; no token endpoint from 10:00 to 11:00',
    shareInUse: 0.1,
    hours: 'working day',
    outage: { fromMinute: 10 * 60, minutes: 60 },
  },
];

/** How many begin in each hour of a working day, in parts of the whole. */
const WORKING_DAY: readonly number[] = [
  0.2, 0.1, 0.1, 0.1, 0.2, 0.5, 2, 6, 11, 12, 11, 9, 7, 9, 10, 9, 7, 3, 1, 0.6, 0.5, 0.3, 0.2, 0.2,
];

/** Minute of the day, with a fraction, for a number in [0, 1). */
export function minuteOfHours(hours: Mix['hours'], random01: number): number {
  if (hours === 'round the clock') return random01 * 1_440;
  const sum = WORKING_DAY.reduce((total, weight) => total + weight, 0);
  let left = random01 * sum;
  for (const [hour, weight] of WORKING_DAY.entries()) {
    if (left < weight) return (hour + left / weight) * 60;
    left -= weight;
  }
  return 1_439;
}
