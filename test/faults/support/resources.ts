import assert from 'node:assert/strict';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { FaultWorld } from './fault-world.ts';
import { until } from './timing.ts';

const MIB = 1024 * 1024;
/** A heap that is far from its limit grows before it is cleared. */
const HEAP_WARMTH_MIB = 64;

/** What a world's processes hold; of several, the largest. */
export interface Resources {
  readonly children: number;
  /** Sockets of one function process. */
  readonly childSockets: number;
  /** Resident memory of one function process, MiB. */
  readonly childMemoryMiB: number;
  /** Sockets and timers of the process that runs the gateway. */
  readonly ownSockets: number;
  readonly ownTimers: number;
}

/** Measures now; Linux only, from /proc. */
export function measureResources(world: FaultWorld): Resources {
  const pids = world.gateway.gateway.children().map(({ pid }) => pid);
  return {
    children: pids.length,
    childSockets: Math.max(0, ...pids.map(socketsOf)),
    childMemoryMiB: Math.round(Math.max(0, ...pids.map(residentBytes)) / MIB),
    ownSockets: socketsOf(process.pid),
    ownTimers: process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length,
  };
}

/**
 * Waits until sockets, timers, processes and their memory are back to where they were.
 *
 * @throws AssertionError with what is left after a minute
 */
export async function assertBackTo(world: FaultWorld, before: Resources): Promise<Resources> {
  const isBack = (now: Resources) =>
    now.children <= before.children &&
    now.childSockets <= before.childSockets + 2 &&
    now.ownTimers <= before.ownTimers + 2 &&
    // Servers of the gateway and of the simulator keep what their clients keep open.
    now.ownSockets <= before.ownSockets * 1.5 &&
    now.childMemoryMiB <= before.childMemoryMiB + HEAP_WARMTH_MIB;
  await until('resources are back', () => isBack(measureResources(world)), 60_000, 500).catch(() => {
    assert.deepEqual(measureResources(world), before, 'resources are not back');
  });
  return measureResources(world);
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
