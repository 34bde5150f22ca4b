import { join } from 'node:path';
import { it } from 'vitest';
import { pythonClientFiles } from '../../../dev/tools/python-client.ts';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';
import { expectWritten } from '../../support/written.ts';

const MODULES = join(PROJECT_ROOT, 'packages', 'python', 'src', 'integration_gateway');

it('the generated half of the Python client, a method for every operation, is what the API’s document makes', () => {
  for (const [name, text] of Object.entries(pythonClientFiles())) {
    expectWritten(join(MODULES, name), text, 'node dev/tools/python-client.ts');
  }
});
