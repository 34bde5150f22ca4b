import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pythonClientFiles } from '../../../dev/tools/python-client.ts';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';

const PACKAGE_FOLDER = join(PROJECT_ROOT, 'packages', 'python');

it('the generated half of the Python client is what the API’s document makes (node dev/tools/python-client.ts)', () => {
  for (const [name, text] of Object.entries(pythonClientFiles())) {
    expect(readFileSync(join(PACKAGE_FOLDER, 'src', 'integration_gateway', name), 'utf8'), name).toBe(text);
  }
});
