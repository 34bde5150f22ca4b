import { writeFile } from 'node:fs/promises';
import { VERSION } from '../version.ts';
import { accountChecks, readFirstKey, readStack, waitForFirstKey } from './account-checks.ts';
import { type Check, type CheckResult, runChecks } from './check.ts';
import { type EventTap, prepareForwarding } from './forwarding-checks.ts';
import { frontChecks, type Target } from './front-checks.ts';
import { withLocalTrial } from './local-trial.ts';
import { countsLine, failuresTable, markdownReport, resultLine } from './report.ts';
import { withTrial } from './trial.ts';

/** Options of `verify`: one of `stack`, `baseUrl` and `local`. */
export interface VerifyOptions {
  readonly stack?: string;
  readonly region?: string;
  readonly trial?: boolean;
  readonly accountOnly?: boolean;
  readonly baseUrl?: string;
  readonly proxyUrl?: string;
  readonly frontDoor?: string;
  readonly secretKey?: string;
  readonly echo?: boolean;
  readonly local?: boolean;
  readonly report?: string;
}

/** Results of one run and what its report must not show. */
interface Verification {
  readonly target: string;
  readonly results: readonly CheckResult[];
  readonly secrets: readonly string[];
}

const say = (line: string): void => console.log(line);

function runAndPrint(checks: readonly Check[]): Promise<CheckResult[]> {
  return runChecks(checks, (result) => say(resultLine(result)));
}

/** Front door first, then forwarding with an integration that is removed again. */
async function runAgainstEcho(target: Target, events: EventTap | undefined): Promise<CheckResult[]> {
  const front = await runAndPrint(frontChecks(target));
  const forwarding = await prepareForwarding(target, events);
  try {
    return [...front, ...(await runAndPrint(forwarding.checks))];
  } finally {
    await forwarding.remove();
  }
}

async function verifyLocal(frontDoor: string | undefined): Promise<Verification> {
  say('starting a gateway on this computer …');
  return withLocalTrial(frontDoor, async (gateway, events) => {
    const { gatewayUrl, proxyUrl, secretKey } = gateway;
    const target = { baseUrl: gatewayUrl, proxyUrl, secretKey };
    return { target: 'a local gateway', results: await runAgainstEcho(target, events), secrets: [secretKey] };
  });
}

async function verifyAddress(baseUrl: string, options: VerifyOptions): Promise<Verification> {
  const secretKey = options.secretKey ?? process.env.GATEWAY_SECRET_KEY;
  if (secretKey === undefined || secretKey === '') {
    throw new Error('Which secret key? Set GATEWAY_SECRET_KEY, or give --secret-key.');
  }
  const [address, proxyUrl] = [baseUrl, options.proxyUrl].map((one) => one?.replace(/\/+$/, ''));
  const target = { baseUrl: address ?? '', proxyUrl, secretKey };
  const results =
    options.echo === true ? await runAgainstEcho(target, undefined) : await runAndPrint(frontChecks(target));
  return {
    target: 'a gateway by its address',
    results,
    secrets: [secretKey, ...[baseUrl, options.proxyUrl ?? baseUrl].map((one) => new URL(one).hostname)],
  };
}

async function verifyStack(name: string, options: VerifyOptions): Promise<Verification> {
  const stack = await readStack(name, options.region);
  const secretKey = await readFirstKey(stack);
  const target = { baseUrl: stack.outputs.BaseUrl ?? '', proxyUrl: stack.outputs.ProxyUrl, secretKey };
  const results = await runAndPrint([
    ...accountChecks(stack),
    ...(options.accountOnly === true ? [] : frontChecks(target)),
  ]);
  const secrets = [secretKey, ...secretsIn(stack.outputs)];
  if (options.trial !== true) return { target: `stack ${name}`, results, secrets };
  const trialResults = await withTrial(stack, say, async ({ stack: trial, events }) => {
    say('waiting for its first tick …');
    const trialKey = await waitForFirstKey(trial);
    secrets.push(trialKey, ...secretsIn(trial.outputs));
    const { BaseUrl = '', ProxyUrl } = trial.outputs;
    return runAgainstEcho({ baseUrl: BaseUrl, proxyUrl: ProxyUrl, secretKey: trialKey }, events);
  });
  const marked = trialResults.map((result) => ({ ...result, section: `${result.section} (trial)` }));
  return { target: `stack ${name}`, results: [...results, ...marked], secrets };
}

/** Host names and account numbers among a stack's outputs. */
function secretsIn(outputs: Readonly<Record<string, string>>): string[] {
  return Object.values(outputs).flatMap((value) => {
    const host = URL.canParse(value) ? new URL(value).hostname : undefined;
    const account = /^arn:[^:]*:[^:]*:[^:]*:(\d{12}):/.exec(value)?.[1];
    return [host ?? '', account ?? ''].filter((one) => one !== '');
  });
}

/**
 * Checks a gateway from end to end and prints each check's result with its meaning; sets the exit code.
 * @throws Error when the gateway cannot be found
 */
export async function runVerify(options: VerifyOptions): Promise<void> {
  const startedMs = performance.now();
  const verification =
    options.local === true
      ? await verifyLocal(options.frontDoor)
      : options.baseUrl === undefined
        ? await verifyStack(options.stack ?? '', options)
        : await verifyAddress(options.baseUrl, options);
  const { results } = verification;
  const durationMs = performance.now() - startedMs;
  const failures = failuresTable(results);
  if (failures !== '') say(`\n${failures}`);
  say(`\n${countsLine(results)}, ${Math.round(durationMs / 1000)} s`);
  if (options.report !== undefined) {
    const heading = { target: verification.target, version: VERSION, at: new Date(), durationMs };
    await writeFile(options.report, markdownReport(heading, results, verification.secrets));
    say(`The report is in ${options.report}.`);
  }
  process.exitCode = results.some(({ verdict }) => verdict === 'fails') ? 1 : 0;
}
