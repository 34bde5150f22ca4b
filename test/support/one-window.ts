import { RATE_WINDOW_SEC } from '../../lambdas/gateway/core/limits.ts';

/**
 * The result of calls that are counted in one and the same window, by default a minute. Calls during which the window ended are made
 * again, and what they left in the new window must not count.
 *
 * @param run `attempt` is 0, then 1, then 2, to name another key, connection or address
 * @throws Error where the calls take longer than a window
 */
export async function withinOneWindow<T>(
  run: (attempt: number) => Promise<T>,
  windowSec = RATE_WINDOW_SEC,
): Promise<T> {
  const window = () => Math.floor(Date.now() / 1000 / windowSec);
  for (let attempt = 0; attempt < 3; attempt++) {
    const before = window();
    const result = await run(attempt);
    if (window() === before) return result;
  }
  throw new Error(`The calls take longer than ${windowSec} seconds`);
}
