/** One function process as the local runtime starts it: AWS's runtime client around a bundle, fed call by call. */
import { type FunctionChild, startChild } from '../local/lambda/child.ts';
import type { FunctionSettings } from '../local/lambda/environment.ts';
import { logSink } from '../local/lambda/log-lines.ts';
import type { LocalFunction } from '../local/template/functions.ts';

/** What a call brought: when its first byte came and how many there were, the answer's head included. */
export interface FunctionAnswer {
  /** Milliseconds from the call to the first byte of the answer, and to its end. */
  readonly firstByteMs: number;
  readonly endMs: number;
  readonly bytes: number;
  /** The head, as JSON text. */
  readonly head: string;
}

export interface FunctionProcess extends AsyncDisposable {
  readonly pid: number;
  /** Milliseconds from the start of the process to its first question for work. */
  readonly startMs: number;
  /** Makes one call, reads its answer to the end and waits until the process asks for the next. */
  call(event: string, options?: CallOptions): Promise<FunctionAnswer>;
}

export interface CallOptions {
  /** Reads no faster than this; absent: as fast as it comes. */
  readonly maxBytesPerSec?: number;
}

/**
 * Starts a process.
 * @param launch runs what makes the process, for a caller that prepares its settings
 * @throws Error with its reason when it ends before its first question
 */
export async function startFunction(
  fn: LocalFunction,
  settings: Omit<FunctionSettings, 'runtimeApi'>,
  launch: (make: () => Promise<FunctionChild>) => Promise<FunctionChild> = (make) => make(),
): Promise<FunctionProcess> {
  const idle = turnstile();
  let failed: (error: Error) => void = () => {};
  const failure = new Promise<never>((_, reject) => {
    failed = reject;
  });
  failure.catch(() => {});
  const startedMs = performance.now();
  const child = await launch(() =>
    startChild({
      fn,
      settings,
      preloads: [],
      logs: logSink((line, isNote) => isNote && process.stderr.write(`${line.functionName}: ${line.text}\n`)),
      onIdle: () => idle.open(),
      onHandingOver: () => {},
      onEnded: (_, initError) => failed(new Error(initError ?? 'The function process ended')),
    }),
  );
  await Promise.race([idle.passed(), failure]);
  const startMs = performance.now() - startedMs;
  const { pid } = child;
  if (pid === undefined) throw new Error('The function has no process');
  return {
    pid,
    startMs,
    call: (event, options = {}) => Promise.race([callOnce(child, event, options, idle), failure]),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await child.ended;
    },
  };
}

/** Status in the head of an answer; NaN when the head names none. */
export function statusOf({ head }: FunctionAnswer): number {
  return Number(/"statusCode":(\d+)/.exec(head)?.[1]);
}

async function callOnce(
  child: FunctionChild,
  event: string,
  { maxBytesPerSec }: CallOptions,
  idle: Turnstile,
): Promise<FunctionAnswer> {
  const startedMs = performance.now();
  const answer = await new Promise<FunctionAnswer>((resolve, reject) => {
    const taken = child.invoke({
      payload: event,
      traceId: '',
      settle(outcome) {
        if (outcome.kind !== 'streaming') return reject(new Error(`The call ended as ${outcome.kind}`));
        let bytes = 0;
        let firstByteMs = 0;
        let head = '';
        outcome.body.on('data', (chunk: Buffer) => {
          if (bytes === 0) {
            firstByteMs = performance.now() - startedMs;
            head = chunk.toString('latin1').split('\0', 1)[0] ?? '';
          }
          bytes += chunk.length;
          if (maxBytesPerSec === undefined) return;
          const dueMs = (bytes / maxBytesPerSec) * 1000 - (performance.now() - startedMs);
          if (dueMs < 5) return;
          outcome.body.pause();
          setTimeout(() => outcome.body.resume(), dueMs);
        });
        outcome.body.once('end', () => resolve({ firstByteMs, endMs: performance.now() - startedMs, bytes, head }));
        outcome.body.once('error', reject);
      },
    });
    if (!taken) reject(new Error('The function process is not idle'));
  });
  await idle.passed();
  return answer;
}

interface Turnstile {
  open(): void;
  passed(): Promise<void>;
}

/** Remembers one opening until somebody passes. */
function turnstile(): Turnstile {
  let isOpen = false;
  let waiting: (() => void) | undefined;
  return {
    open() {
      isOpen = true;
      waiting?.();
    },
    async passed() {
      if (!isOpen)
        await new Promise<void>((resolve) => {
          waiting = resolve;
        });
      isOpen = false;
      waiting = undefined;
    },
  };
}
