import { describe, expect, it } from 'vitest';
import { processorTime, runningProcesses, startedMs } from '../../../dev/tools/processor-time.ts';
import { costTable, readCosts } from '../../../dev/tools/test-costs.ts';

describe('the processor time of a process', () => {
  it('the processor time of a process is read behind its name, whatever that holds', () => {
    const stat = '12 (a) b (c) S 7 12 12 0 -1 4194560 1 2 3 4 150 50 30 20 20 0 11 0 5 6';
    expect(processorTime(stat)).toEqual({ parent: 7, ownMs: 2_000, endedMs: 500 });
  });

  it('below it is that of processes that run, of theirs, and of those that have ended', () => {
    const all = new Map([
      [1, { parent: 0, ownMs: 1, endedMs: 10 }],
      [2, { parent: 1, ownMs: 100, endedMs: 1_000 }],
      [3, { parent: 2, ownMs: 10_000, endedMs: 0 }],
      [4, { parent: 0, ownMs: 7, endedMs: 7 }],
    ]);
    expect(startedMs(1, all)).toBe(11_110);
    expect(startedMs(5, all)).toBe(0);
  });

  it.runIf(process.platform === 'linux')(
    'the processor time of a process is there for this process, with its parent',
    () => {
      expect(runningProcesses().get(process.pid)).toMatchObject({ parent: process.ppid });
    },
  );
});

describe('the costs of files of tests', () => {
  it('the costs of files of tests are listed with the costliest first, then by folder, with what belongs to no file', () => {
    const lines = [
      { file: 'test/unit/a.test.ts', ownMs: 1_000, startedMs: 0 },
      { file: 'test/integration/b.test.ts', ownMs: 500, startedMs: 2_500 },
      { file: 'test/unit/c.test.ts', ownMs: 40, startedMs: 0 },
    ];
    const costs = readCosts(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    expect(costTable(costs, 5_000, 2).split('\n')).toEqual([
      '   all s  started',
      '     3.0       2.5  test/integration/b.test.ts',
      '     1.0       0.0  test/unit/a.test.ts',
      '     3.0       2.5  test/integration: 1 files',
      '     1.0       0.0  test/unit: 2 files',
      '     1.0       0.0  the rest of the run',
      '     5.0 s of processor time',
    ]);
  });
});
