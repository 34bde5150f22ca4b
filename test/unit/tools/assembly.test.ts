import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { staleAssembly } from '../../../dev/tools/assembly.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it('refuses to test bundles of other sources with one line, and takes a folder without bundles', () => {
  const space = temporaryFolder();
  expect(staleAssembly(join(space, 'none'))).toBeUndefined();
  const folder = join(space, 'stale');
  mkdirSync(folder);
  writeFileSync(join(folder, 'local-key.txt'), '0'.repeat(64));
  expect(staleAssembly(folder)).toMatch(/^The bundles in cdk\.out\.local are older than the sources\. Run npm test.*$/);
});
