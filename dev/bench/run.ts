/** `npm run bench`: measures, shows progress, prints a table, and writes JSON where asked. */

import { writeFile } from 'node:fs/promises';
import { runBenchmark } from './arguments.ts';
import { measureBook } from './measures/book.ts';
import { measureCalls } from './measures/calls.ts';
import { measureColdStart } from './measures/cold-start.ts';
import { measureCpu } from './measures/cpu.ts';
import { measureMemory } from './measures/memory.ts';
import { type MeasureName, parseOptions, USAGE } from './options.ts';
import { conditions, currentLoad, type Finding, jsonReport, markdownTable, runFacts } from './report.ts';

type Measure = (quick: boolean, progress: (text: string) => void) => Promise<Finding[]>;

const MEASURES: Readonly<Record<MeasureName, Measure>> = {
  cpu: measureCpu,
  book: measureBook,
  calls: measureCalls,
  cold: measureColdStart,
  memory: measureMemory,
};

await runBenchmark(run);

async function run(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  if (options.help) return void process.stdout.write(`${USAGE}\n`);
  const loadBefore = currentLoad();
  const findings: Finding[] = [];
  for (const name of options.measures) {
    findings.push(...(await MEASURES[name](options.quick, (text) => process.stderr.write(`${name}: ${text}\n`))));
  }
  const facts = runFacts(options.quick, loadBefore);
  process.stdout.write(`${markdownTable(findings)}\n\n${conditions(facts)}\n`);
  if (options.jsonFile !== undefined) await writeFile(options.jsonFile, jsonReport(facts, findings));
}
