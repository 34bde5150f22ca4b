import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { refusalsOf, SUBJECTS, subjectOf, subjectRefusalOf } from '../support/import-rules.ts';
import { arrowsOf, circlesIn, importsBelow, importsOf } from '../support/imports.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** All but the tests, which may import whatever they test. */
const FOLDERS = ['lambdas', 'lib', 'bin', 'packages', 'dev', 'examples'];

/** Most arrows that the subjects of `lambdas/gateway/` may have: a subject that imports another, by a value or a type. */
const MOST_ARROWS = 108;

const FORBIDDEN: readonly (readonly [path: string, specifier: string, message: string])[] = [
  ['lambdas/gateway/core/planted.ts', '../tokens/freshness.rules.ts', 'core/ imports nothing but itself'],
  ['lambdas/gateway/core/planted.ts', '@aws-sdk/client-kms', 'core/ imports nothing but itself'],
  ['lambdas/gateway/tokens/planted.rules.ts', '../platform/system.ts', 'Rules import core/'],
  ['lambdas/gateway/tokens/planted.rules.ts', './ports.ts', 'Rules import core/'],
  ['lambdas/gateway/proxying/planted.rules.ts', '../http/front-door.ts', 'Rules import core/'],
  ['lambdas/gateway/tokens/planted.rules.ts', 'node:http', 'Rules read no clock'],
  ['lambdas/proxy/planted.rules.ts', './inner-door.ts', 'Rules import core/'],
  ['lambdas/gateway/events/ports.ts', './record-event.ts', 'ports.ts imports core/'],
  ['lambdas/gateway/tokens/planted.ts', '../platform/system.ts', 'A use case imports core/'],
  ['lambdas/gateway/tokens/planted.ts', './escrow.store.ts', 'A use case imports core/'],
  ['lambdas/gateway/tokens/planted.ts', '@aws-sdk/client-kms', 'A use case imports core/'],
  ['lambdas/gateway/tokens/planted.ts', '../../refresh/sweep.ts', 'gateway/ never imports a function'],
  ['lambdas/gateway/calls/planted.ts', '../../inbox/handler.ts', 'gateway/ never imports a function'],
  ['lambdas/inbox/planted.ts', '../core/handler.ts', 'Functions never import each other'],
  ['lambdas/management/planted.ts', '../grants/routes.ts', 'Functions never import each other'],
  ['lambdas/gateway/calls/planted.ts', '../../features/undo/ports.ts', 'The core knows no feature'],
  ['lambdas/proxy/wiring.ts', '../features/undo/ports.ts', 'The core knows no feature'],
  [
    'lambdas/features/undo/planted.ts',
    '../../proxy/wiring.ts',
    'A feature imports gateway/, itself and features that it needs',
  ],
  [
    'lambdas/features/undo/planted.ts',
    '../other/ports.ts',
    'A feature imports gateway/, itself and features that it needs',
  ],
  [
    'lambdas/features/undo/planted.ts',
    '../../management/route.ts',
    'A feature imports gateway/, itself and features that it needs',
  ],
  [
    'lambdas/features/approvals/planted.ts',
    '../agents/agent.ts',
    'A feature imports gateway/, itself and features that it needs',
  ],
  ['lambdas/features/undo/planted.ts', './journal.store.ts', 'A use case imports core/'],
  ['lambdas/gateway/events/planted.ts', '../../events/forward-events.ts', 'gateway/ never imports a function'],
  ['lambdas/events/planted.rules.ts', './forward-events.ts', 'Rules import core/'],
  ['lambdas/events/planted.ts', '../gateway/platform/aws-service.ts', 'Only handler.ts and the file'],
  ['lambdas/gateway/tokens/planted.store.ts', './refresher.ts', 'A store imports core/'],
  ['lambdas/management/keys/planted.store.ts', './create-secret-key.ts', 'A store imports core/'],
  ['lambdas/gateway/platform/kms/planted.ts', '../../events/record-event.ts', 'platform/ lies below every subject'],
  ['lambdas/gateway/platform/planted.ts', '../connections/due.store.ts', 'platform/ lies below every subject'],
  ['lambdas/gateway/providers/planted.ts', '../platform/system.ts', 'providers/ are plain data'],
  ['lambdas/gateway/providers/acme/planted.ts', '../../tokens/lease.ts', 'providers/ are plain data'],
  ['lambdas/gateway/tokens/planted.ts', '../providers/google/server.ts', 'A use case imports core/'],
  ['lambdas/gateway/http/planted.ts', '../events/record-event.ts', 'http/ translates'],
  ['lambdas/gateway/wiring.ts', '../proxy/handler.ts', 'gateway/ never imports a function'],
  ['lambdas/proxy/planted.ts', '../connect/routes.ts', 'Functions never import each other'],
  ['lambdas/management/routes/planted.ts', '../../refresh/handler.ts', 'Functions never import each other'],
  [
    'lambdas/management/connections/planted.ts',
    '../../gateway/connections/due.store.ts',
    'Only handler.ts and the file',
  ],
  ['lambdas/refresh/planted.ts', '../gateway/platform/system.ts', 'Only handler.ts and the file'],
  ['lambdas/refresh/planted.ts', 'aws-cdk-lib', 'Functions import nothing of synth time'],
  ['lambdas/features/undo/planted.ts', 'aws-cdk-lib', 'Functions import nothing of synth time'],
  ['lambdas/proxy/planted.ts', '../features/constructs.ts', 'Functions import nothing of synth time'],
  [
    'lib/constructs/planted.ts',
    '../../lambdas/gateway/config.ts',
    'lib/ imports core/contract.ts, core/table-rights.ts',
  ],
  ['bin/planted.ts', '../dev/local/start.ts', 'lib/ imports nothing of the local runtime'],
  ['packages/client/src/planted.ts', '../../../lambdas/gateway/core/contract.ts', 'packages/client/ stands alone'],
  ['packages/simulator/planted.ts', '../../lambdas/gateway/core/contract.ts', 'packages/simulator/ stands alone'],
  ['dev/local/planted.ts', '../../lambdas/gateway/config.ts', 'dev/local/ imports core/contract.ts and the providers'],
  ['dev/local/planted.ts', '../../lib/constructs/function.ts', 'dev/local/ reads the template'],
  ['dev/local/planted.ts', '../../packages/simulator/drive/files.ts', 'dev/local/ starts the simulator'],
  ['lambdas/refresh/planted.ts', '../../packages/cli/options.ts', 'Functions import nothing of synth time'],
  ['lib/constructs/planted.ts', '../../dev/tools/json.ts', 'lib/ imports nothing of the local runtime'],
  ['packages/client/src/planted.ts', '../../cli/output.ts', 'packages/client/ stands alone'],
  ['dev/local/planted.ts', '../../packages/cli/output.ts', 'dev/local/ imports nothing of the command line'],
  ['packages/cli/commands/planted.ts', '../../simulator/index.ts', 'packages/cli/ works over the API'],
  // However deep the file.
  [
    'lambdas/gateway/platform/dynamodb/deep/planted.ts',
    '../../../../proxy/handler.ts',
    'gateway/ never imports a function',
  ],
  ['lambdas/management/deep/down/planted.ts', '../../../refresh/sweep.ts', 'Functions never import each other'],
  [
    'lambdas/management/deep/down/planted.ts',
    '../../../gateway/keys/secret-key.store.ts',
    'Only handler.ts and the file',
  ],
  ['lambdas/gateway/platform/planted.ts', '../languages/language.rules.ts', 'platform/ lies below every subject'],
  ['lambdas/gateway/platform/oidc/planted.ts', '../../keys/ports.ts', 'platform/ lies below every subject'],
  ['lambdas/gateway/core/contract.ts', './limits.ts', 'contract.ts imports nothing but'],
  ['lambdas/gateway/http/planted.ts', '../languages/language.rules.ts', 'http/ translates'],
  ['lambdas/connect/pages/planted.rules.ts', '../routes.ts', 'Rules import core/'],
  ['packages/simulator/simulation.ts', './drive/store.ts', 'state/ and simulation.ts know no API'],
  ['packages/simulator/state/planted.ts', '../calendar/records.ts', 'state/ and simulation.ts know no API'],
  ['packages/simulator/http/planted.ts', '../state/store.ts', "The simulator's http/ carries requests and answers"],
  ['dev/tools/planted.ts', '../local/start.ts', 'dev/tools/ imports no local runtime'],
  ['dev/tools/planted.ts', '../support/synthesize.ts', 'dev/tools/ imports no local runtime'],
  ['dev/tools/release/planted.ts', '../../second-opinions/tools.ts', 'dev/tools/ imports no local runtime'],
  ['dev/bench/feeds/planted.ts', '../../../test/support/table.ts', 'import no tests'],
  ['dev/second-opinions/moto/planted.ts', '../../../test/support/gateway.ts', 'import no tests'],
  ['dev/support/planted.ts', '../../test/support/gateway.ts', 'import no tests'],
  ['dev/support/planted.ts', '../bench/options.ts', 'dev/support/ imports no bench'],
  ['dev/local/planted.ts', '../support/memory-table.ts', 'dev/local/ imports nothing of the command line'],
  [
    'packages/dashboard/src/planted.tsx',
    '../../../lambdas/gateway/core/contract.ts',
    'packages/dashboard/ stands alone',
  ],
  ['dev/local/planted.ts', '../../test/support/table.ts', 'dev/local/ imports nothing of the command line'],
];

const ALLOWED: readonly (readonly [path: string, specifier: string])[] = [
  ['packages/cli/table/planted.ts', '../../../lambdas/gateway/keys/secret-key.store.ts'],
  ['dev/local/planted.ts', '../tools/build.ts'],
  ['lib/constructs/planted.ts', '../../lambdas/gateway/core/contract.ts'],
  ['lib/constructs/planted.ts', '../../lambdas/gateway/providers/index.ts'],
  ['lambdas/gateway/providers/acme/planted.ts', '../google/server.ts'],
  ['dev/local/planted.ts', '../../lambdas/gateway/core/contract.ts'],
  ['dev/local/planted.ts', '../../packages/simulator/index.ts'],
  ['lambdas/gateway/tokens/planted.ts', '../core/errors.ts'],
  ['lambdas/gateway/tokens/planted.rules.ts', '../providers/scopes.rules.ts'],
  ['lambdas/gateway/tokens/planted.store.ts', '../platform/dynamodb/client.ts'],
  ['lambdas/gateway/tokens/planted.store.ts', '@aws-sdk/lib-dynamodb'],
  ['lambdas/gateway/platform/kms/planted.ts', '../../core/limits.ts'],
  ['lambdas/gateway/platform/kms/planted.ts', '../telemetry/logger.ts'],
  ['lambdas/proxy/planted.ts', '../gateway/tokens/access-tokens.ts'],
  ['lambdas/proxy/handler.ts', '../gateway/wiring.ts'],
  ['lambdas/events/wiring.ts', '../gateway/platform/aws-service.ts'],
  ['lambdas/management/planted.ts', '../gateway/events/lifecycle-event.rules.ts'],
  ['lambdas/features/undo/grant-routes.ts', '../../management/route.ts'],
  ['lambdas/grants/planted.ts', '../management/route.ts'],
  ['lambdas/features/undo/construct.ts', 'aws-cdk-lib'],
  ['lib/planted.ts', '../lambdas/features/constructs.ts'],
  ['lambdas/gateway/core/planted.ts', '../../features/index.ts'],
  ['lambdas/proxy/planted.ts', '../features/call-hooks.ts'],
  ['lambdas/features/undo/planted.lazy.ts', './journal.store.ts'],
  ['lambdas/features/agents/planted.ts', '../approvals/ports.ts'],
  ['packages/simulator/drive/planted.ts', '../state/store.ts'],
  ['packages/dashboard/src/planted.tsx', '../../client/src/index.ts'],
  ['dev/bench/planted.ts', '../local/start.ts'],
  ['dev/bench/planted.ts', '../support/memory-table.ts'],
];

const project = importsBelow(ROOT, FOLDERS);

function planted(path: string, text: string): readonly string[] {
  return importsOf(path, text).flatMap((found) => [...refusalsOf(found), ...subjectRefusalOf(found)]);
}

describe('import directions', () => {
  test('every import of the project runs in its direction', () => {
    expect(project.length).toBeGreaterThan(5000);
    expect(project.flatMap(refusalsOf)).toEqual([]);
  });

  test.each(FORBIDDEN)('%s may not import %s', (path, specifier, message) => {
    const refused = planted(path, `import * as planted from '${specifier}';\n`);
    expect(refused.join('\n')).toContain(message);
    expect(refused[0]).toContain(`${path}:1 imports `);
  });

  test.each(ALLOWED)('%s may import %s', (path, specifier) => {
    expect(planted(path, `import * as planted from '${specifier}';\n`)).toEqual([]);
  });

  test.each([
    ["import type { System } from '../platform/system.ts';"],
    ["import { type System } from '../platform/system.ts';"],
    ["import '../platform/system.ts';"],
    ["import {\n  a,\n  b,\n} from '../platform/system.ts';"],
    ["export * from '../platform/system.ts';"],
    ["export * as system from '../platform/system.ts';"],
    ["export { system } from '../platform/system.ts';"],
    ["export type { System } from '../platform/system.ts';"],
    ["const system = await import('../platform/system.ts');"],
    ["let system: import('../platform/system.ts').System;"],
    ["let system: typeof import('../platform/system.ts');"],
    ["const system = require('../platform/system.ts');"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a file with templates in it
    ["const quoted = `${'}'} ${`${1}`}`; const slash = /[`'\"]/; export * from '../platform/system.ts';"],
  ])('an import is seen in the form %s', (text) => {
    expect(planted('lambdas/gateway/tokens/planted.rules.ts', text).join('\n')).toContain('Rules import core/');
  });

  test.each([
    ["// import '../platform/system.ts';"],
    ["/* export * from '../platform/system.ts'; */"],
    ['const text = "import \'../platform/system.ts\'";'],
    ["const text = `import '../platform/system.ts'`;"],
    ["const found = /import '..\\/platform\\/system.ts'/;"],
    ["const from = { import: 1 }; const path = '../platform/system.ts';"],
  ])('what only looks like an import is none: %s', (text) => {
    expect(importsOf('lambdas/gateway/tokens/planted.rules.ts', text)).toEqual([]);
  });
});

describe('circles', () => {
  test('no files import each other in a circle, neither by values nor by types', () => {
    expect(circlesIn(arrowsOf(project))).toEqual([]);
  });

  test('a circle is found by values, by types and over several files', () => {
    const files = [
      importsOf('a.ts', "import { b } from './b.ts';"),
      importsOf('b.ts', "import type { C } from './c.ts';"),
      importsOf('c.ts', "export { a } from './a.ts';"),
      importsOf('d.ts', "import './a.ts';"),
    ];
    expect(circlesIn(arrowsOf(files.flat()))).toEqual([['a.ts', 'b.ts', 'c.ts']]);
    expect(circlesIn(arrowsOf(files.slice(1).flat()))).toEqual([]);
  });
});

describe('subjects', () => {
  const arrows = arrowsOf(project, subjectOf);
  const pairs = [...arrows].flatMap(([from, to]) => [...to].map((name) => `${from} -> ${name}`));

  test('every import between subjects is one of the table', () => {
    const refused = project.flatMap(subjectRefusalOf);
    expect(refused).toEqual([]);
  });

  test('the table names no arrow that no file needs, and every subject there is', () => {
    const unused = Object.entries(SUBJECTS).flatMap(([from, allowed]) =>
      allowed.map((to) => `${from} -> ${to}`).filter((pair) => !pairs.includes(pair)),
    );
    expect(unused).toEqual([]);
    const there = project
      .flatMap(({ from, to }) => [subjectOf(from), subjectOf(to)])
      .filter((name) => name !== undefined);
    expect(Object.keys(SUBJECTS).sort()).toEqual([...new Set(there)].sort());
  });

  test('a subject imports only what stands above it in the table, so there is no circle and no way up', () => {
    const order = Object.keys(SUBJECTS);
    const up = Object.entries(SUBJECTS).flatMap(([from, allowed]) =>
      allowed.filter((to) => order.indexOf(to) >= order.indexOf(from)).map((to) => `${from} -> ${to}`),
    );
    expect(up).toEqual([]);
  });

  test(`subjects import each other along at most ${MOST_ARROWS} arrows`, () => {
    expect(pairs.length).toBeLessThanOrEqual(MOST_ARROWS);
  });

  test.each([
    ['lambdas/gateway/connections/planted.rules.ts', "import type { x } from '../tokens/freshness.rules.ts';"],
    ['lambdas/gateway/connections/planted.ts', "let x: import('../authorization/flow-failure.ts').X;"],
    ['lambdas/gateway/tokens/deep/planted.ts', "export * from '../../authorization/flow-failure.ts';"],
    ['lambdas/gateway/events/planted.rules.ts', "import { x } from '../integrations/integration.rules.ts';"],
    ['lambdas/gateway/config.ts', "import { x } from './keys/ports.ts';"],
  ])('%s may not hold: %s', (path, text) => {
    expect(planted(path, text).join('\n')).toMatch(/imports .*\. \S+ may import .* only\./);
  });
});

test('rules and core/ read no clock, chance or environment', () => {
  const pure = [
    ...globSync('lambdas/**/*.rules.ts', { cwd: ROOT }),
    ...globSync('lambdas/gateway/core/*.ts', { cwd: ROOT }),
  ];
  expect(pure.length).toBeGreaterThan(30);
  const impure = pure.filter((path) =>
    /Date\.now\(|new Date\(\)|Math\.random\(|process\.env|randomBytes\(/.test(readFileSync(join(ROOT, path), 'utf8')),
  );
  expect(impure).toEqual([]);
});
