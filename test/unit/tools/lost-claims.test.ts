import { describe, expect, it } from 'vitest';
import { lostClaims, neverRun } from '../../../dev/tools/lost-claims.ts';

/** A test as a source declares it. The word for it stands apart, so that readers of titles do not take it for one of this file. */
const declared = (title: string) => `${'it'}('${title}', () => {});\n`;
const source = (text: string, file = 'test/unit/a.test.ts') => ({ file, text });
const report = (file: string, tests: Readonly<Record<string, string>>) => ({
  testResults: [
    {
      name: file,
      assertionResults: Object.entries(tests).map(([fullName, status]) => ({ fullName, status })),
    },
  ],
});

describe('what sources have lost', () => {
  it('what sources have lost is a title that stands in fewer places, with the file that had it', () => {
    const before = [source(declared('one') + declared('one'))];
    expect(lostClaims(before, [source(declared('one'))], []).titles).toEqual([
      { file: 'test/unit/a.test.ts', title: 'one' },
    ]);
  });

  it('what sources have lost is no title that moved to another file', () => {
    const text = declared('ZZ-1: one');
    const moved = lostClaims([source(text)], [source(text, 'test/unit/b.test.ts')], []);
    expect(moved).toEqual({ titles: [], statements: [] });
  });

  it('what sources have lost is a statement that no test names any more, changed or not', () => {
    const rest = [source(declared('ZZ-2: other'), 'test/unit/b.test.ts')];
    expect(lostClaims([source(declared('ZZ-1, ZZ-2: one'))], [], rest).statements).toEqual(['ZZ-1']);
  });
});

describe('tests that never run', () => {
  it('tests that never run are those that every report skips, by file and title', () => {
    const usual = report('a.test.ts', { one: 'passed', slow: 'skipped', off: 'skipped' });
    const long = report('a.test.ts', { one: 'skipped', slow: 'failed', off: 'skipped' });
    expect(neverRun([usual, long])).toEqual([{ file: 'a.test.ts', title: 'off' }]);
    expect(neverRun([usual, long, report('b.test.ts', { off: 'passed' })])).toHaveLength(1);
    expect(neverRun([report('a.test.ts', { off: 'skipped' }), report('a.test.ts', { off: 'passed' })])).toEqual([]);
  });
});
