import { expect, test } from 'vitest';
import { bytesFromElsewhere, longFiles, taggedTests } from '../../../dev/tools/tagged-tests.ts';

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
  expect(longFiles().length).toBeGreaterThan(0);
  expect(longFiles().filter((file) => !loaded.includes(file))).toEqual([]);
});

test('the tests that a file takes from others count once, at any distance, and what all tests share does not', () => {
  const texts: Readonly<Record<string, string>> = {
    'test/integration/rows.test.ts': "import { a } from '../faults/a.ts';\nimport { b } from '../faults/b.ts';\n",
    'test/faults/a.ts': "import { b } from './b.ts';\nimport { start } from '../support/start.ts';\n",
    'test/faults/b.ts': 'export const b = 1;\n',
    'test/support/start.ts': 'export const start = 1;\n',
  };
  const read = (file: string) => texts[file];
  const bytes = ['a', 'b'].map((name) => texts[`test/faults/${name}.ts`]?.length ?? 0);
  expect(bytesFromElsewhere('test/integration/rows.test.ts', read)).toBe((bytes[0] ?? 0) + (bytes[1] ?? 0));
  expect(bytesFromElsewhere('test/faults/b.ts', read)).toBe(0);
});
