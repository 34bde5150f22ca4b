/** Lazily loaded modules (`LATER_MODULES` of dev/tools/build.ts), kept out of the cold start. */

import type { OpenJudge } from '../gateway/calls/limited-keys.ts';
import type { OpenPacing } from '../gateway/calls/paced-calls.ts';
import type { ConnectionRefresher } from '../gateway/tokens/refresher.ts';
import type { SharedDependencies } from '../gateway/wiring.ts';

/** Loads the judge of limits and budgets. */
export const openJudge: OpenJudge = async (deps) => {
  const read: typeof import('./judge-limits.ts') = await import(builtModule('judge-limits'));
  return new read.LimitsJudge({ ...deps, changes: read.CHANGES, thresholds: read.thresholdReporter(deps.newItems) });
};

/** Loads the pacing of calls. */
export const openPacing: OpenPacing = async (deps) => {
  const read: typeof import('./pacing.ts') = await import(builtModule('pacing'));
  return new read.ProxyPacing(deps);
};

/** The one refresher of the process, loaded with the first refresh. */
export function refresherOnDemand(shared: SharedDependencies): Pick<ConnectionRefresher, 'refresh'> {
  let opened: Promise<ConnectionRefresher> | undefined;
  const open = async () => {
    const read: typeof import('./refresh.ts') = await import(builtModule('refresh'));
    return read.makeRefresher(shared);
  };
  return {
    async refresh(...request) {
      opened ??= open().catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      return (await opened).refresh(...request);
    },
  };
}

function builtModule(module: string): string {
  return new URL(`./${module}.mjs`, import.meta.url).href;
}
