/** Second opinions that run as tests. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { WORK_FOLDER } from '../tools/installed-programs.ts';
import { run } from '../tools/run.ts';
import type { Verdict } from './opinion.ts';

/** Arguments of vitest for the tests that belong to an opinion; without them, those of the suites. */
export const OWN_TESTS = ['--config', 'dev/second-opinions/vitest.config.ts'];

const reportSchema = z.object({
  numPassedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(''),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
});

/** Runs vitest with its output shown. @returns the counts of its report, a file that could not run counted as a failure */
export async function verdictOfTests(
  name: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Verdict> {
  const path = join(WORK_FOLDER, `${name}.json`);
  rmSync(path, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${path}`];
  await run('vitest', ['run', ...reporters, ...args], environment);
  const { numPassedTests, testResults } = reportSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  const failures = testResults.flatMap(({ name: file, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (status === 'failed' && failed.length === 0) return [`${file} could not run: ${message}`];
    return failed.map(
      ({ fullName, failureMessages }) => `${fullName}\n  ${failureMessages?.[0]?.split('\n')[0] ?? ''}`,
    );
  });
  return numPassedTests === 0 && failures.length === 0
    ? { passed: 0, failures: ['No test was run.'] }
    : { passed: numPassedTests, failures };
}
