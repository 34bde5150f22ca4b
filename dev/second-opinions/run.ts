/**
 * `npm run second-opinions [-- name ...]`: asks programs that were not written for this project what they think of it,
 * all of them, three at a time, or those named. Leaves the counts in `dist/second-opinions.json`; exit code 1 when one of them objects or cannot run.
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
import { generatedClients } from './generated-clients/opinion.ts';
import { googleJavaClient } from './google-java-client/opinion.ts';
import { googlePythonClient } from './google-python-client/opinion.ts';
import { htmlValidate } from './html-validate/opinion.ts';
import { lighthouse } from './lighthouse/opinion.ts';
import { mcp } from './mcp/opinion.ts';
import { openapiPythonClient } from './openapi-python-client/opinion.ts';
import type { Opinion, Verdict } from './opinion.ts';
import { packages } from './packages/opinion.ts';
import { pythonClient } from './python-client/opinion.ts';
import { rollback } from './rollback/opinion.ts';
import { schemathesis } from './schemathesis/opinion.ts';
import { serviceAccounts } from './service-accounts/opinion.ts';
import { signers } from './signers/opinion.ts';
import { terraform } from './terraform/opinion.ts';
import { OWN_TESTS, verdictOfTests } from './tests.ts';
import { pythonTool } from './tools.ts';

exitWithHelp(import.meta.filename);
/** An opinion of moto, which stands for AWS. @param files of tests, below `moto` */
function onMoto(name: string, judges: string, files: readonly string[]): Opinion {
  return {
    name,
    judges,
    async ask() {
      await pythonTool('moto_server');
      const args = [...OWN_TESTS, ...files.map((file) => `dev/second-opinions/moto/${file}.test.ts`)];
      // A local start leaves the CDK's validation of templates out; here it judges the examples, too.
      return verdictOfTests(name, args, { CDK_VALIDATION: 'true' });
    },
  };
}
const deploy = onMoto(
  'deploy',
  'bootstrap, deploy, update and removal of the stack, by the commands of docs/deploy.md',
  ['deploy', 'update'],
);
const plainTemplate = onMoto(
  'plain-template',
  'the plain template of a release, deployed by the commands of its README',
  ['plain-template'],
);
const examples = onMoto('examples', 'the examples that declare what runs on their gateway', ['examples']);

/** Opinions that build the dashboard or read what was built: they run one after another. `packages` makes its release of a copy. */
const OF_THE_BUILD: readonly Opinion[] = [htmlValidate, lighthouse, deploy];
/** Opinions that run in parallel with each other and with those of the build: the longest first, so that none runs alone at the end. */
const INDEPENDENT: readonly Opinion[] = [
  schemathesis,
  packages,
  cfnLint,
  pythonClient,
  dynamoDb,
  examples,
  plainTemplate,
  rollback,
  generatedClients,
  mcp,
  commands,
  googleJavaClient,
  openapiPythonClient,
  googlePythonClient,
  signers,
  botocore,
  serviceAccounts,
  errorAnswers,
  dateutil,
  terraform,
];
const REPORT = join(PROJECT_ROOT, 'dist', 'second-opinions.json');

const wanted = process.argv.slice(2);
const names = [...OF_THE_BUILD, ...INDEPENDENT].map(({ name }) => name);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. There are: ${names.join(', ')}.`);
  process.exit(2);
}

// Counts of an earlier run must not be taken for this one's.
rmSync(REPORT, { force: true });
const report: (Verdict & { name: string; seconds: number })[] = [];
const isWanted = ({ name }: Opinion): boolean => wanted.length === 0 || wanted.includes(name);
const waiting = INDEPENDENT.filter(isWanted);
// Those of the build wait for registries and for polls of the CDK half of their time: three lines keep two processors busy. Each takes
// the next independent one when it has nothing else to do.
await Promise.all([hear(OF_THE_BUILD.filter(isWanted)), hear([]), hear([])]);
mkdirSync(dirname(REPORT), { recursive: true });
writeFileSync(REPORT, JSON.stringify(report, undefined, 2));

console.log('');
for (const { name, passed, failures, seconds } of report) {
  const verdict = failures.length === 0 ? 'ok    ' : 'FAILED';
  console.log(`${verdict} ${name.padEnd(16)} ${passed} passed, ${failures.length} failed (${seconds} s)`);
}
if (report.some(({ failures }) => failures.length > 0)) process.exitCode = 1;

/** Asks its own ones in their order, then independent ones until none waits. */
async function hear(own: Opinion[]): Promise<void> {
  for (let opinion = own.shift() ?? waiting.shift(); opinion !== undefined; opinion = own.shift() ?? waiting.shift()) {
    console.log(`${opinion.name}: ${opinion.judges}`);
    const startedMs = performance.now();
    const verdict = await ask(opinion);
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    report.push({ name: opinion.name, ...verdict, seconds });
    for (const failure of verdict.failures) console.error(`FAILED ${opinion.name}: ${failure}`);
  }
}

/** A program that cannot run has not agreed. */
async function ask(opinion: Opinion): Promise<Verdict> {
  try {
    return await opinion.ask((progress) => console.log(`  ${opinion.name}: ${progress}`));
  } catch (error) {
    return { passed: 0, failures: [errorMessage(error)] };
  }
}
