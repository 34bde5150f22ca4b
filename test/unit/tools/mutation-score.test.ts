import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mutationScore, readMutationReport } from '../../mutation/score.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const files = (states: readonly string[]) => ({ files: { 'a.ts': { mutants: states.map((status) => ({ status })) } } });

function scoreOf(report: unknown) {
  const path = join(temporaryFolder(), 'report.json');
  writeFileSync(path, JSON.stringify(report));
  return mutationScore(readMutationReport(path));
}

it('counts a killed mutant and one that ran too long as noticed, code without a test as missed', () => {
  const states = ['Killed', 'Timeout', 'Killed', 'Survived', 'NoCoverage', 'NoCoverage', 'Killed', 'Killed'];
  expect(scoreOf(files(states))).toEqual({ percent: 62.5, noticed: 5, survived: 1, uncovered: 2 });
});

it('leaves out what does not run and what is configured to be left out', () => {
  expect(scoreOf(files(['Killed', 'CompileError', 'RuntimeError', 'Ignored', 'Pending'])).percent).toBe(100);
});

it('gives nothing for nothing', () => {
  expect(scoreOf({ files: {} })).toEqual({ percent: 0, noticed: 0, survived: 0, uncovered: 0 });
});
