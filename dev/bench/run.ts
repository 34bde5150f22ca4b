/**
 * `npm run bench`: measures one thing after the other, shows progress, prints a table, and writes page and JSON where asked. What has been
 * measured is kept in `dist/bench/`, so that an interrupted run can be resumed.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '../tools/json.ts';
import { PROJECT_ROOT } from '../tools/run.ts';
import { runBenchmark } from './arguments.ts';
import { measureBook } from './measures/book.ts';
import { measureCalls } from './measures/calls.ts';
import { measureColdStart } from './measures/cold-start.ts';
import { measureCpu } from './measures/cpu.ts';
import { measureMemory } from './measures/memory.ts';
import { type BenchOptions, type MeasureName, parseOptions, USAGE } from './options.ts';
import {
  conditions,
  currentLoad,
  type Finding,
  jsonReport,
  type MeasureRun,
  markdownTable,
  resultsPage,
  runFacts,
  verdict,
  withResults,
} from './report.ts';

type Measure = (quick: boolean, progress: (text: string) => void) => Promise<Finding[]>;

const MEASURES: Readonly<Record<MeasureName, Measure>> = {
  cpu: measureCpu,
  book: measureBook,
  calls: measureCalls,
  cold: measureColdStart,
  memory: measureMemory,
};
const FOLDER = join(PROJECT_ROOT, 'dist', 'bench');
const PAGE = join(import.meta.dirname, 'README.md');
const RESUMABLE_MS = 3_600_000;
/** Something disturbed a measure: a second try is cheaper than a second run. */
const TRIES = 2;

await runBenchmark(run);

async function run(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  if (options.help) return void process.stdout.write(`${USAGE}\n`);
  const runs: MeasureRun[] = [];
  const failures: string[] = [];
  for (const name of options.measures) {
    try {
      runs.push((options.resume ? kept(name, options) : undefined) ?? (await measured(name, options)));
    } catch (error) {
      failures.push(`${name} could not be measured: ${errorMessage(error)}`);
    }
  }
  for (const { findings, facts } of runs)
    process.stdout.write(`${markdownTable(findings)}\n\n${conditions(facts)}\n\n`);
  process.stdout.write(`${verdict(runs)}\n`);
  if (options.jsonFile !== undefined) writeFileSync(options.jsonFile, jsonReport(runs));
  if (failures.length > 0)
    throw new Error(`${failures.join('\n')}\nnpm run bench -- --resume measures what is missing.`);
  if (options.page) writeFileSync(PAGE, withResults(readFileSync(PAGE, 'utf8'), resultsPage(runs)));
}

/** Measures, and keeps what it found. @throws what the last try failed with */
async function measured(name: MeasureName, { quick }: BenchOptions): Promise<MeasureRun> {
  const progress = (text: string) => void process.stderr.write(`${name}: ${text}\n`);
  rmSync(fileOf(name), { force: true });
  for (let attempt = 1; ; attempt++) {
    const loadBefore = currentLoad();
    try {
      const findings = await MEASURES[name](quick, progress);
      const run = { name, endedAt: new Date().toISOString(), facts: runFacts(quick, loadBefore), findings };
      mkdirSync(FOLDER, { recursive: true });
      writeFileSync(fileOf(name), JSON.stringify(run));
      return run;
    } catch (error) {
      if (attempt === TRIES) throw error;
      progress(`${errorMessage(error)}; once more`);
    }
  }
}

/** What a run of the last hour has found, at the same length. */
function kept(name: MeasureName, { quick }: BenchOptions): MeasureRun | undefined {
  const path = fileOf(name);
  if (!existsSync(path) || Date.now() - statSync(path).mtimeMs > RESUMABLE_MS) return undefined;
  const run: MeasureRun = JSON.parse(readFileSync(path, 'utf8'));
  return run.facts.quick === quick ? run : undefined;
}

function fileOf(name: MeasureName): string {
  return join(FOLDER, `${name}.json`);
}
