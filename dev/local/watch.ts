/**
 * `npm start -- --watch`: builds what reads a changed file and puts it in place without cutting a call off. Files are looked at
 * again and again: reports of the operating system differ from one to the next and are missing on shared folders.
 */
import { relative, sep } from 'node:path';
import { errorMessage } from '../tools/json.ts';
import type { Console } from './console.ts';
import type { Dashboard } from './dashboard/open-dashboard.ts';
import type { FunctionPool } from './lambda/pool.ts';
import type { Built, OwnBundles } from './own-bundles.ts';
import { changesBetween, concernsOf, type Snapshot, snapshotOf } from './watched-sources.ts';

export interface WatchOptions {
  /** The project whose sources are watched. */
  root: string;
  /** Its sources as they were before the bundles were built that run now. */
  before: Snapshot;
  bundles: Pick<OwnBundles, 'build' | 'tidy'>;
  pools: readonly Pick<FunctionPool, 'fn' | 'replaceCode' | 'codeFolders'>[];
  dashboard: Pick<Dashboard, 'rebuild'> | undefined;
  screen: Pick<Console, 'watch'>;
}

export interface Watch {
  /** Stops watching, and waits for running builds. */
  close(): Promise<void>;
}

const LOOK_INTERVAL_MS = 150;
const NAMED_FILES = 3;

/** Watches until it is closed. */
export function openWatch({ root, before, bundles, pools, dashboard, screen }: WatchOptions): Watch {
  let seen = before;
  let changed: string[] = [];
  let changedAtMs = 0;
  let working: Promise<void> | undefined;
  let dashboardWork = Promise.resolve();

  function look(): void {
    if (working !== undefined) return;
    const now = snapshotOf(root);
    const more = changesBetween(seen, now);
    seen = now;
    if (more.length > 0) {
      // An editor or a checkout may still be writing: the next look decides.
      if (changed.length === 0) changedAtMs = performance.now();
      changed = [...new Set([...changed, ...more])];
      return;
    }
    if (changed.length === 0) return;
    const paths = changed;
    changed = [];
    working = apply(paths)
      .catch((error: unknown) => screen.watch(`The change could not be applied: ${errorMessage(error)}`, true))
      .finally(() => {
        working = undefined;
      });
  }

  async function apply(paths: readonly string[]): Promise<void> {
    const shown = (path: string) => relative(root, path).split(sep).join('/');
    const where = (kind: keyof ReturnType<typeof concernsOf>) => paths.filter((path) => concernsOf(shown(path))[kind]);
    const names = (some: readonly string[]) => listed(some.map(shown));
    const [ofFunctions, ofDashboard, ofStart] = [where('functions'), where('dashboard'), where('start')];
    if (ofStart.length > 0) {
      screen.watch(`${names(ofStart)} changed. A running gateway cannot take that over: restart npm start.`, true);
    }
    if (ofDashboard.length > 0 && dashboard !== undefined) {
      dashboardWork = dashboardWork.then(() => rebuildDashboard(dashboard, names(ofDashboard)));
    }
    if (ofFunctions.length > 0) await rebuildFunctions(ofFunctions, names(ofFunctions));
  }

  async function rebuildFunctions(paths: readonly string[], names: string): Promise<void> {
    const startedAtMs = performance.now();
    const built = await bundles.build(new Set(paths));
    const builtMs = Math.round(performance.now() - startedAtMs);
    if (built.length === 0) return screen.watch(`${names} changed, which no bundle reads.`);
    printProblems('cannot be built', built);
    const good = built.filter(({ problem }) => problem === undefined);
    const replaced = await Promise.all(good.map(replaceProcesses));
    printProblems('cannot start with the new bundle', replaced);
    const inPlace = replaced.filter(({ problem }) => problem === undefined);
    if (inPlace.length > 0) {
      const ms = Math.round(performance.now() - changedAtMs);
      screen.watch(`${namesOf(inPlace)}: built in ${builtMs} ms, in place after ${ms} ms (${names})`);
    }
    bundles.tidy(pools.flatMap((pool) => pool.codeFolders()));
  }

  async function replaceProcesses({ functionName, folder }: Built): Promise<Built> {
    const pool = pools.find(({ fn }) => fn.displayName === functionName);
    const problem = folder === undefined ? undefined : await pool?.replaceCode(folder);
    return problem === undefined ? { functionName } : { functionName, problem };
  }

  /** A file that many functions read breaks them all: each problem is reported once. */
  function printProblems(what: string, some: readonly Built[]): void {
    const problems = new Set(some.flatMap(({ problem }) => problem ?? []));
    for (const problem of problems) {
      const names = namesOf(some.filter((one) => one.problem === problem));
      const lines = problem.split('\n').map((line) => `\n    ${line}`);
      screen.watch(`${names} ${what}; the last good bundle continues:${lines.join('')}`, true);
    }
  }

  async function rebuildDashboard(page: Pick<Dashboard, 'rebuild'>, names: string): Promise<void> {
    screen.watch(`building the dashboard … (${names})`);
    const startedAtMs = performance.now();
    // It has printed the problems of the sources itself.
    if (!(await page.rebuild())) return;
    const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
    screen.watch(`dashboard: built in ${seconds} s; reload the page`);
  }

  const timer = setInterval(look, LOOK_INTERVAL_MS);
  return {
    async close() {
      clearInterval(timer);
      await working;
    },
  };
}

function namesOf(some: readonly Built[]): string {
  return some.map(({ functionName }) => functionName).join(', ');
}

function listed(paths: readonly string[]): string {
  const more = paths.length - NAMED_FILES;
  return paths.slice(0, NAMED_FILES).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
