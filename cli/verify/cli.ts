/** `npm run verify`: checks a deployed gateway from end to end, and says what holds, what does not and what that means. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import * as z from 'zod';
import { PROJECT_ROOT } from '../../tools/run.ts';
import { accountChecks, readFirstKey, readStack, waitForFirstKey } from './account-checks.ts';
import { type Check, type CheckResult, messageOf, runChecks } from './check.ts';
import { type EventTap, prepareForwarding } from './forwarding-checks.ts';
import { frontChecks, type Target } from './front-checks.ts';
import { withLocalTrial } from './local-trial.ts';
import { countsLine, failuresTable, markdownReport, resultLine } from './report.ts';
import { withTrial } from './trial.ts';

const HELP_TAIL = `
Give one of --stack, --base-url or --local.

  npm run verify -- --stack IntegrationGateway             a deployed stack, with your AWS credentials; only reads
  npm run verify -- --stack IntegrationGateway --trial     the same, and a second gateway deployed beside it whose Google is
                                                           an echo: shows forwarding and events end to end, then removes both
  npm run verify -- --base-url https://…/v1                what can be seen from outside; the key in GATEWAY_SECRET_KEY
  npm run verify -- --local                                the same checks on this computer, without AWS

Exit codes: 0 everything holds, 1 something does not, 2 wrong usage or the gateway cannot be found.`;

const optionsSchema = z.strictObject({
  stack: z.string().optional(),
  region: z.string().optional(),
  trial: z.boolean().default(false),
  accountOnly: z.boolean().default(false),
  baseUrl: z.url().optional(),
  secretKey: z.string().optional(),
  echo: z.boolean().default(false),
  local: z.boolean().default(false),
  report: z.string().optional(),
});
type Options = z.output<typeof optionsSchema>;

const packageSchema = z.looseObject({ version: z.string() });

function readOptions(): Options {
  const program = new Command('verify')
    .description('Checks a deployed gateway from end to end.')
    .option('--stack <name>', 'the stack to check')
    .option('--region <region>', 'its region (default: that of your AWS profile)')
    .option('--trial', 'also deploy a gateway beside it that needs no Google, check that, and remove it')
    .option('--account-only', 'with --stack: leave out what calls the gateway itself')
    .option('--base-url <address>', 'address of a gateway, stage path included')
    .option(
      '--secret-key <key>',
      'its secret key; others on this computer can read arguments, so prefer GATEWAY_SECRET_KEY',
    )
    .option('--echo', 'with --base-url: the gateway’s Google is the echo, so check forwarding too')
    .option('--local', 'start a gateway on this computer and check that')
    .option('--report <file>', 'also write the whole result as Markdown, without keys, host names and account numbers')
    .addHelpText('after', HELP_TAIL)
    .showHelpAfterError('Add --help to see how it is used.');
  const options = optionsSchema.parse(program.parse().opts());
  const places = [options.stack, options.baseUrl, options.local || undefined].filter((one) => one !== undefined);
  if (places.length !== 1) program.error('Give one of --stack, --base-url or --local.', { exitCode: 2 });
  if ((options.trial || options.accountOnly) && options.stack === undefined) {
    program.error('--trial and --account-only go with --stack.', { exitCode: 2 });
  }
  return options;
}

/** Results of one run and what its report must not show. */
interface Verification {
  readonly target: string;
  readonly results: readonly CheckResult[];
  readonly secrets: readonly string[];
}

const say = (line: string): void => console.log(line);

function runAndTell(checks: readonly Check[]): Promise<CheckResult[]> {
  return runChecks(checks, (result) => say(resultLine(result)));
}

/** Front door first, then forwarding with an integration that is removed again. */
async function runAgainstEcho(target: Target, events: EventTap | undefined): Promise<CheckResult[]> {
  const front = await runAndTell(frontChecks(target));
  const forwarding = await prepareForwarding(target, events);
  try {
    return [...front, ...(await runAndTell(forwarding.checks))];
  } finally {
    await forwarding.remove();
  }
}

async function verifyLocal(): Promise<Verification> {
  say('starting a gateway on this computer …');
  return withLocalTrial(async (gateway, events) => {
    const target = { baseUrl: gateway.gatewayUrl, secretKey: gateway.secretKey };
    return { target: 'a local gateway', results: await runAgainstEcho(target, events), secrets: [gateway.secretKey] };
  });
}

async function verifyAddress(baseUrl: string, options: Options): Promise<Verification> {
  const secretKey = options.secretKey ?? process.env.GATEWAY_SECRET_KEY;
  if (secretKey === undefined || secretKey === '') {
    throw new Error('Which secret key? Set GATEWAY_SECRET_KEY, or give --secret-key.');
  }
  const target = { baseUrl: baseUrl.replace(/\/+$/, ''), secretKey };
  const results = options.echo ? await runAgainstEcho(target, undefined) : await runAndTell(frontChecks(target));
  return { target: 'a gateway by its address', results, secrets: [secretKey, new URL(baseUrl).hostname] };
}

async function verifyStack(name: string, options: Options): Promise<Verification> {
  const stack = await readStack(name, options.region);
  const secretKey = await readFirstKey(stack);
  const target = { baseUrl: stack.outputs.BaseUrl ?? '', secretKey };
  const results = await runAndTell([...accountChecks(stack), ...(options.accountOnly ? [] : frontChecks(target))]);
  const secrets = [secretKey, ...secretsIn(stack.outputs)];
  if (!options.trial) return { target: `stack ${name}`, results, secrets };
  const trialResults = await withTrial(stack, say, async ({ stack: trial, events }) => {
    say('waiting for its first tick …');
    const trialKey = await waitForFirstKey(trial);
    secrets.push(trialKey, ...secretsIn(trial.outputs));
    return runAgainstEcho({ baseUrl: trial.outputs.BaseUrl ?? '', secretKey: trialKey }, events);
  });
  const marked = trialResults.map((result) => ({ ...result, section: `${result.section} (trial)` }));
  return { target: `stack ${name}`, results: [...results, ...marked], secrets };
}

/** Host names and account numbers among a stack's outputs. */
function secretsIn(outputs: Readonly<Record<string, string>>): string[] {
  return Object.values(outputs).flatMap((value) => {
    const host = URL.parse(value)?.hostname;
    const account = /^arn:[^:]*:[^:]*:[^:]*:(\d{12}):/.exec(value)?.[1];
    return [host ?? '', account ?? ''].filter((one) => one !== '');
  });
}

async function main(): Promise<void> {
  const options = readOptions();
  const startedMs = performance.now();
  const verification = options.local
    ? await verifyLocal()
    : options.baseUrl === undefined
      ? await verifyStack(options.stack ?? '', options)
      : await verifyAddress(options.baseUrl, options);
  const { results } = verification;
  const durationMs = performance.now() - startedMs;
  const failures = failuresTable(results);
  if (failures !== '') say(`\n${failures}`);
  say(`\n${countsLine(results)}, ${Math.round(durationMs / 1000)} s`);
  if (options.report !== undefined) {
    const { version } = packageSchema.parse(JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8')));
    const heading = { target: verification.target, version, at: new Date(), durationMs };
    await writeFile(options.report, markdownReport(heading, results, verification.secrets));
    say(`The report is in ${options.report}.`);
  }
  process.exitCode = results.some(({ verdict }) => verdict === 'fails') ? 1 : 0;
}

try {
  await main();
} catch (error) {
  if (!(error instanceof CommanderError)) console.error(messageOf(error));
  process.exitCode = 2;
}
