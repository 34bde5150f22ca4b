import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type ClientOperation, clientApi } from '../../../dev/tools/client-operations.ts';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';

const SOURCES = join(PROJECT_ROOT, 'packages', 'client', 'src');

/** Operations without a method in the TypeScript client, and why. */
const WITHOUT_METHOD: Readonly<Record<string, string>> = {
  health: 'for load balancers and monitors, which have no key',
  startAuthorization: 'the connect page calls it with its browser’s cookie',
};

/** One sentence for each operation that no file of the client calls by name. */
function missingMethods(operations: readonly ClientOperation[]): string[] {
  return operations
    .filter(({ operationId }) => !(operationId in WITHOUT_METHOD) && !called.has(operationId))
    .map(
      ({ operationId, method, path, tags: [group] }) =>
        `${operationId} (${method} ${path}) has no method in the TypeScript client: give the class of ${group.toLowerCase()} in packages/client/src one that calls '${operationId}', and test/unit/client/management.test.ts its row.`,
    );
}

/** Operations that a method of the client calls. */
const called = new Set(
  globSync('**/*.ts', { cwd: SOURCES }).flatMap((file) =>
    [
      ...readFileSync(join(SOURCES, file), 'utf8').matchAll(
        /\b(?:manage|everyPage)\((?:this\.#manage,\s*)?\s*'(\w+)'/g,
      ),
    ].map(([, name = '']) => name),
  ),
);

it('every operation of the API has its method in the TypeScript client', () => {
  const { operations } = clientApi();
  expect(missingMethods(operations).join('\n')).toBe('');
  expect(called.size).toBeGreaterThan(50);
  const ids = operations.map(({ operationId }) => operationId);
  expect(Object.keys(WITHOUT_METHOD).filter((name) => !ids.includes(name) || called.has(name))).toEqual([]);
});

it('an operation without its method is missed, with a message that says where to go', () => {
  const [first] = clientApi().operations;
  if (first === undefined) throw new Error('The document has no operation.');
  const added = { ...first, operationId: 'ringBell', method: 'POST', path: '/bell' };
  expect(missingMethods([added])).toEqual([
    expect.stringMatching(/^ringBell \(POST \/bell\) has no method in the TypeScript client: .*packages\/client\/src/),
  ]);
});
