/**
 * The last step of `.ci/run`: adds up the reports of the tests, the long tests and the second opinions, names everything
 * that failed and every test that neither `npm test` nor `npm run test:long` ran where a reader of the last lines finds it, and closes with
 * `N passed, N failed`. Exit code 1 when anything failed or a report is missing.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { neverRun } from './lost-claims.ts';
import { PROJECT_ROOT } from './run.ts';

/** As Vitest's JSON reporter writes it, as far as it is read here. */
interface TestReport {
  success: boolean;
  numPassedTests: number;
  testResults: {
    name: string;
    status: string;
    message?: string;
    assertionResults: { fullName: string; status: string; failureMessages?: string[] }[];
  }[];
}

type OpinionsReport = { name: string; passed: number; failures: string[] }[];

const FAILURE_LINES_MAX = 12;
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals' colours begin with an escape character
const COLOURS = /\u001B\[[0-9;]*m/g;

let passed = 0;
const failures: string[] = [];
const reports: TestReport[] = [];

for (const file of ['test-report.json', 'long-test-report.json']) {
  const report = read<TestReport>(file);
  if (report === undefined) continue;
  reports.push(report);
  passed += report.numPassedTests;
  const before = failures.length;
  for (const { name, status, message, assertionResults } of report.testResults) {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    const path = relative(PROJECT_ROOT, name);
    for (const test of failed) failures.push(`${path}: ${test.fullName}\n${excerpt(test.failureMessages?.join('\n'))}`);
    if (status === 'failed' && failed.length === 0) failures.push(`${path} did not run\n${excerpt(message)}`);
  }
  if (report.numPassedTests === 0) failures.push(`${file}: no test passed`);
  // An error that no test awaited fails the run without failing a test.
  else if (!report.success && failures.length === before)
    failures.push(`${file}: the run failed, see its output above`);
}
for (const { name, passed: agreed, failures: objections } of read<OpinionsReport>('second-opinions.json') ?? []) {
  passed += agreed;
  failures.push(...objections.map((objection) => `second opinion ${name}: ${excerpt(objection)}`));
}

// Where a hook fails, its tests are skipped as well: the failure says enough.
if (failures.length === 0) {
  const named = new Set(
    reports.flatMap(({ testResults }) => testResults.map(({ name }) => relative(PROJECT_ROOT, name))),
  );
  for (const file of globSync('test/{unit,infrastructure,integration,browser}/**/*.test.ts', { cwd: PROJECT_ROOT })) {
    if (!named.has(file)) failures.push(`${file}: no suite has this file`);
  }
  for (const { file, title } of neverRun(reports)) {
    failures.push(`${relative(PROJECT_ROOT, file)}: ${title}\nneither npm test nor npm run test:long runs it`);
  }
}

for (const failure of failures) console.log(`FAILED ${failure}`);
console.log(`${passed} passed, ${failures.length} failed`);
if (failures.length > 0) process.exitCode = 1;

function read<Report>(file: string): Report | undefined {
  const path = join(PROJECT_ROOT, 'dist', file);
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as Report;
  failures.push(`dist/${file}: no report was left`);
  return undefined;
}

function excerpt(text = ''): string {
  return text.replace(COLOURS, '').split('\n').slice(0, FAILURE_LINES_MAX).join('\n');
}
