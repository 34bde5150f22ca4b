import { expect, test } from 'vitest';
import { filesTagged, taggedTests } from '../../../dev/tools/tagged-tests.ts';

const SOURCES: Readonly<Record<string, string>> = {
  'test/unit/plain.test.ts': "import { a } from '../support/a.ts';\ntest('takes no longer than before', run);",
  'test/unit/tagged.test.ts': "test('draws', { tags: ['drawn'] }, run);",
  'test/unit/whole.test.ts': ['//', '@module-tag', 'long'].join(' '),
  'test/unit/above-suite.test.ts': "import { a } from '../support/a.ts';\nimport './suite.ts';",
  'test/unit/suite.ts': "import './above-suite.test.ts';\nexport { b } from '../support/b.ts';",
  'test/support/a.ts': "import { b } from '../../lambdas/tagged.ts';\nimport './gone.ts';",
  'test/support/b.ts': "export const b = { tags: ['long'] };",
  'lambdas/tagged.ts': "export const b = 'long';",
};
const tests = Object.keys(SOURCES).filter((file) => file.endsWith('.test.ts'));
const tagged = (...tags: string[]) => taggedTests(tags, tests, (file) => SOURCES[file]);

test('a file has tests with a tag where it names the tag, in a test or at its head, or imports a file of tests that does', () => {
  expect(tagged('long', 'drawn')).toEqual([
    'test/unit/above-suite.test.ts',
    'test/unit/tagged.test.ts',
    'test/unit/whole.test.ts',
  ]);
  expect(tagged('drawn')).toEqual(['test/unit/tagged.test.ts']);
});

test('npm run test:long loads every file that npm test leaves out', () => {
  const loaded = taggedTests(['long', 'drawn']);
  const long = filesTagged('long');
  expect(long.length).toBeGreaterThan(0);
  expect(long.filter((file) => !loaded.includes(file))).toEqual([]);
});
