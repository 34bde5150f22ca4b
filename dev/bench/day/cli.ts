/** `npm run bench:day`: simulates days, shows progress, prints tables, and writes JSON where asked. */
import { runBenchmark, writeNumbers } from '../arguments.ts';
import { multiplied } from './day-counts.ts';
import { costTable, figuresOf, loadTable, type SimulatedDay, troubles } from './day-report.ts';
import type { Mix } from './mixes.ts';
import { DAY_USAGE, type DayOptions, parseDayOptions } from './options.ts';
import { populate } from './population.ts';
import { classesOf, type RefreshRules, refreshRules } from './refresh-rules.ts';
import { seededRandom } from './seeded-random.ts';
import { simulateDay } from './simulate-day.ts';
import { averageRate, slicesFor } from './slices.ts';

/** Spreads are distinguished to a quarter of a second of the schedule's lead, and to four minutes of the keep-alive. */
const CLASSES = 1_024;

await runBenchmark(run);

async function run(): Promise<void> {
  const options = parseDayOptions(process.argv.slice(2));
  if (options.help) return void process.stdout.write(`${DAY_USAGE}\n`);
  const rules = refreshRules(CLASSES);
  const consents = Math.max(0, ...options.mixes.map((mix) => mix.consents?.count ?? 0));
  const classes = classesOf(options.connections + consents, CLASSES);
  progress(`${options.connections.toLocaleString('en-US')} connections, seed ${options.seed}`);
  const days = options.mixes.map((mix) => dayOf(mix, rules, classes, options));
  process.stdout.write(`${[loadTable(days), costTable(days), ...troubles(days)].join('\n\n')}\n`);
  process.stdout.write(
    `\nSeed ${options.seed}, ${options.perSliceMinute} refreshes of one instance in a minute, ${cpuSeconds()} s of processor time.\n`,
  );
  await writeNumbers(options.jsonFile, days.map(figuresOf));
}

function dayOf(mix: Mix, rules: RefreshRules, classes: Uint16Array, options: DayOptions): SimulatedDay {
  const startedMs = performance.now();
  const { oneIn = 1 } = mix;
  const before = Math.ceil(options.connections / oneIn);
  const perSliceMinute = options.perSliceMinute / oneIn;
  const connections = before + (mix.consents?.count ?? 0);
  const random = seededRandom(options.seed);
  const population = populate(mix, rules, classes.subarray(0, connections), random);
  const slices = slicesFor(averageRate(rules, before, population.inUse), perSliceMinute);
  const counts = multiplied(simulateDay(mix, rules, population, { slices, perSliceMinute }, random), oneIn);
  progress(`${mix.title}: ${seconds(startedMs)} s`);
  return { mix, connections: connections * oneIn, slices, counts };
}

function seconds(sinceMs: number): string {
  return ((performance.now() - sinceMs) / 1000).toFixed(1);
}

/** Of this process so far: what a run takes on one idle core. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return Math.round((user + system) / 1e6);
}

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
