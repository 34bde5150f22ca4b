/** Shows whether a process noted earlier is still the same one: process ids are used again. */
import { readFileSync } from 'node:fs';

/** A process by id and, where the system provides it (Linux), its start time in clock ticks since boot. */
export interface ProcessIdentity {
  pid: number;
  startTicks: string | undefined;
}

/** The identity of a running process. */
export function identify(pid: number): ProcessIdentity {
  return { pid, startTicks: startTicks(pid) };
}

/** Whether exactly this process still runs; false where the start time is unknown. */
export function isRunning({ pid, startTicks: noted }: ProcessIdentity): boolean {
  if (noted === undefined) return false;
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return startTicks(pid) === noted;
}

/** Ends exactly this process if it still runs. */
export function killIfRunning(identity: ProcessIdentity): void {
  if (!isRunning(identity)) return;
  try {
    process.kill(identity.pid, 'SIGKILL');
  } catch {
    // It ended between the question and the signal.
  }
}

function startTicks(pid: number): string | undefined {
  try {
    // The command in parentheses may hold spaces; the start time is the 20th field behind it.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
