/** The stack's functions on bundles that are built here instead of taken from it: under watch, or readable for a debugger. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { folderOf, PROJECT_ROOT } from '../tools/build.ts';
import type { Console } from './console.ts';
import type { Dashboard } from './dashboard/open-dashboard.ts';
import type { DataDirectory } from './data-directory.ts';
import type { FunctionPools } from './function-pools.ts';
import type { StartOptions } from './local-gateway.ts';
import { openOwnBundles } from './own-bundles.ts';
import type { Cleanup } from './shutdown.ts';
import type { LocalFunction } from './template/functions.ts';
import { openWatch } from './watch.ts';
import { snapshotOf } from './watched-sources.ts';

export interface OwnFunctionsInput {
  options: Pick<StartOptions, 'watch' | 'inspect'>;
  functions: readonly LocalFunction[];
  directory: DataDirectory;
  screen: Console;
  cleanup: Cleanup;
}

/** Functions to run, and what watches their sources once they do. */
export interface OwnFunctions {
  functions: readonly LocalFunction[];
  /** Does nothing where no watch was asked for. */
  watch(pools: FunctionPools, dashboard: Dashboard | undefined): void;
}

/**
 * Builds all functions under watch, or the inspected ones.
 * @throws Error with the place of every problem of the sources
 */
export async function ownFunctions(input: OwnFunctionsInput): Promise<OwnFunctions> {
  const { options, functions, directory, screen, cleanup } = input;
  const inspected = options.inspect ?? [];
  const root = options.watch?.root ?? PROJECT_ROOT;
  const before = snapshotOf(root);
  const chosen = functions.filter(({ displayName }) =>
    options.watch === undefined
      ? inspected.includes(displayName)
      : existsSync(join(folderOf(displayName, join(root, 'lambdas')), 'handler.ts')),
  );
  const bundles = openOwnBundles({ functions: chosen, readable: inspected, root, folder: directory.file('bundles') });
  cleanup.add(() => bundles.close());
  const built = await screen.step('bundle what is watched or inspected', () => bundles.build());
  const problems = new Set(built.flatMap(({ problem }) => problem ?? []));
  if (problems.size > 0) throw new Error([...problems].join('\n'));
  const folders = new Map(built.map(({ functionName, folder }) => [functionName, folder]));
  return {
    functions: functions.map((fn) => ({ ...fn, codeFolder: folders.get(fn.displayName) ?? fn.codeFolder })),
    watch(pools, dashboard) {
      if (options.watch === undefined) return;
      const names = chosen.map(({ displayName }) => displayName);
      const watch = openWatch({
        root,
        before,
        bundles,
        pools: names.flatMap((name) => pools.byName(name) ?? []),
        dashboard: root === PROJECT_ROOT ? dashboard : undefined,
        screen,
      });
      cleanup.add(() => watch.close());
      screen.watch('Sources are watched: what you save takes effect while the gateway runs.');
    },
  };
}
