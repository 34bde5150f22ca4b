/** `npm run bench:memory`: what the proxy's memory, and with it its share of a processor, costs in waiting and in money. */
import { runBenchmark, writeNumbers } from '../arguments.ts';
import { conditions, currentLoad, runFacts } from '../report.ts';
import { measureSizes } from './measure-sizes.ts';
import { MEMORY_USAGE, parseMemoryOptions } from './options.ts';
import { choiceOf, sizesTable } from './sizes-report.ts';

await runBenchmark(run);

async function run(): Promise<void> {
  const options = parseMemoryOptions(process.argv.slice(2));
  if (options.help) return void process.stdout.write(`${MEMORY_USAGE}\n`);
  const loadBefore = currentLoad();
  const measured = await measureSizes(options, (text) => process.stderr.write(`${text}\n`));
  const facts = runFacts(options.quick, loadBefore);
  process.stdout.write(`${sizesTable(measured)}\n\n${choiceOf(measured)}\n\n${conditions(facts)}\n`);
  await writeNumbers(options.jsonFile, { run: facts, measured });
}
