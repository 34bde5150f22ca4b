/** `npm run bench:scale`: counts calls of several sizes, each in a process with a limited heap, and prints a table. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runBenchmark, writeNumbers } from '../arguments.ts';
import type { ScaleResult } from './count-hour.ts';
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

await runBenchmark(async () => {
  const options = parseScaleOptions(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(`${SCALE_USAGE}\n`);
    return;
  }
  const results: ScaleResult[] = [];
  for (const size of options.sizes) results.push(await measured(size, options));
  const rows = results.map((one) => [
    `${one.callsPerMonth.toLocaleString('en')}, ${one.connections.toLocaleString('en')}`,
    one.callsCounted.toLocaleString('en'),
    String(one.wrong),
    ...[one.longestTickSec, one.hourSec, one.daySec].map((seconds) => `${seconds.toFixed(1)} s`),
    ...[one.hour.writeUnits, one.day.readUnits, one.hottestSecond].map((units) => units.toLocaleString('en')),
  ]);
  const lines = [HEAD, HEAD.map((_, at) => (at === 0 ? '---' : '---:')), ...rows];
  process.stdout.write(lines.map((cells) => `| ${cells.join(' | ')} |\n`).join(''));
  await writeNumbers(options.jsonFile, results);
  if (results.some(({ wrong }) => wrong > 0)) throw new Error('Sums differ from the calls that were made.');
});

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
