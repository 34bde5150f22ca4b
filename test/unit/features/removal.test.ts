// @module-tag long
// @module-tag first
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';
import { FEATURE_IDS, FEATURES } from '../../../lambdas/features/index.ts';

const SOURCES = ['lambdas', 'lib', 'bin', 'dev', 'packages', 'tsconfig.json', 'package.json'];
/** Pages that are partly generated. */
const PAGES = ['docs', 'contributing', 'SECURITY.md'];
/** Where features have folders. */
const FOLDERS = [
  'lambdas/features',
  'packages/cli/features',
  'packages/client/src/features',
  'packages/dashboard/src/features',
];

it.each(FEATURE_IDS)(
  'functions, stack, client, command line and dashboard compile without the folders of %s, and of features that need it, once npm run generate has run',
  (id) => {
    const copy = mkdtempSync(join(tmpdir(), 'gateway-removal-'));
    try {
      const isSource = (path: string) => !/\/(?:node_modules|dist)$/.test(path);
      for (const part of [...SOURCES, ...PAGES])
        cpSync(join(PROJECT_ROOT, part), join(copy, part), { recursive: true, filter: isSource });
      symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(copy, 'node_modules'));
      const gone = FEATURES.filter((one) => one.id === id || one.needs.includes(id));
      for (const one of gone)
        for (const folder of FOLDERS) rmSync(join(copy, folder, one.id), { recursive: true, force: true });
      const run = (program: string, ...args: string[]) => {
        const { stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd: copy, encoding: 'utf8' });
        return `${stdout}${stderr}`.split('\n').filter((line) => line !== '' && !line.startsWith('wrote '));
      };
      // The claims of the report are the titles of tests, which this copy lacks.
      const isOfTests = (line: string) => line.startsWith('security report: ');
      expect(run('dev/tools/generate.ts').filter((line) => !isOfTests(line))).toEqual([]);
      const include = ['lambdas', 'lib', 'bin', 'packages/cli', 'packages/client'];
      writeFileSync(join(copy, 'tsconfig.removal.json'), JSON.stringify({ extends: './tsconfig.json', include }));
      const compiler = join(PROJECT_ROOT, 'node_modules/typescript/bin/tsc');
      for (const project of ['tsconfig.removal.json', 'packages/dashboard'])
        expect(run(compiler, '--noEmit', '--singleThreaded', '-p', project)).toEqual([]);
    } finally {
      rmSync(copy, { recursive: true });
    }
  },
);
