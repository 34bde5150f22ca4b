import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { type RunnerTestFile, TestRunner } from 'vitest';
import { runningProcesses, startedMs } from '../../dev/tools/processor-time.ts';
import type { FileCost } from '../../dev/tools/test-costs.ts';

/** Names the file that costs are written to, one JSON object a line. */
const COSTS = process.env.TEST_COSTS ?? '';

/**
 * Writes down the processor time that each file takes, from its import to the end of its last hook: of the worker, and of the processes
 * that it and they start. What files of one worker share, such as modules and the browser, counts for the first that needs it.
 */
export default class CostRunner extends TestRunner {
  #before = { ownMs: 0, startedMs: 0 };

  override onCollectStart(file: RunnerTestFile): void {
    this.#before = costs();
    super.onCollectStart(file);
  }

  override onAfterRunFiles(files: RunnerTestFile[]): void {
    const after = costs();
    const cost: FileCost = {
      file: files.map(({ filepath }) => relative(process.cwd(), filepath)).join(' '),
      ownMs: after.ownMs - this.#before.ownMs,
      startedMs: after.startedMs - this.#before.startedMs,
    };
    appendFileSync(COSTS, `${JSON.stringify(cost)}\n`);
    super.onAfterRunFiles(files);
  }
}

function costs(): { readonly ownMs: number; readonly startedMs: number } {
  const { user, system } = process.cpuUsage();
  return { ownMs: (user + system) / 1000, startedMs: startedMs(process.pid, runningProcesses()) };
}
