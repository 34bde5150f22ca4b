import { type Outcome, outcomeName } from './outcome.ts';

/** The parts of a run: the reference, the trouble, and the time after it. */
export type Phase = 'calm' | 'trouble' | 'after';

/** One finished piece of work. */
export interface Sample {
  readonly phase: Phase;
  readonly work: string;
  readonly outcome: Outcome;
  /** How long it took, in milliseconds. */
  readonly tookMs: number;
  /** When it ended, in milliseconds since the start of its phase. */
  readonly atMs: number;
}

/** The `share` quantile of the times of what succeeded, in milliseconds. */
export function quantile(samples: readonly Sample[], share: number): number {
  const times = samples
    .filter(({ outcome }) => outcome.kind === 'ok')
    .map(({ tookMs }) => tookMs)
    .sort((a, b) => a - b);
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
}

/** How often each outcome came, most frequent first. */
export function countOutcomes(samples: readonly Sample[]): readonly (readonly [name: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const { outcome } of samples) {
    const name = outcomeName(outcome);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]);
}

/** When the last failure of a phase was, in milliseconds since its start; 0 where there was none. */
export function lastFailureMs(samples: readonly Sample[]): number {
  return Math.max(0, ...samples.filter(({ outcome }) => outcome.kind !== 'ok').map(({ atMs }) => atMs));
}
