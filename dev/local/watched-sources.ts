/** Files that a watching gateway observes, by the reaction to their changes. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DASHBOARD_SOURCES } from '../tools/dashboard-build.ts';

const OF_FUNCTIONS = ['lambdas', 'dev/tools/api-document.ts'];
/** Files that a gateway reads only at its start. */
const OF_THE_START = [
  'lib',
  'bin',
  'cdk.json',
  'package-lock.json',
  'dev/tools/build.ts',
  'dev/local',
  'packages/simulator',
];
/** Sources of functions that the stack reads as well. */
const ALSO_OF_THE_START = ['lambdas/gateway/core/contract.ts', 'lambdas/gateway/providers'];
/** The same of features: their data and constructs, and the lists of them. */
const OF_FEATURES = /^lambdas\/features\/(?:(?:index|constructs)|[^/]+\/(?:feature|construct|rows\.rules))\.ts$/;

/** Time and size of every watched file by its absolute path. */
export type Snapshot = ReadonlyMap<string, string>;

/** The watched files as they are now. @param root folder of the project */
export function snapshotOf(root: string): Snapshot {
  const files = [...OF_FUNCTIONS, ...DASHBOARD_SOURCES, ...OF_THE_START].flatMap((path) =>
    filesBelow(join(root, path)),
  );
  return new Map(
    files.flatMap((path) => {
      const found = statSync(path, { throwIfNoEntry: false });
      return found === undefined ? [] : [[path, `${found.mtimeMs}/${found.size}`] as const];
    }),
  );
}

/** Paths of files that came, went or are others than before. */
export function changesBetween(before: Snapshot, after: Snapshot): string[] {
  const written = [...after].filter(([path, state]) => before.get(path) !== state).map(([path]) => path);
  return [...written, ...[...before.keys()].filter((path) => !after.has(path))];
}

/** The reactions to a file's change. @param path from the project's folder, with slashes */
export function concernsOf(path: string): { functions: boolean; dashboard: boolean; start: boolean } {
  const isIn = (places: readonly string[]) => places.some((place) => path === place || path.startsWith(`${place}/`));
  return {
    functions: isIn(OF_FUNCTIONS),
    dashboard: isIn(DASHBOARD_SOURCES),
    start: isIn(OF_THE_START) || isIn(ALSO_OF_THE_START) || OF_FEATURES.test(path),
  };
}

/** Neither what tools make nor what editors keep alongside a file. */
const NOT_SOURCES = /^(?:node_modules|dist|\..*|.*~|#.*#|4913)$/;

function filesBelow(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (found.isFile()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => !NOT_SOURCES.test(name))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(join(path, entry.name)) : [join(path, entry.name)]));
}
