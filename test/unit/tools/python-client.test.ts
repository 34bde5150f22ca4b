import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pythonClientFiles } from '../../../tools/python-client.ts';
import { PROJECT_ROOT } from '../../../tools/run.ts';

const PACKAGE_FOLDER = join(PROJECT_ROOT, 'clients', 'python');

it('the generated half of the Python client is what the API’s document makes (node tools/python-client.ts)', () => {
  for (const [name, text] of Object.entries(pythonClientFiles())) {
    expect(readFileSync(join(PACKAGE_FOLDER, 'src', 'integration_gateway', name), 'utf8'), name).toBe(text);
  }
});

it('the Python client has the version of the project', () => {
  // Releases give every package the project's version.
  const { version } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8'));
  expect(readFileSync(join(PACKAGE_FOLDER, 'pyproject.toml'), 'utf8')).toContain(`\nversion = "${version}"\n`);
  const requests = readFileSync(join(PACKAGE_FOLDER, 'src', 'integration_gateway', '_requests.py'), 'utf8');
  expect(requests).toContain(`\nVERSION = "${version}"\n`);
});
