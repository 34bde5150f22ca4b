import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

const FORBIDDEN: readonly (readonly [path: string, specifier: string, message: string])[] = [
  ['lambdas/shared/domain/planted.ts', '../adapters/system.ts', 'domain/ holds pure rules'],
  ['lambdas/shared/domain/planted.ts', '../ports.ts', 'domain/ holds pure rules'],
  ['lambdas/shared/domain/proxy/planted.ts', '../../http/error-response.ts', 'domain/ holds pure rules'],
  ['lambdas/shared/domain/planted.ts', 'node:http', 'domain/ holds pure rules'],
  ['lambdas/shared/ports.ts', './use-cases/record-event.ts', 'ports.ts imports domain/ only'],
  ['lambdas/shared/use-cases/planted.ts', '../adapters/system.ts', 'use-cases/ import domain/ and ports.ts only'],
  ['lambdas/shared/use-cases/planted.ts', '@aws-sdk/client-kms', 'use-cases/ import domain/ and ports.ts only'],
  ['lambdas/shared/adapters/kms/planted.ts', '../../use-cases/record-event.ts', 'adapters/ import domain/'],
  ['lambdas/shared/providers/planted.ts', '../adapters/system.ts', 'providers/ are plain data'],
  ['lambdas/shared/http/planted.ts', '../use-cases/record-event.ts', 'http/ translates'],
  ['lambdas/shared/wiring.ts', '../proxy/handler.ts', 'shared/ never imports a function'],
  ['lambdas/proxy/planted.ts', '../connect/routes.ts', 'Functions never import each other'],
  ['lambdas/management/routes/planted.ts', '../../refresh/handler.ts', 'Functions never import each other'],
  ['lambdas/refresh/planted.ts', 'aws-cdk-lib', 'Functions import nothing of synth time'],
  ['lib/constructs/planted.ts', '../../lambdas/shared/config.ts', 'lib/ imports contract.ts'],
  ['bin/planted.ts', '../local/start.ts', 'lib/ imports nothing of the local runtime'],
  ['client/src/planted.ts', '../../lambdas/shared/contract.ts', 'client/ stands alone'],
  ['simulator/planted.ts', '../lambdas/shared/contract.ts', 'simulator/ stands alone'],
  ['local/planted.ts', '../lambdas/shared/config.ts', 'local/ imports contract.ts'],
  ['local/planted.ts', '../lib/constructs/function.ts', 'local/ reads the template'],
  ['local/planted.ts', '../simulator/drive/files.ts', 'local/ starts the simulator'],
];

const ALLOWED: readonly (readonly [path: string, specifier: string])[] = [
  ['lib/constructs/planted.ts', '../../lambdas/shared/contract.ts'],
  ['local/planted.ts', '../lambdas/shared/contract.ts'],
  ['local/planted.ts', '../simulator/index.ts'],
  ['lambdas/shared/use-cases/planted.ts', '../domain/errors.ts'],
  ['lambdas/proxy/planted.ts', '../shared/wiring.ts'],
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
