import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { featureLists } from '../../../dev/tools/features.ts';
import { PACKAGES, packageLists } from '../../../dev/tools/package-features.ts';

const IDS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta'].map((name) => `${name}-feature`);
const root = mkdtempSync(join(tmpdir(), 'gateway-features-'));
for (const id of IDS) {
  mkdirSync(join(root, id));
  writeFileSync(join(root, id, 'feature.ts'), `export const feature = { id: '${id}', title: 'a feature' };\n`);
  for (const part of ['attention', 'limits-body', 'restored-rows', 'key-members', 'grant-part', 'readiness'])
    writeFileSync(join(root, id, `${part}.ts`), '');
}
afterAll(() => rmSync(root, { recursive: true }));

it('lists of many features have a line for each feature, as the formatter requires', async () => {
  const lists = [await featureLists(root), ...PACKAGES.map((one) => packageLists(one, root))];
  const files = lists.flatMap((one) => Object.entries(one));
  for (const name of ['index.ts', 'ids.ts', 'attention.ts', 'limits-body.ts', 'restored-rows.ts', 'readiness.ts'])
    expect(files.map(([file]) => file)).toContain(name);
  const long = files.flatMap(([file, text]) =>
    text.split('\n').flatMap((line) => (line.length > 120 && !line.startsWith('/**') ? [`${file}: ${line}`] : [])),
  );
  expect(long).toEqual([]);
});
