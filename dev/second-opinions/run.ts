/**
 * `npm run second-opinions [-- name ...]`: asks programs that were not written for this project what they think of it,
 * all of them, two at a time, or those named. Leaves the counts in `dist/second-opinions.json`; exit code 1 when one of them objects or cannot run.
 */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exitWithHelp } from '../tools/help.ts';
import { errorMessage } from '../tools/json.ts';
import { PROJECT_ROOT } from '../tools/run.ts';
import { botocore } from './botocore/opinion.ts';
import { cfnLint } from './cfn-lint.ts';
import { commands } from './commands/opinion.ts';
import { dateutil } from './dateutil/opinion.ts';
import { dynamoDb } from './dynamodb-local/opinion.ts';
import { errorAnswers } from './error-answers/opinion.ts';
import { googleJavaClient } from './google-java-client/opinion.ts';
import { googlePythonClient } from './google-python-client/opinion.ts';
import { htmlValidate } from './html-validate/opinion.ts';
import { mcp } from './mcp/opinion.ts';
import { openapiPythonClient } from './openapi-python-client/opinion.ts';
import type { Opinion, Verdict } from './opinion.ts';
import { packages } from './packages/opinion.ts';
import { pythonClient } from './python-client/opinion.ts';
import { rollback } from './rollback/opinion.ts';
import { schemathesis } from './schemathesis/opinion.ts';
import { serviceAccounts } from './service-accounts/opinion.ts';
import { signers } from './signers/opinion.ts';
import { OWN_TESTS, verdictOfTests } from './tests.ts';
import { pythonTool } from './tools.ts';

exitWithHelp(import.meta.filename);
/** AWS as moto knows it, and the commands of docs/deploy.md. */
const deploy: Opinion = {
  name: 'deploy',
  judges: 'bootstrap, deploy, update and removal of the stack',
  async ask() {
    await pythonTool('moto_server');
    return verdictOfTests('deploy', [...OWN_TESTS, 'dev/second-opinions/moto']);
  },
};

/** Each list keeps about one processor busy, and both take about as long. What builds `dist` or reads it is in the first. */
const LISTS: readonly (readonly Opinion[])[] = [
  [htmlValidate, deploy, packages, commands],
  [
    cfnLint,
    googlePythonClient,
    errorAnswers,
    serviceAccounts,
    dateutil,
    googleJavaClient,
    pythonClient,
    schemathesis,
    openapiPythonClient,
    botocore,
    signers,
    mcp,
    dynamoDb,
    rollback,
  ],
];
const REPORT = join(PROJECT_ROOT, 'dist', 'second-opinions.json');

const wanted = process.argv.slice(2);
const names = LISTS.flat().map(({ name }) => name);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. There are: ${names.join(', ')}.`);
  process.exit(2);
}

// Counts of an earlier run must not be taken for this one's.
rmSync(REPORT, { force: true });
const report: (Verdict & { name: string; seconds: number })[] = [];
await Promise.all(
  LISTS.map(async (list) => {
    for (const opinion of list.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
      console.log(`${opinion.name}: ${opinion.judges}`);
      const startedMs = performance.now();
      const verdict = await ask(opinion);
      const seconds = Math.round((performance.now() - startedMs) / 1000);
      report.push({ name: opinion.name, ...verdict, seconds });
      for (const failure of verdict.failures) console.error(`FAILED ${opinion.name}: ${failure}`);
    }
  }),
);
mkdirSync(dirname(REPORT), { recursive: true });
writeFileSync(REPORT, JSON.stringify(report, undefined, 2));

console.log('');
for (const { name, passed, failures, seconds } of report) {
  const verdict = failures.length === 0 ? 'ok    ' : 'FAILED';
  console.log(`${verdict} ${name.padEnd(16)} ${passed} passed, ${failures.length} failed (${seconds} s)`);
}
if (report.some(({ failures }) => failures.length > 0)) process.exitCode = 1;

/** A program that cannot run has not agreed. */
async function ask(opinion: Opinion): Promise<Verdict> {
  try {
    return await opinion.ask((progress) => console.log(`  ${opinion.name}: ${progress}`));
  } catch (error) {
    return { passed: 0, failures: [errorMessage(error)] };
  }
}
