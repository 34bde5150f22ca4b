import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  conditions,
  type Finding,
  jsonReport,
  type MeasureRun,
  markdownTable,
  type RunFacts,
  resultsPage,
  verdict,
  withResults,
} from '../../../dev/bench/report.ts';

const loadAverage = { before: 0.5, after: 1.5 };
const facts: RunFacts = { node: 'v24', platform: 'linux x64', processors: 2, quick: false, loadAverage };

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

const run = (findings: readonly Finding[]): MeasureRun => ({
  name: 'cpu',
  endedAt: '2026-01-02T03:04:05.000Z',
  facts,
  findings,
});
const missed: Finding = { ...finding, value: '2.10x', within: false };

test('the JSON has the details the table leaves out', () => {
  expect(JSON.parse(jsonReport([run([finding])]))).toEqual([run([finding])]);
});

test('a run on busy processors says so, one on idle processors does not', () => {
  expect(conditions(facts)).not.toContain('Other work');
  expect(conditions({ ...facts, loadAverage: { before: 4.6, after: 1 } })).toContain('Other work competed');
});

test('goals are counted over all measures, and one that is missed is named with NO', () => {
  const without = { ...finding, goal: '', within: undefined };
  expect(verdict([run([finding, without]), run([finding])])).toBe('2 of 2 goals are met.');
  expect(verdict([run([finding]), run([missed])])).toBe('1 of 2 goals are met. NO: CPU (core): 2.10x, at most 2.00x.');
});

test('the page has of each measure its day, its machine and the load before and after', () => {
  const page = resultsPage([run([finding]), run([missed])]);
  expect(page.split('\n').filter((line) => line.startsWith('2026-01-02.'))).toEqual([
    '2026-01-02. Node v24, linux x64, 2 processors, load 0.5 before and 1.5 after.',
    '2026-01-02. Node v24, linux x64, 2 processors, load 0.5 before and 1.5 after.',
  ]);
  expect(page).toContain('| NO |');
});

test('results take the place of earlier ones, and a page without a place for them is an error', () => {
  const page = 'before\n<!-- results: written -->\n\nold\n\n<!-- end of results -->\nafter\n';
  const renewed = withResults(page, 'new');
  expect(renewed).toBe('before\n<!-- results: written -->\n\nnew\n\n<!-- end of results -->\nafter\n');
  expect(withResults(renewed, 'new')).toBe(renewed);
  expect(() => withResults('none', 'new')).toThrow('no place for results');
});

test('the page of benchmarks has a place for results', () => {
  const page = readFileSync(new URL('../../../dev/bench/README.md', import.meta.url), 'utf8');
  expect(withResults(page, 'new')).toContain('\nnew\n');
});
