import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const MODULES = globSync('lambdas/**/*.ts', { cwd: ROOT }).sort();

/** What may change between two requests of a process, and why no account can see another through it. */
const KNOWN_STATE: Readonly<Record<string, string>> = {
  'lambdas/gateway/platform/aws-client.ts: invocationEndsAtMs': 'when the one invocation of the process has to end',
  'lambdas/gateway/platform/clock.ts: pooledFrom':
    'where random bytes that were drawn ahead begin; each is handed out once',
  'lambdas/gateway/platform/egress/egress.ts: collect': 'the engine’s own function, looked up once',
  'lambdas/refresh/handler.ts: firstKeyExists': 'a fact of the deployment',
};

/** Statements of the module itself start a line, as the formatter writes them; a function's own are indented. */
function moduleState(path: string): string[] {
  const source = readFileSync(join(ROOT, path), 'utf8');
  const variables = [...source.matchAll(/^(?:export )?(?:let|var) (\w+)/gm)];
  // A constant may hold something that grows; one that is filled where it stands and typed or named as a rule may not.
  const growing = [
    ...source.matchAll(
      /^(?:export )?const (\w+)(?::[^=\n]+)? = (?:new (?:Map|Set|WeakMap|BoundedCache)(?:<[^\n]*>)?\(\)|\[\]|\{\})/gm,
    ),
  ];
  const statics = [...source.matchAll(/^ {2}(?:private )?static (?!readonly)(#?\w+)\s*[=:;]/gm)];
  return [...variables, ...growing, ...statics].map(([, name]) => `${path}: ${name}`);
}

test('AK-7: no module of the functions keeps state that requests could share, but what is known here', () => {
  expect(MODULES.length).toBeGreaterThan(200);
  expect(MODULES.flatMap(moduleState).sort()).toEqual(Object.keys(KNOWN_STATE).sort());
});

test.each(['.add(', '.set(', '.push(', '.delete('])('AK-7: no constant of a module is changed by %s', (change) => {
  const changed = MODULES.flatMap((path) => {
    const source = readFileSync(join(ROOT, path), 'utf8');
    const constants = [...source.matchAll(/^(?:export )?const ([A-Za-z]\w*)/gm)].map(([, name]) => name ?? '');
    // Indented: a list that the module fills while it loads is whole before the first request.
    return constants
      .filter((name) => new RegExp(`^ .*(?<![\\w.#])${name}\\${change.replace('(', '\\(')}`, 'm').test(source))
      .map((name) => `${path}: ${name}`);
  });
  expect(changed).toEqual([]);
});
