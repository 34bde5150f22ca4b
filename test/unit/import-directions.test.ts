import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

const FORBIDDEN: readonly (readonly [path: string, specifier: string, message: string])[] = [
  ['lambdas/gateway/core/planted.ts', '../tokens/freshness.rules.ts', 'core/ imports nothing but itself'],
  ['lambdas/gateway/core/planted.ts', '@aws-sdk/client-kms', 'core/ imports nothing but itself'],
  ['lambdas/gateway/tokens/planted.rules.ts', '../platform/system.ts', 'Rules import core/'],
  ['lambdas/gateway/tokens/planted.rules.ts', './ports.ts', 'Rules import core/'],
  ['lambdas/gateway/proxying/planted.rules.ts', '../http/error-response.ts', 'Rules import core/'],
  ['lambdas/gateway/tokens/planted.rules.ts', 'node:http', 'Rules read no clock'],
  ['lambdas/proxy/planted.rules.ts', './proxy-call.ts', 'Rules import core/'],
  ['lambdas/gateway/events/ports.ts', './record-event.ts', 'ports.ts imports core/'],
  ['lambdas/gateway/tokens/planted.ts', '../platform/system.ts', 'A use case imports core/'],
  ['lambdas/gateway/tokens/planted.ts', './lease.store.ts', 'A use case imports core/'],
  ['lambdas/gateway/tokens/planted.ts', '@aws-sdk/client-kms', 'A use case imports core/'],
  ['lambdas/gateway/tokens/planted.ts', '../../refresh/sweep.ts', 'gateway/ never imports a function'],
  ['lambdas/gateway/feeds/planted.ts', '../../feeds/sweep-feeds.ts', 'gateway/ never imports a function'],
  ['lambdas/gateway/feeds/planted.ts', '../../inbox/handler.ts', 'gateway/ never imports a function'],
  ['lambdas/inbox/planted.ts', '../feeds/handler.ts', 'Functions never import each other'],
  ['lambdas/gateway/events/planted.ts', '../../events/forward-events.ts', 'gateway/ never imports a function'],
  ['lambdas/events/planted.rules.ts', './forward-events.ts', 'Rules import core/'],
  ['lambdas/events/planted.ts', '../gateway/platform/aws-service.ts', 'Only handler.ts and the file'],
  ['lambdas/gateway/tokens/planted.store.ts', './refresher.ts', 'A store imports core/'],
  ['lambdas/management/keys/planted.store.ts', './create-secret-key.ts', 'A store imports core/'],
  ['lambdas/gateway/platform/kms/planted.ts', '../../events/record-event.ts', 'platform/ imports core/'],
  ['lambdas/gateway/platform/planted.ts', '../tokens/lease.store.ts', 'platform/ imports core/'],
  ['lambdas/gateway/providers/planted.ts', '../platform/system.ts', 'providers/ are plain data'],
  ['lambdas/gateway/providers/acme/planted.ts', '../../tokens/lease.ts', 'providers/ are plain data'],
  ['lambdas/gateway/tokens/planted.ts', '../providers/google/server.ts', 'A use case imports core/'],
  ['lambdas/gateway/http/planted.ts', '../events/record-event.ts', 'http/ translates'],
  ['lambdas/gateway/wiring.ts', '../proxy/handler.ts', 'gateway/ never imports a function'],
  ['lambdas/proxy/planted.ts', '../connect/routes.ts', 'Functions never import each other'],
  ['lambdas/management/routes/planted.ts', '../../refresh/handler.ts', 'Functions never import each other'],
  ['lambdas/management/connections/planted.ts', '../../gateway/tokens/lease.store.ts', 'Only handler.ts and the file'],
  ['lambdas/refresh/planted.ts', '../gateway/platform/system.ts', 'Only handler.ts and the file'],
  ['lambdas/refresh/planted.ts', 'aws-cdk-lib', 'Functions import nothing of synth time'],
  ['lib/constructs/planted.ts', '../../lambdas/gateway/config.ts', 'lib/ imports contract.ts and the providers'],
  ['bin/planted.ts', '../local/start.ts', 'lib/ imports nothing of the local runtime'],
  ['packages/client/src/planted.ts', '../../lambdas/gateway/contract.ts', 'packages/client/ stands alone'],
  ['packages/simulator/planted.ts', '../lambdas/gateway/contract.ts', 'packages/simulator/ stands alone'],
  ['dev/local/planted.ts', '../lambdas/gateway/config.ts', 'dev/local/ imports contract.ts and the providers'],
  ['dev/local/planted.ts', '../lib/constructs/function.ts', 'dev/local/ reads the template'],
  ['dev/local/planted.ts', '../simulator/drive/files.ts', 'dev/local/ starts the simulator'],
  ['lambdas/refresh/planted.ts', '../../cli/options.ts', 'Functions import nothing of synth time'],
  ['lib/constructs/planted.ts', '../../tools/prices.ts', 'lib/ imports nothing of the local runtime'],
  ['packages/client/src/planted.ts', '../../cli/output.ts', 'packages/client/ stands alone'],
  ['dev/local/planted.ts', '../cli/output.ts', 'dev/local/ imports nothing of the command line'],
  ['packages/cli/commands/planted.ts', '../../simulator/index.ts', 'packages/cli/ works over the API'],
];

const ALLOWED: readonly (readonly [path: string, specifier: string])[] = [
  ['packages/cli/table/planted.ts', '../../lambdas/gateway/keys/secret-key.store.ts'],
  ['dev/local/planted.ts', '../tools/build.ts'],
  ['lib/constructs/planted.ts', '../../lambdas/gateway/contract.ts'],
  ['lib/constructs/planted.ts', '../../lambdas/gateway/providers/index.ts'],
  ['lambdas/gateway/providers/acme/planted.ts', '../google/server.ts'],
  ['dev/local/planted.ts', '../lambdas/gateway/contract.ts'],
  ['dev/local/planted.ts', '../simulator/index.ts'],
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
];

/** The project's lint rules over a tree that holds nothing but planted imports. */
describe('import directions', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'import-directions-')));
  const rows = [...FORBIDDEN, ...ALLOWED];
  const fileOf = (index: number) => join(folder, (rows[index]?.[0] ?? '').replace('planted', `planted-${index}`));
  let report: string[] = [];

  beforeAll(() => {
    const config = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8'));
    writeFileSync(join(folder, 'biome.json'), JSON.stringify({ ...config, $schema: undefined, vcs: undefined }));
    for (const [index, [, specifier]] of rows.entries()) {
      mkdirSync(dirname(fileOf(index)), { recursive: true });
      writeFileSync(fileOf(index), `import * as planted from '${specifier}';\n\nexport const used = planted;\n`);
    }
    const args = ['lint', '--only=noRestrictedImports', '--reporter=github', '--max-diagnostics=500', '.'];
    const { stdout } = spawnSync(join(ROOT, 'node_modules', '.bin', 'biome'), args, { cwd: folder, encoding: 'utf8' });
    report = stdout.split('\n');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const findings = (index: number) => report.filter((line) => line.includes(`file=${fileOf(index)},`)).join('\n');

  test.each(FORBIDDEN.map((row, index) => [...row, index] as const))(
    '%s may not import %s',
    (_path, _specifier, message, index) => {
      expect(findings(index)).toContain(message);
    },
  );

  test.each(ALLOWED.map((row, index) => [...row, FORBIDDEN.length + index] as const))(
    '%s may import %s',
    (_path, _specifier, index) => {
      expect(report.length).toBeGreaterThan(FORBIDDEN.length / 2);
      expect(findings(index)).toBe('');
    },
  );
});

/** What each subject of `lambdas/gateway/` may import beside `core/`, `platform/` and itself. */
const SUBJECTS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  http: [],
  providers: [],
  languages: ['providers'],
  events: [],
  'rate-limits': [],
  ticks: [],
  calls: [],
  'call-log': ['events'],
  usage: [],
  openapi: ['providers', 'events', 'languages'],
  proxying: ['providers'],
  integrations: ['providers', 'events'],
  // A connection is its tokens and its authorization: these read each other.
  connections: ['providers', 'events', 'integrations', 'tokens', 'authorization'],
  tokens: ['providers', 'events', 'integrations', 'connections', 'keys'],
  authorization: ['providers', 'events', 'integrations', 'connections', 'tokens', 'languages'],
  // Above all others: whoever has a connection can watch what it reaches.
  feeds: ['providers', 'events', 'integrations', 'connections', 'tokens'],
  keys: ['events', 'rate-limits', 'integrations', 'connections'],
  webhooks: ['events', 'tokens'],
};

const GATEWAY = join(ROOT, 'lambdas', 'gateway');

describe('subjects', () => {
  test('every folder of lambdas/gateway is a subject with a place in the order', () => {
    const folders = new Set(globSync('*/**/*.ts', { cwd: GATEWAY }).map((path) => path.split('/')[0]));
    expect([...folders].sort()).toEqual([...Object.keys(SUBJECTS), 'platform'].sort());
  });

  test.each(Object.entries(SUBJECTS))('%s/ imports no subject but %j', (subject, allowed) => {
    const imported = globSync(`${subject}/**/*.ts`, { cwd: GATEWAY }).flatMap((path) =>
      [...readFileSync(join(GATEWAY, path), 'utf8').matchAll(/from '(\.[^']+)'/g)].map(([, specifier]) =>
        relative(GATEWAY, join(GATEWAY, dirname(path), specifier ?? '')),
      ),
    );
    const others = new Set(imported.filter((path) => path.includes('/')).map((path) => path.split('/')[0] ?? ''));
    const free = [subject, 'core', 'platform', ...allowed];
    expect([...others].filter((other) => !free.includes(other))).toEqual([]);
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
});
