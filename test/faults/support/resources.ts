import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FaultWorld } from './fault-world.ts';
import { until } from './timing.ts';

const MIB = 1024 * 1024;
/** Code that is compiled on the way, and memories of a few connections. */
const HEAP_WARMTH_MIB = 12;
const PROBES = mkdtempSync(join(tmpdir(), 'heap-'));

/** A preload by which a function process, on SIGUSR2, clears its garbage and says what its heap still holds. */
export const HEAP_PROBE = `
import { writeFileSync } from 'node:fs'; import v8 from 'node:v8'; import vm from 'node:vm';
process.on('SIGUSR2', () => {
  v8.setFlagsFromString('--expose-gc'); vm.runInNewContext('gc')();
  writeFileSync(${JSON.stringify(PROBES)} + '/' + process.pid, process.memoryUsage().heapUsed + ' bytes');
});`;

/** What a world's processes hold; of several, the largest. */
export interface Resources {
  readonly children: number;
  /** Sockets of one function process. */
  readonly childSockets: number;
  /** Living heap of one function process, MiB. */
  readonly childHeapMiB: number;
  /** Sockets and timers of the process that runs the gateway. */
  readonly ownSockets: number;
  readonly ownTimers: number;
}

/** Measures now; Linux only, from /proc. For worlds with `HEAP_PROBE`. */
export async function measureResources(world: FaultWorld): Promise<Resources> {
  const pids = world.gateway.gateway.children().map(({ pid }) => pid);
  const heaps = await Promise.all(pids.map(heapBytes));
  return {
    children: pids.length,
    childSockets: Math.max(0, ...pids.map(socketsOf)),
    childHeapMiB: Math.round(Math.max(0, ...heaps) / MIB),
    ownSockets: socketsOf(process.pid),
    ownTimers: process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length,
  };
}

/** Resident memory of the largest function process, MiB: with what the collector has not looked at yet. */
export function residentMiB(world: FaultWorld): number {
  const pids = world.gateway.gateway.children().map(({ pid }) => pid);
  return Math.round(Math.max(0, ...pids.map(residentBytes)) / MIB);
}

/**
 * Waits until sockets, timers, processes and their heaps are back to where they were.
 *
 * @throws AssertionError with what is left after a minute
 */
export async function assertBackTo(world: FaultWorld, before: Resources): Promise<Resources> {
  let now = await measureResources(world);
  const isBack = async () => {
    now = await measureResources(world);
    return (
      now.children <= before.children &&
      now.childSockets <= before.childSockets + 2 &&
      now.ownTimers <= before.ownTimers + 2 &&
      // Servers of the gateway and of the simulator keep what their clients keep open.
      now.ownSockets <= before.ownSockets * 1.5 &&
      now.childHeapMiB <= before.childHeapMiB + HEAP_WARMTH_MIB
    );
  };
  await until('resources are back', isBack, 60_000, 500).catch(() => {
    assert.deepEqual(now, before, 'resources are not back');
  });
  return now;
}

/** Living heap of a function process with `HEAP_PROBE`, in bytes: what is left after its garbage is cleared. */
export async function heapBytes(pid: number): Promise<number> {
  const file = join(PROBES, String(pid));
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  let heap: string | undefined;
  const isThere = () => {
    heap = readdirSync(PROBES).includes(String(pid)) ? readFileSync(file, 'utf8') : '';
    return heap.endsWith('bytes');
  };
  await until(`the heap of process ${pid}`, isThere);
  return Number.parseInt(heap ?? '', 10);
}

function socketsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).filter((fd) => isSocket(`/proc/${pid}/fd/${fd}`)).length;
}

function isSocket(path: string): boolean {
  try {
    return readlinkSync(path).startsWith('socket:');
  } catch {
    // Closed since the folder was read.
    return false;
  }
}

function residentBytes(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? 0) * 1024;
}
