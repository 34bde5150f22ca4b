import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';
import { MUTATION_AREAS } from '../../mutation/areas.ts';

/** Each alternative of a pattern by itself: a folder that went would hide behind the others. */
function alternatives(pattern: string): string[] {
  const [group, list = ''] = /\{([^}]*)\}/.exec(pattern) ?? [];
  return group === undefined ? [pattern] : list.split(',').map((one) => pattern.replace(group, one));
}

const filesOf = (patterns: readonly string[]) => globSync([...patterns], { cwd: PROJECT_ROOT });

describe('the areas of mutation testing', () => {
  it.each(
    MUTATION_AREAS.flatMap(({ name, mutate, tests }) => [...mutate, ...tests].map((one) => [name, one] as const)),
  )('%s names files that are there: %s', (_, pattern) => {
    expect(alternatives(pattern).filter((one) => filesOf([one]).length === 0)).toEqual([]);
  });

  it('the areas of mutation testing have each file once, all rules of calls, connections, keys, proxying and tokens among them, and none that Stryker leaves out', () => {
    const files = MUTATION_AREAS.flatMap(({ mutate }) => filesOf(mutate));
    expect(files.filter((file, index) => files.indexOf(file) !== index)).toEqual([]);
    const rules = filesOf(['lambdas/gateway/{calls,tokens,connections,keys,proxying}/*.rules.ts']);
    expect(rules.length).toBeGreaterThan(20);
    expect(rules.filter((file) => !files.includes(file))).toEqual([]);
    const { ignorePatterns } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'stryker.config.json'), 'utf8'));
    const ignored = files.filter((file) => ignorePatterns.some((pattern: string) => file.startsWith(`${pattern}/`)));
    expect(ignored).toEqual([]);
  });

  it('the areas of mutation testing name no test that needs documents, the dashboard or the local runtime, which mutated copies do not have', () => {
    const read = filesOf(MUTATION_AREAS.flatMap(({ tests }) => tests)).filter((file) =>
      /'(?:docs|contributing)'|[`'/](?:docs|contributing)\/|packages\/dashboard|dev\/(?:bench|local)\//.test(
        readFileSync(join(PROJECT_ROOT, file), 'utf8'),
      ),
    );
    expect(read).toEqual([]);
  });

  it('the areas of mutation testing are named on the page that shows their scores', () => {
    const page = readFileSync(join(PROJECT_ROOT, 'contributing', 'mutation.md'), 'utf8');
    expect(MUTATION_AREAS.filter(({ name }) => !page.includes(`| ${name}: `))).toEqual([]);
  });
});
