import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { featureLists } from '../../../dev/tools/features.ts';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';
import { FEATURE_IDS, FEATURES } from '../../../lambdas/features/index.ts';

it.each(FEATURE_IDS)(
  'functions and stack compile without the folder of %s, and of features that need it, once the lists are written again',
  {
    tags: ['long'],
  },
  async (id) => {
    const copy = mkdtempSync(join(tmpdir(), 'gateway-removal-'));
    try {
      for (const part of ['lambdas', 'lib', 'bin', 'tsconfig.json', 'package.json'])
        cpSync(join(PROJECT_ROOT, part), join(copy, part), { recursive: true });
      symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(copy, 'node_modules'));
      const features = join(copy, 'lambdas/features');
      const gone = FEATURES.filter((one) => one.id === id || one.needs.includes(id));
      for (const one of gone) rmSync(join(features, one.id), { recursive: true });
      for (const [name, text] of Object.entries(await featureLists(features)))
        writeFileSync(join(features, name), text);
      const config = { extends: './tsconfig.json', include: ['lambdas', 'lib', 'bin'] };
      writeFileSync(join(copy, 'tsconfig.removal.json'), JSON.stringify(config));
      const compiler = join(PROJECT_ROOT, 'node_modules/typescript/bin/tsc');
      const args = [compiler, '--noEmit', '--singleThreaded', '-p', 'tsconfig.removal.json'];
      expect(() => execFileSync(process.execPath, args, { cwd: copy, encoding: 'utf8' })).not.toThrow();
    } finally {
      rmSync(copy, { recursive: true });
    }
  },
);
