/**
 * `npm run test:costs [-- vitest arguments]`: runs tests as `npm test` does and prints the 30 files that take most processor time, with the
 * share of the processes that they start, then folders and the whole run. Linux only: it reads /proc.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitWithHelp } from './help.ts';
import { processorTime } from './processor-time.ts';
import { run } from './run.ts';
import { costTable, readCosts } from './test-costs.ts';

const ROWS = 30;

exitWithHelp(import.meta.filename);
const folder = mkdtempSync(join(tmpdir(), 'test-costs-'));
const file = join(folder, 'costs.jsonl');
try {
  process.exitCode = await run('node', ['dev/tools/test.ts', ...process.argv.slice(2)], { TEST_COSTS: file });
  const costs = existsSync(file) ? readCosts(readFileSync(file, 'utf8')) : [];
  const { endedMs } = processorTime(readFileSync('/proc/self/stat', 'utf8'));
  console.log(costTable(costs, endedMs, ROWS));
} finally {
  rmSync(folder, { recursive: true });
}
