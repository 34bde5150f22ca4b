/** The parts of `npm run verify`: checks, each one sentence about a running gateway that is true or false. */

/** How a check ended: it held, it did not, or it could not be made here. */
export type Verdict = 'holds' | 'fails' | 'not checked';

/** The finding of a check. */
export interface Finding {
  readonly verdict: Verdict;
  /** The observation, in one line, without secrets. */
  readonly seen: string;
}

/** One sentence about the gateway, and how to find out whether it is true. */
export interface Check {
  /** Heading of the report that the check stands under. */
  readonly section: string;
  /** The sentence, in the present tense. */
  readonly claim: string;
  /** The meaning for users, or the remedy, when the sentence is false. */
  readonly otherwise: string;
  /** Runs the check. A thrown error counts as `fails`, with its message as the observation. */
  run(): Promise<Finding>;
}

/** A check with its result. */
export interface CheckResult extends Finding {
  readonly section: string;
  readonly claim: string;
  readonly otherwise: string;
  readonly durationMs: number;
}

/** The longest one check may take, in milliseconds: a streamed download at 2 MB/s of 20 MB, twice. */
const CHECK_TIMEOUT_MS = 60_000;

export function holds(seen: string): Finding {
  return { verdict: 'holds', seen };
}

export function fails(seen: string): Finding {
  return { verdict: 'fails', seen };
}

export function notChecked(seen: string): Finding {
  return { verdict: 'not checked', seen };
}

/** `holds` when the condition is true, `fails` otherwise; both with the observation. */
export function judge(condition: boolean, seen: string): Finding {
  return condition ? holds(seen) : fails(seen);
}

/** Runs checks one after the other, so that none disturbs another's timing; reports each result at once. */
export async function runChecks(
  checks: readonly Check[],
  onResult: (result: CheckResult) => void,
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const { section, claim, otherwise, run } of checks) {
    const startedMs = performance.now();
    const finding = await withinTime(run).catch((error: unknown) => fails(messageOf(error)));
    const result = { section, claim, otherwise, ...finding, durationMs: performance.now() - startedMs };
    results.push(result);
    onResult(result);
  }
  return results;
}

/** An error's message with its cause, in one line. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error.name === 'Error' ? '' : `${error.name}: `}${error.message}${cause}`.replaceAll(/\s+/g, ' ');
}

async function withinTime(run: () => Promise<Finding>): Promise<Finding> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Finding>((resolve) => {
    timer = setTimeout(() => resolve(fails(`no result within ${CHECK_TIMEOUT_MS / 1000} s`)), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([run(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
