import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { cpuShare } from '../../../dev/bench/memory-size/cpu-share.ts';
import { type MeasuredSize, shareOf } from '../../../dev/bench/memory-size/measure-sizes.ts';
import { choiceOf, sizesTable } from '../../../dev/bench/memory-size/sizes-report.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let root: string;
beforeEach(() => {
  root = temporaryFolder();
});

function write(path: string, text: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
}
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const groupIn = (folder: string) =>
  readdirSync(join(root, folder)).find((name) => name.startsWith('gateway-bench-')) ?? '';

describe('a share of a processor', () => {
  test('a share of a processor is that of the memory, and one processor at most', () => {
    const shares = ['0.145', '0.289', '0.579', '1.000', '1.000'];
    expect([256, 512, 1024, 1769, 10_240].map((size) => shareOf(size).toFixed(3))).toEqual(shares);
  });

  test('a share of a processor is a quota of each 20 ms in version 1, set once the process is there and without this one', async () => {
    write('cpu/user/cgroup.procs', '');
    const share = cpuShare(0.25, {
      mounts: `cgroup ${root}/cpuset cgroup rw,cpuset 0 0\ncgroup ${root}/cpu cgroup rw,relatime,cpu 0 0\ncgroup2 ${root}/unified cgroup2 rw 0 0\n`,
      own: '5:memory:/user\n4:cpu:/user\n0::/\n',
    });
    const group = `cpu/user/${groupIn('cpu/user')}`;
    const started = await share.start(async () =>
      ['cpu.cfs_quota_us', 'cgroup.procs'].map((name) => read(`${group}/${name}`)),
    );
    expect(started).toEqual(['-1', String(process.pid)]);
    expect([read(`${group}/cpu.cfs_period_us`), read(`${group}/cpu.cfs_quota_us`)]).toEqual(['20000', '5000']);
    expect(read('cpu/user/cgroup.procs')).toBe(String(process.pid));
    write(`${group}/cpu.stat`, 'nr_periods 3\nnr_throttled 2\nthrottled_time 31000000\n');
    expect(share.heldBackMs()).toBe(31);
  });

  test('a share of a processor is one line in version 2, below a group that hands the controller down', async () => {
    write('scope/cgroup.subtree_control', 'memory cpu\n');
    write('scope/cgroup.procs', '');
    const share = cpuShare(0.5, { mounts: `cgroup2 ${root} cgroup2 rw 0 0\n`, own: '0::/scope\n' });
    const group = `scope/${groupIn('scope')}`;
    expect(await share.start(async () => read(`${group}/cpu.max`))).toBe('max 20000');
    expect(read(`${group}/cpu.max`)).toBe('10000 20000');
    write(`${group}/cpu.stat`, 'usage_usec 9\nthrottled_usec 4500\n');
    expect(share.heldBackMs()).toBe(4.5);
  });

  test.each([
    ['there is no controller', { mounts: '', own: '' }],
    ['its folder is nobody’s to write', { mounts: 'cgroup2 /proc/1 cgroup2 rw 0 0\n', own: '0::/nothing\n' }],
  ])('says what to do where %s', (_, gatewayFacts) => {
    expect(() => cpuShare(0.5, gatewayFacts)).toThrow(/Run it as root, or as: systemd-run --user --scope/);
  });
});

describe('the choice', () => {
  const others = { addedP99Ms: 10, readyMs: 200, firstAnswerMs: 300, peakBytes: 150 * 1024 * 1024 };
  const size = (memoryMb: number, addedP50Ms: number): MeasuredSize => ({
    ...{ memoryMb, addedP50Ms, calls: 400, starts: 9 },
    ...others,
  });

  test('the choice is the cheapest size within 1.2 times the best that stays half empty, with its price', () => {
    const measured = [size(256, 1), size(384, 1.1), size(512, 1.1), size(1024, 1), size(1769, 1.05)];
    expect(choiceOf(measured)).toMatch(/: 384 MB, \$6\.74 .* within the goal/);
    expect(choiceOf([size(384, 4), size(512, 1.3), size(1024, 1)])).toMatch(/: 1,024 MB, \$9\.24 .* ABOVE the goal/);
    expect(() => choiceOf([size(256, 1)])).toThrow('large enough');
    expect(sizesTable(measured).split('\n')).toHaveLength(7);
    expect(sizesTable(measured)).toContain(
      '| 512 MB | 0.29 | 1.10 ms | 1.10x | 10.0 ms | 200 ms | 300 ms | 150 MB | $7.24 |',
    );
  });

  test('the choice of nothing is an error', () => {
    expect(() => choiceOf([])).toThrow('No size was measured');
  });
});
