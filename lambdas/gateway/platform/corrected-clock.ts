import { learnSkew, NO_SKEW } from '../core/clock-skew.ts';
import { headerValue } from '../core/http-message.ts';
import type { Clock } from '../core/ports.ts';
import type { Upstream } from '../core/upstream.ts';

/** A clock that the provider's answers correct, and the way out on which it hears them. */
export interface CorrectedClock {
  readonly clock: Clock;
  /** The same way out; the clock learns from every answer's Date header. */
  listenTo(upstream: Upstream): Upstream;
}

/** Corrects the process clock where the provider's answers agree that it is wrong (F27). @param process epoch milliseconds */
export function correctedClock(process: Clock): CorrectedClock {
  let skew = NO_SKEW;
  return {
    clock: { nowMs: () => process.nowMs() + skew.correctionMs },
    listenTo: (upstream) => ({
      ...upstream,
      async send(request) {
        const response = await upstream.send(request);
        skew = learnSkew(skew, headerValue(response.headers, 'date'), process.nowMs());
        return response;
      },
    }),
  };
}
