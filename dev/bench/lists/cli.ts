/** `npm run bench:lists`: an account with many connections, what its lists and searches take, and what they ask of the table. */

import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { epochSecNow } from '../../../lambdas/gateway/core/clock.ts';
import { systemClock } from '../../../lambdas/gateway/platform/clock.ts';
import { openTable, type Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { type LocalGateway, startLocal } from '../../local/start.ts';
import { runBenchmark, writeNumbers } from '../arguments.ts';
import { conditions, currentLoad, runFacts } from '../report.ts';
import { quantile } from '../statistics.ts';
import { allItems, fillDataFolder } from './fill.ts';
import { LISTS_USAGE, parseListsOptions } from './options.ts';
import { person } from './people.ts';
import { type Question, questions } from './questions.ts';

/** What one question came to. */
interface Measured {
  readonly question: string;
  readonly status: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  /** Of one answer. */
  readonly bytes: number;
  /** Calls of the table by operation, for one answer. */
  readonly tableCalls: Readonly<Record<string, number>>;
}

await runBenchmark(run);

async function run(): Promise<void> {
  const options = parseListsOptions(process.argv.slice(2));
  if (options.help) return void process.stdout.write(`${LISTS_USAGE}\n`);
  const loadBefore = currentLoad();
  await using stack = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-lists-'));
  // Half a gigabyte must not stay behind a run that was interrupted.
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const { connections: count, rounds } = options;
  await prepare(dataDir, count);
  progress('starting the gateway');
  const gateway = await startLocal({
    dataDir,
    quiet: true,
    schedules: false,
    dashboard: options.serve ? 'build' : 'serve',
  });
  stack.defer(() => gateway.close());
  const measured: Measured[] = [];
  for (const question of questions(count)) {
    progress(question.name);
    measured.push(await ask(gateway, question, rounds));
  }
  const facts = runFacts(false, loadBefore);
  process.stdout.write(`${tableOfAnswers(measured)}\n\n${conditions(facts)}\n`);
  await writeNumbers(options.jsonFile, { run: facts, connections: count, measured });
  if (options.serve) {
    process.stdout.write(`Dashboard ${gateway.dashboardUrl}, key ${gateway.secretKey}. Ctrl-C ends it.\n`);
    await once(process, 'SIGTERM');
  }
}

/** A data folder with an integration of each provider, a first connection of each, and `count` more. */
async function prepare(dataDir: string, count: number): Promise<void> {
  progress('first connections');
  const gateway = await startLocal({ dataDir, quiet: true, schedules: false, warmUp: false });
  const table = tableOf(gateway);
  const kept = await allItems(table);
  table.client.destroy();
  await gateway.close();
  const nowSec = epochSecNow(systemClock);
  await fillDataFolder(dataDir, kept, count, (number) => person(number, count, nowSec), nowSec, progress);
}

/** The gateway's own client, which finds its endpoint where Lambda or the local runtime would put it. */
function tableOf(gateway: LocalGateway): Table {
  const { accessKeyId, secretAccessKey } = gateway.credentials.operator;
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: gateway.dynamodbEndpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  });
  return openTable(gateway.tableName);
}

/** Asks a question once to warm up, then `rounds` times one after another. */
async function ask(gateway: LocalGateway, { name, path }: Question, rounds: number): Promise<Measured> {
  const send = async (round: number) => {
    const startedMs = performance.now();
    const answer = await fetch(`${gateway.gatewayUrl}${path(round)}`, {
      headers: { authorization: `Bearer ${gateway.secretKey}` },
    });
    const { byteLength: bytes } = await answer.arrayBuffer();
    return { status: answer.status, bytes, ms: performance.now() - startedMs };
  };
  await send(0);
  const before = tableCalls(gateway);
  const { status, bytes } = await send(1);
  const after = tableCalls(gateway);
  const times: number[] = [];
  for (let round = 2; round < rounds + 2; round++) times.push((await send(round)).ms);
  return {
    question: name,
    status,
    medianMs: quantile(times, 0.5),
    p95Ms: quantile(times, 0.95),
    bytes,
    tableCalls: Object.fromEntries(
      Object.entries(after)
        .map(([operation, calls]) => [operation, calls - (before[operation] ?? 0)] as const)
        .filter(([, calls]) => calls > 0),
    ),
  };
}

/** Calls so far, by operation, of the function that answers lists. */
function tableCalls(gateway: LocalGateway): Record<string, number> {
  const calls: Record<string, number> = {};
  for (const { service, operation, functionName, count } of gateway.awsCalls()) {
    if (service === 'DynamoDB' && /management/i.test(functionName)) calls[operation] = (calls[operation] ?? 0) + count;
  }
  return calls;
}

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}

function tableOfAnswers(measured: readonly Measured[]): string {
  return [
    '| Question | Median | p95 | Answer | Calls of the table |',
    '|---|---:|---:|---:|---|',
    ...measured.map(({ question, status, medianMs, p95Ms, bytes, tableCalls }) => {
      const calls = Object.entries(tableCalls).map(([operation, count]) => `${count} ${operation}`);
      const answer = status === 200 ? `${(bytes / 1000).toFixed(1)} KB` : `${status}`;
      return `| ${question} | ${Math.round(medianMs)} ms | ${Math.round(p95Ms)} ms | ${answer} | ${calls.join(', ')} |`;
    }),
  ].join('\n');
}
