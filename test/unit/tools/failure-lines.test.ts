import { describe, expect, it } from 'vitest';
import { FAILURE_LINES_MAX, failureLines } from '../../support/failure-lines.ts';

const FAILURE = { project: 'unit', file: 'test/unit/a.test.ts', titles: ['a group', "adds (1 + 1), doesn't it"] };
const long = Array.from({ length: 500 }, (_, line) => `line ${line}`).join('\n');

describe('a failing test', () => {
  it('prints first how to run it alone, then its name, what went wrong and where', () => {
    const stacks = [{ file: '/project/test/unit/a.test.ts', line: 3, column: 7 }];
    const errors = [{ name: 'AssertionError', message: 'expected 1 to be 2', diff: '- 2\n+ 1', stacks }];
    expect(failureLines({ ...FAILURE, errors })).toEqual([
      "Run it again: npm test -- --project unit test/unit/a.test.ts -t 'a group adds \\(1 \\+ 1\\), doesn.t it'",
      "FAIL test/unit/a.test.ts > a group > adds (1 + 1), doesn't it",
      'AssertionError: expected 1 to be 2',
      '- 2',
      '+ 1',
      '  at /project/test/unit/a.test.ts:3:7',
    ]);
  });

  it('prints first what its message asks for', () => {
    const errors = [{ name: 'AssertionError', message: 'Run `npm run generate`: docs/costs.md:1 is not up to date.' }];
    expect(failureLines({ ...FAILURE, errors })[0]).toMatch(/^Run `npm run generate`/);
  });

  it('prints at most 60 lines, however long its messages and differences are', () => {
    const errors = Array.from({ length: 9 }, () => ({ message: long, diff: long }));
    const lines = failureLines({ ...FAILURE, errors });
    expect(lines).toHaveLength(FAILURE_LINES_MAX);
    expect(lines.at(-1)).toMatch(/^… \d+ more lines$/);
    expect(failureLines({ ...FAILURE, titles: [], errors }).length).toBeLessThanOrEqual(60);
  });
});
