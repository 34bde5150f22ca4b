import { describe, expect, it } from 'vitest';
import { securityReport } from '../../../dev/tools/security-report.ts';
import { STATEMENT_FAMILIES } from '../../../dev/tools/security-statements.ts';
import { readTitles } from '../../../dev/tools/test-titles.ts';

const FAMILIES = [{ title: 'Paths', statements: { 'PX-1': 'The host is fixed.', 'PX-2': 'The path is checked.' } }];

describe('the titles of a test file', () => {
  it('the titles of a test file are found in every form of a call', () => {
    const source = `
      describe('outer', () => {
        it.${'only'}("it's plain", () => {});
        test.each([['a)', 1], [\`b\`, 2]])('takes %s', () => {});
        test.each<[string]>(rows.map((row) => [row.id]))(
          'wraps',
          () => {},
        );
        it.skipIf(process.platform === 'win32')('runs on Unix', () => {});
        expect(unit.test('no title')).toBe(true);
        await test.json('POST', '/a-gateway-that-is-named-test');
      });`;
    expect(readTitles(source)).toEqual(['outer', "it's plain", 'takes %s', 'wraps', 'runs on Unix']);
  });
});

describe('the security report', () => {
  it('links each statement to the tests that name it, and lists the others as open', () => {
    const report = securityReport(FAMILIES, [
      { file: 'test/unit/a.test.ts', title: 'PX-1: keeps the host | always' },
      { file: 'test/unit/b.test.ts', title: 'ignores an override (PX-1)' },
    ]);
    expect(report).toContain('1 of 2 statements are named by a test. Open: PX-2.');
    expect(report).toContain(
      '| PX-1 | The host is fixed. | [keeps the host \\| always](../test/unit/a.test.ts)<br>[ignores an override](../test/unit/b.test.ts) |',
    );
    expect(report).toContain('| PX-2 | The path is checked. | **open** |');
  });

  it('refuses a title that names a statement nobody has made', () => {
    expect(() => securityReport(FAMILIES, [{ file: 'test/unit/a.test.ts', title: 'PX-99: holds' }])).toThrow(
      'PX-99: test/unit/a.test.ts, "PX-99: holds"',
    );
  });

  it('counts the tests of every family', () => {
    const families = [...FAMILIES, { title: 'Webhooks', statements: { 'WH-1': 'Messages are signed.' } }];
    const report = securityReport(families, [{ file: 'test/unit/a.test.ts', title: 'WH-1: signs' }]);
    expect(report).toContain('1 of 3 statements are named by a test. Open: PX-1, PX-2.');
  });

  it('numbers the statements of each family upwards', () => {
    for (const { statements } of STATEMENT_FAMILIES) {
      const ids = Object.keys(statements).map((id) => id.split('-'));
      const numbers = ids.map(([, number]) => Number(number));
      expect(new Set(ids.map(([prefix]) => prefix)).size).toBe(1);
      expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
    }
  });
});
