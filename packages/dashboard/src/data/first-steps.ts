import type { Gateway } from '../gateway/gateway.ts';
import { createSharedValue, type SharedValue } from './shared-value.ts';

/** Whether the way from nothing to the first call still has a step to do; undefined until it is known. */
export type FirstSteps = SharedValue<boolean | undefined>;

/** Asked once while steps are open and never again once they are done. @param nowMs the time, epoch milliseconds */
export function createFirstSteps(
  { connections, keys }: Pick<Gateway, 'connections' | 'keys'>,
  nowMs?: () => number,
): FirstSteps {
  const steps: FirstSteps = createSharedValue<boolean | undefined>(
    undefined,
    async () => {
      const [all, first] = await Promise.all([keys.list(), connections.list({ limit: 1 })]);
      return first.connections.length === 0 || !all.some(({ lastUsedAt }) => lastUsedAt !== undefined);
    },
    nowMs,
  );
  return {
    ...steps,
    renew: () => {
      if (steps.current() !== false) steps.renew();
    },
  };
}
