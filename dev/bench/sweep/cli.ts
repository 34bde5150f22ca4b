/** `npm run bench:sweep`: runs the real sweep over tables of several sizes, prints two tables, and writes JSON where asked. */

import { epochSecNow } from '../../../lambdas/gateway/core/clock.ts';
import { SWEEP_CONCURRENCY } from '../../../lambdas/gateway/core/limits.ts';
import { systemClock } from '../../../lambdas/gateway/platform/clock.ts';
import { runBenchmark, writeNumbers } from '../arguments.ts';
import { startServer } from '../processes.ts';
import { conditions, currentLoad, runFacts } from '../report.ts';
import { openFilledTable } from './emulated-table.ts';
import { dueConnection } from './fixtures.ts';
import { memoryTable } from './memory-table.ts';
import { meterOf, type TableUse } from './meter.ts';
import { parseSweepOptions, SWEEP_USAGE } from './options.ts';
import { runSweep, type SweepRun } from './run-sweep.ts';

/** The provider, and a table as fast as DynamoDB is from a function in its region. */
const PROVIDER_MS = 200;
const TABLE_MS = 4;

/** What one run came to. `use` and `megabytes` belong to the emulated table. */
interface Measured {
  readonly table: string;
  readonly run: SweepRun;
  readonly use?: TableUse;
  readonly megabytes?: number;
}

await runBenchmark(run);

async function run(): Promise<void> {
  const options = parseSweepOptions(process.argv.slice(2));
  if (options.help) return void process.stdout.write(`${SWEEP_USAGE}\n`);
  const loadBefore = currentLoad();
  await using provider = await startServer('token', { TOKEN_MS: String(PROVIDER_MS) });
  const measured = [await onMemoryTable(options.due, provider.origin)];
  for (const rows of options.rows) measured.push(await onEmulated(rows, options.due, provider.origin));
  const facts = runFacts(false, loadBefore);
  process.stdout.write(`${throughputTable(measured)}\n\n${readsTable(measured)}\n\n${conditions(facts)}\n`);
  await writeNumbers(options.jsonFile, { run: facts, measured });
}

/** Ten times the connections: a run of a few seconds would mostly be its own beginning and end. */
async function onMemoryTable(due: number, origin: string): Promise<Measured> {
  const nowSec = epochSecNow(systemClock);
  const rows = await Promise.all(Array.from({ length: due * 10 }, (_, number) => dueConnection(number, nowSec - 60)));
  progress(`table in memory, ${rows.length} due`);
  const result = await runSweep(memoryTable(rows, TABLE_MS), origin, rows.length);
  return { table: `in memory, ${TABLE_MS} ms an operation`, run: result };
}

async function onEmulated(rows: number, due: number, origin: string): Promise<Measured> {
  const name = `${rows.toLocaleString('en-US')} rows`;
  await using filled = await openFilledTable(rows, due, (text) => progress(`${name}: ${text}`));
  progress(`${name}: sweep`);
  const use = meterOf(filled.table);
  const result = await runSweep(filled.stores, origin, due);
  return { table: `emulated, ${name}`, run: result, use: use(), megabytes: filled.megabytes };
}

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}

function throughputTable(measured: readonly Measured[]): string {
  return [
    `| Table | Refreshed, ${SWEEP_CONCURRENCY} at a time | Seconds | A minute | CPU each |`,
    '|---|---:|---:|---:|---:|',
    ...measured.map(
      ({ table, run: { refreshed, seconds, cpuMs } }) =>
        `| ${table} | ${refreshed} | ${seconds.toFixed(1)} | ${Math.round((refreshed / seconds) * 60)} | ${cpuMs.toFixed(2)} ms |`,
    ),
  ].join('\n');
}

function readsTable(measured: readonly Measured[]): string {
  const lines = measured.flatMap(({ table, run: { refreshed }, use, megabytes = 0 }) => {
    if (use === undefined) return [];
    const { GetItem = 0, Query = 0, UpdateItem = 0 } = use.requests;
    const each = (count: number) => (count / refreshed).toFixed(3);
    const cells = [
      table,
      `${Math.round(megabytes)} MB`,
      each(GetItem),
      each(Query),
      each(use.scanned),
      each(UpdateItem),
    ];
    return [`| ${[...cells, each(use.readUnits), each(use.writeUnits)].join(' | ')} |`];
  });
  return [
    '| Per due connection | Engine file | GetItem | Query | Index entries read | UpdateItem | Read units | Write units |',
    '|---|---:|---:|---:|---:|---:|---:|---:|',
    ...lines,
  ].join('\n');
}
