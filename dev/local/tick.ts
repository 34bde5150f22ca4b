/** Fires schedules and functions by name, for tests and for the first run of the start. */
import type { Schedules } from './events/schedules.ts';
import type { FunctionPools } from './function-pools.ts';
import type { LocalGateway } from './local-gateway.ts';

/** Makes the gateway's `tick`. */
export function ticker(schedules: Schedules, pools: FunctionPools): LocalGateway['tick'] {
  return async (name, input) => {
    const byName = schedules.find(name);
    if (byName !== undefined) return schedules.fire(byName, input);
    const pool = pools.byName(name);
    if (pool === undefined) throw new Error(`There is no schedule and no function called ${name}.`);
    const schedule = schedules.ofFunction(pool.fn.arn);
    if (schedule !== undefined) return schedules.fire(schedule, input);
    return pools.invoke(pool.fn.arn, input ?? {});
  };
}
