import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { spread } from '../../../lambdas/gateway/core/identifiers.ts';
import { nextRefreshAt, tokenFreshness } from '../../../lambdas/gateway/tokens/freshness.rules.ts';
import { INTEGRATION, idleConnection } from '../sweep/fixtures.ts';

/** Google's access tokens last an hour less a second. */
export const TOKEN_SEC = 3_599;

const DAY_SEC = 86_400;

/**
 * The gateway's own rules of when to refresh, asked once for every class of connections and every remaining second of a
 * token, because ten million connections are asked hundreds of millions of times a day. All rules depend on the
 * connection's spread and on differences of times, so a class is a range of spreads and tables hold differences.
 */
export interface RefreshRules {
  readonly classes: number;
  /** Seconds until the schedule's next look, by class and remaining seconds of the token, for a connection used just now. */
  readonly aheadSec: Uint16Array;
  /** The same for a token just refreshed: seconds between two refreshes of a connection in use, by class. */
  readonly periodSec: Uint16Array;
  /** Seconds until the schedule's next look at a connection that is not in use, by class. */
  readonly keepAliveSec: Int32Array;
  /** A call that finds this many seconds of its token or less refreshes alongside itself, by class. */
  readonly endingSec: Uint16Array;
  /** A connection used less than this long ago counts as in use. */
  readonly activeWindowSec: number;
}

/** Asks the domain. @param classes ranges of spreads, a power of two keeps them equal */
export function refreshRules(classes: number): RefreshRules {
  const examples = exampleOfEachClass(classes);
  const nowSec = 2_000_000_000;
  const aheadSec = new Uint16Array(classes * (TOKEN_SEC + 1));
  const periodSec = new Uint16Array(classes);
  const keepAliveSec = new Int32Array(classes);
  const endingSec = new Uint16Array(classes);
  for (const [index, example] of examples.entries()) {
    for (let left = 0; left <= TOKEN_SEC; left++) {
      aheadSec[index * (TOKEN_SEC + 1) + left] = aheadOf(example, nowSec + left, nowSec) - nowSec;
      const endsAtSec = nowSec + left;
      const token = {
        ...example,
        accessTokenExpiresAtEpochSec: endsAtSec,
        lastRefreshedAtEpochSec: endsAtSec - TOKEN_SEC,
      };
      if (tokenFreshness(token, nowSec) !== 'fresh') endingSec[index] = left;
    }
    periodSec[index] = aheadSec[index * (TOKEN_SEC + 1) + TOKEN_SEC] ?? 0;
    keepAliveSec[index] = nextRefreshAt(example, nowSec + TOKEN_SEC, undefined, nowSec) - nowSec;
  }
  const [first = idleConnection(0, nowSec)] = examples;
  return { classes, aheadSec, periodSec, keepAliveSec, endingSec, activeWindowSec: activeWindowOf(first, nowSec) };
}

/** When a connection that is used now is due, by the end of its token of an hour. */
function aheadOf(example: Connection, endsAtSec: number, nowSec: number): number {
  return nextRefreshAt(example, endsAtSec, nowSec, nowSec, undefined, endsAtSec - TOKEN_SEC);
}

/** Class of each connection `connection-0` to `connection-<count - 1>`, by its own spread. */
export function classesOf(count: number, classes: number): Uint16Array {
  const { accountId, integrationId } = INTEGRATION;
  const result = new Uint16Array(count);
  for (let number = 0; number < count; number++) {
    const connectionId = `connection-${number}`;
    result[number] = Math.floor(spread({ accountId, integrationId, connectionId }) * classes);
  }
  return result;
}

function exampleOfEachClass(classes: number): Connection[] {
  const found = new Map<number, Connection>();
  for (let number = 0; found.size < classes; number++) {
    const example = idleConnection(number, 0);
    const index = Math.floor(spread(example) * classes);
    if (!found.has(index)) found.set(index, example);
  }
  return [...found].sort(([a], [b]) => a - b).map(([, example]) => example);
}

/** The age of the last use at which the domain stops to refresh ahead; at most a year. */
function activeWindowOf(example: Connection, nowSec: number): number {
  let inUse = 0;
  let idle = 365 * DAY_SEC;
  while (idle - inUse > 1) {
    const age = Math.floor((inUse + idle) / 2);
    const ahead = nextRefreshAt(example, nowSec + TOKEN_SEC, nowSec - age, nowSec) < nowSec + TOKEN_SEC;
    if (ahead) inUse = age;
    else idle = age;
  }
  return idle;
}
