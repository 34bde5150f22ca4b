/**
 * `npm run test:steady [-- times] [vitest arguments]`: runs the suite, or the tests of these arguments, some times (5 unless given)
 * while a busy loop occupies each processor. Prints which tests failed and how often; exits with 1 where one did.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { exitWithHelp } from './help.ts';
import { PROJECT_ROOT, run } from './run.ts';

const REPORT = join(PROJECT_ROOT, 'dist', 'test-report.json');
/** Ends by itself with the process that started it, and after two hours in any case. */
const BUSY_LOOP = `const until = Date.now() + 7_200_000; const { ppid } = process; while (process.ppid === ppid && Date.now() < until);`;

const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

exitWithHelp(import.meta.filename);
const [first = '', ...others] = process.argv.slice(2);
const isCount = /^[1-9]\d*$/.test(first);
const times = isCount ? Number(first) : 5;
const args = isCount ? others : process.argv.slice(2);

const failures = new Map<string, number>();
const loops: ChildProcess[] = Array.from({ length: availableParallelism() }, () =>
  spawn(process.execPath, ['-e', BUSY_LOOP], { stdio: 'ignore' }),
);
let failedRuns = 0;
try {
  for (let time = 1; time <= times; time++) {
    console.log(`run ${time} of ${times}, with ${loops.length} busy loops …`);
    // A report of an earlier run must not be taken for this one's.
    rmSync(REPORT, { force: true });
    if ((await run('node', ['dev/tools/test.ts', ...args])) === 0) continue;
    failedRuns++;
    for (const name of failedTests()) failures.set(name, (failures.get(name) ?? 0) + 1);
  }
} finally {
  for (const loop of loops) loop.kill();
}
for (const [name, count] of [...failures].toSorted(([, one], [, other]) => other - one)) {
  console.log(`failed ${count} of ${times}: ${name}`);
}
console.log(`${times - failedRuns} of ${times} runs passed`);
if (failedRuns > 0) process.exitCode = 1;

function failedTests(): string[] {
  const { testResults } = reportSchema.parse(JSON.parse(readFileSync(REPORT, 'utf8')));
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const file = name.replace(`${PROJECT_ROOT}/`, '');
    const failed = assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => `${file}: ${test.fullName}`);
    return status === 'failed' && failed.length === 0 ? [`${file} could not run`] : failed;
  });
}
