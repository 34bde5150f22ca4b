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
  /** Undefined where nothing of a file runs: it is not collected then. */
  #before: Costs | undefined;

  override onCollectStart(file: RunnerTestFile): void {
    this.#before = costs();
    super.onCollectStart(file);
  }

  override onAfterRunFiles(files: RunnerTestFile[]): void {
    const before = this.#before;
    this.#before = undefined;
    if (before !== undefined) this.#note(files, before, costs());
    super.onAfterRunFiles(files);
  }

  #note(files: readonly RunnerTestFile[], before: Costs, after: Costs): void {
    const cost: FileCost = {
      file: files.map(({ filepath }) => relative(process.cwd(), filepath)).join(' '),
      ownMs: after.ownMs - before.ownMs,
      startedMs: after.startedMs - before.startedMs,
    };
    appendFileSync(COSTS, `${JSON.stringify(cost)}\n`);
  }
}

type Costs = Omit<FileCost, 'file'>;

function costs(): Costs {
  const { user, system } = process.cpuUsage();
  return { ownMs: (user + system) / 1000, startedMs: startedMs(process.pid, runningProcesses()) };
}
