import { expect, test } from 'vitest';
import { conditions, type Finding, jsonReport, markdownTable, type RunFacts } from '../../../dev/bench/report.ts';

const loadAverage = { before: 0.5, after: 1.5 };
const run: RunFacts = { node: 'v24', platform: 'linux x64', processors: 2, quick: false, loadAverage };

const finding: Finding = {
  measure: 'CPU',
  subject: 'core',
  value: '1.50x',
  range: '1.40x to 1.60x',
  goal: 'at most 2.00x',
  within: true,
  details: { rounds: 9 },
};

test('a finding is one line of the table; a missed goal stands out, and no goal gives no verdict', () => {
  const goals = [{}, { within: false }, { goal: '', within: undefined }];
  const lines = markdownTable(goals.map((more) => ({ ...finding, ...more }))).split('\n');
  expect(lines.at(-3)).toBe('| CPU | core | 1.50x | 1.40x to 1.60x | at most 2.00x | yes |');
  expect(lines.at(-2)).toMatch(/\| NO \|$/);
  expect(lines.at(-1)).toMatch(/\| {2}\|$/);
});

test('the JSON has the details the table leaves out', () => {
  expect(JSON.parse(jsonReport(run, [finding]))).toEqual({ run, findings: [finding] });
});

test('a run on busy processors says so, one on idle processors does not', () => {
  expect(conditions(run)).not.toContain('Other work');
  expect(conditions({ ...run, loadAverage: { before: 4.6, after: 1 } })).toContain('Other work competed');
});
