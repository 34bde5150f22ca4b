/** `npm run bench:memory`: what the proxy's memory, and with it its share of a processor, costs in waiting and in money. */
import { writeFile } from 'node:fs/promises';
import { conditions, currentLoad, runFacts } from '../report.ts';
import { measureSizes } from './measure-sizes.ts';
import { MEMORY_USAGE, parseMemoryOptions } from './options.ts';
import { choiceOf, sizesTable } from './sizes-report.ts';

process.once('SIGINT', () => process.exit(130));
try {
  await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const options = parseMemoryOptions(process.argv.slice(2));
  if (options.help) return void process.stdout.write(`${MEMORY_USAGE}\n`);
  const loadBefore = currentLoad();
  const measured = await measureSizes(options, (text) => process.stderr.write(`${text}\n`));
  const facts = runFacts(options.quick, loadBefore);
  process.stdout.write(`${sizesTable(measured)}\n\n${choiceOf(measured)}\n\n${conditions(facts)}\n`);
  if (options.jsonFile !== undefined) {
    await writeFile(options.jsonFile, `${JSON.stringify({ run: facts, measured }, undefined, 2)}\n`);
  }
}
