/** npm, compilers and test runners as their users have them: each archive of a release, installed where nothing else is. */

import { pythonClientEnvironment } from '../../tools/release/python.ts';
import type { Opinion } from '../opinion.ts';
import { OWN_TESTS, verdictOfTests } from '../tests.ts';

export const packages: Opinion = {
  name: 'packages',
  judges: 'the archives of npm run release, installed into empty folders',
  async ask() {
    // The release makes its wheel there: another opinion that needs it at the same time must not install it alongside.
    await pythonClientEnvironment();
    return verdictOfTests('packages', [...OWN_TESTS, 'dev/second-opinions/packages/packages.test.ts']);
  },
};
