/** What the kernel counts for processes. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';
import { errorCode } from './json.ts';

/** The kernel reports processor time in hundredths of a second to every program (man 5 proc, USER_HZ). */
const MS_PER_TICK = 10;

/** What the kernel counts for a process, in ms. */
export interface ProcessorTime {
  readonly parent: number;
  /** Of its own threads. */
  readonly ownMs: number;
  /** Of the processes that it started and whose end it has seen, with theirs. */
  readonly endedMs: number;
}

/** @param stat text of `/proc/<pid>/stat` */
export function processorTime(stat: string): ProcessorTime {
  // The name in parentheses may hold spaces. Behind it: the state, the parent, and as 12th to 15th utime, stime, cutime and cstime.
  const fields = stat
    .replace(/^.*\) /s, '')
    .split(' ')
    .map(Number);
  const [own = 0, ownSystem = 0, ended = 0, endedSystem = 0] = fields.slice(11);
  return {
    parent: fields[1] ?? 0,
    ownMs: (own + ownSystem) * MS_PER_TICK,
    endedMs: (ended + endedSystem) * MS_PER_TICK,
  };
}

/** Processor time so far of all processes below one, ended or not, in ms. @param all what runs, by process id */
export function startedMs(pid: number, all: ReadonlyMap<number, ProcessorTime>): number {
  const children = [...all].filter(([, { parent }]) => parent === pid);
  const running = children.map(([child, { ownMs }]) => ownMs + startedMs(child, all));
  return running.reduce((sum, ms) => sum + ms, all.get(pid)?.endedMs ?? 0);
}

/** Every process that runs, by its id. One that ends while it is looked at is left out. */
export function runningProcesses(): ReadonlyMap<number, ProcessorTime> {
  const found = new Map<number, ProcessorTime>();
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      found.set(Number(name), processorTime(readFileSync(`/proc/${name}/stat`, 'utf8')));
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ESRCH') throw error;
    }
  }
  return found;
}
