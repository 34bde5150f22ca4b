import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { textConsole } from '../../../dev/local/console.ts';
import type { Built } from '../../../dev/local/own-bundles.ts';
import { openWatch } from '../../../dev/local/watch.ts';
import { concernsOf, snapshotOf } from '../../../dev/local/watched-sources.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from './fixtures/gateway.ts';

let root: string;
let written: string[];
let builds: string[][];
let dashboards: PromiseWithResolvers<boolean>[];
beforeEach(() => {
  root = temporaryFolder();
  [written, builds, dashboards] = [[], [], []];
});

function save(path: string, text = 'x'): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** A watch over the folder; functions are built as the test says. */
function watch(built: () => Built[] = () => []): void {
  const opened = openWatch({
    root,
    before: snapshotOf(root),
    bundles: {
      async build(changed = new Set()) {
        builds.push([...changed].map((path) => path.slice(root.length + 1)).sort());
        return built();
      },
      tidy: () => {},
    },
    pools: [],
    dashboard: {
      rebuild() {
        const build = Promise.withResolvers<boolean>();
        dashboards.push(build);
        return build.promise;
      },
    },
    screen: textConsole((text) => written.push(text), false),
  });
  onTestFinished(() => opened.close());
}

describe('a watch', () => {
  it('hands on files that came, changed and went, once each', async () => {
    for (const path of ['lambdas/a.ts', 'lambdas/b.ts', 'lambdas/c.ts']) save(path);
    watch();
    save('lambdas/a.ts', 'changed');
    save('lambdas/new/d.ts');
    rmSync(join(root, 'lambdas/c.ts'));
    await until('the build', () => builds.length > 0);
    expect(builds.flat().sort()).toEqual(['lambdas/a.ts', 'lambdas/c.ts', 'lambdas/new/d.ts']);
  });

  it('builds the dashboard again for its own sources and the client’s, one build after the other', async () => {
    watch();
    save('packages/dashboard/src/main.ts');
    await until('the first build', () => dashboards.length === 1);
    expect(written.join('')).toBe('[watch] building the dashboard … (packages/dashboard/src/main.ts)\n');
    save('packages/client/src/index.ts');
    save('lib/index.ts');
    await until('the change to be seen', () => written.join('').includes('lib/index.ts changed'));
    expect(dashboards).toHaveLength(1);
    dashboards[0]?.resolve(true);
    await until('the second build', () => dashboards.length === 2);
    expect(written.join('')).toMatch(
      /dashboard: built in \d+\.\d s; reload the page\n.*\(packages\/client\/src\/index\.ts\)/,
    );
    dashboards[1]?.resolve(false);
    expect(builds).toEqual([]);
  });

  it('reports a problem of several functions once, and names three of many files', async () => {
    const problem = 'lambdas/a.ts:1:2: Unexpected "x"';
    watch(() => ['proxy', 'refresh'].map((functionName) => ({ functionName, problem })));
    for (const name of 'abcde') save(`lambdas/${name}.ts`);
    save('lib/a.ts');
    save('lib/b.ts');
    save('lib/c.ts');
    save('lib/d.ts');
    await until('the problem', () => written.join('').includes('proxy, refresh cannot be built'));
    expect(written.join('').split(problem)).toHaveLength(2);
    expect(written.join('')).toContain('lib/a.ts, lib/b.ts, lib/c.ts and 1 more changed.');
  });

  it('looks away from what tools and editors keep alongside the sources', async () => {
    watch();
    for (const name of ['.a.ts.swp', 'a.ts~', '4913', '#a.ts#']) save(`lambdas/${name}`);
    save('lib/node_modules/x/index.js');
    save('packages/dashboard/dist/index.html');
    save('lambdas/last.ts');
    await until('the build', () => builds.length > 0);
    expect(builds).toEqual([['lambdas/last.ts']]);
    expect(written.join('')).toBe('[watch] lambdas/last.ts changed, which no bundle reads.\n');
  });
});

describe('a changed file', () => {
  it.each([
    ['lambdas/proxy/handler.ts', { functions: true, dashboard: false, start: false }],
    ['lambdas/gateway/core/contract.ts', { functions: true, dashboard: false, start: true }],
    ['lambdas/features/a/construct.ts', { functions: true, dashboard: false, start: true }],
    ['lambdas/features/a/routes.ts', { functions: true, dashboard: false, start: false }],
    ['lambdas/gateway/providers/google/index.ts', { functions: true, dashboard: false, start: true }],
    ['packages/client/src/index.ts', { functions: false, dashboard: true, start: false }],
    ['dev/local/start.ts', { functions: false, dashboard: false, start: true }],
    ['package-lock.json', { functions: false, dashboard: false, start: true }],
    ['docs/faq.md', { functions: false, dashboard: false, start: false }],
  ])('%s concerns %j', (path, concerns) => {
    expect(concernsOf(path)).toEqual(concerns);
  });
});
