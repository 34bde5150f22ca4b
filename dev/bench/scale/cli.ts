/** `npm run bench:scale`: counts calls of several sizes, each in a process with a limited heap, or shows hot keys, and prints a table. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runBenchmark, writeNumbers } from '../arguments.ts';
import type { ScaleResult } from './count-hour.ts';
import { type HotKey, hotKeys, PARTITION_UNITS } from './hot-keys.ts';
import { parseScaleOptions, SCALE_USAGE, type ScaleOptions, type ScaleSize } from './options.ts';

const COUNT_HOUR = fileURLToPath(new URL('count-hour.ts', import.meta.url));
const HEAD = [
  'Calls a month, connections',
  'Calls counted',
  'Wrong sums',
  'Longest tick',
  'An hour',
  'Its day',
  'Write units an hour',
  'Read units of the day',
  'Hottest key, units a second',
];
const KEYS_HEAD = [
  'Connections',
  'Change',
  'Partition key',
  'Write units on it, each',
  'On all keys',
  'A second, until the key is full',
  'At most a second',
  'Units a second on it then',
];
/** Of each kind. */
const CHANGES = 1_600;

await runBenchmark(async () => {
  const options = parseScaleOptions(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(`${SCALE_USAGE}\n`);
    return;
  }
  if (options.keys) return showKeys(options);
  const results: ScaleResult[] = [];
  for (const size of options.sizes) results.push(await measured(size, options));
  const rows = results.map((one) => [
    `${one.callsPerMonth.toLocaleString('en')}, ${one.connections.toLocaleString('en')}`,
    one.callsCounted.toLocaleString('en'),
    String(one.wrong),
    ...[one.longestTickSec, one.hourSec, one.daySec].map((seconds) => `${seconds.toFixed(1)} s`),
    ...[one.hour.writeUnits, one.day.readUnits, one.hottestSecond].map((units) => units.toLocaleString('en')),
  ]);
  writeTable(HEAD, rows, 1);
  await writeNumbers(options.jsonFile, results);
  if (results.some(({ wrong }) => wrong > 0)) throw new Error('Sums differ from the calls that were made.');
});

/** Which keys changes of connections write to, for each size. */
async function showKeys({ sizes, jsonFile }: ScaleOptions): Promise<void> {
  const found: { readonly connections: number; readonly keys: readonly HotKey[] }[] = [];
  for (const { connections } of sizes) found.push({ connections, keys: await hotKeys(connections, CHANGES) });
  const rows = found.flatMap(({ connections, keys }) =>
    keys.map(({ what, key, units, unitsInAll, atMostASecond }) => [
      ...[connections.toLocaleString('en'), what, key, units.toFixed(1), unitsInAll.toFixed(0)],
      Math.floor(PARTITION_UNITS / units).toLocaleString('en'),
      ...(atMostASecond === undefined ? ['', ''] : [atMostASecond, atMostASecond * units].map((one) => one.toFixed(0))),
    ]),
  );
  writeTable(KEYS_HEAD, rows, 3);
  await writeNumbers(jsonFile, found);
}

/** @param texts how many columns are no numbers */
function writeTable(head: readonly string[], rows: readonly string[][], texts: number): void {
  const lines = [head, head.map((_, at) => (at < texts ? '---' : '---:')), ...rows];
  process.stdout.write(lines.map((cells) => `| ${cells.join(' | ')} |\n`).join(''));
}

/** One size in a process of its own. @throws Error where it runs out of heap, with what the process said */
async function measured(
  { connections, callsPerMonth }: ScaleSize,
  { heapMb, seed, faults }: ScaleOptions,
): Promise<ScaleResult> {
  const args = [
    `--max-old-space-size=${heapMb}`,
    COUNT_HOUR,
    ...[connections, callsPerMonth, seed, faults ? 1 : 0].map(String),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1_048_576 });
  return JSON.parse(stdout);
}
