/** The processes of one function: reuse an idle one, start another up to the cap, let the rest wait. */
import { type Json, parseJson } from '../../tools/json.ts';
import type { Measurements } from '../measurements.ts';
import type { LocalFunction } from '../template/functions.ts';
import { type ChildOptions, type ChildState, type FunctionChild, type Invocation, startChild } from './child.ts';
import type { LogSink } from './log-lines.ts';
import { type InvocationOutcome, PAYLOAD_MAX_BYTES } from './outcome.ts';

/** A process as tests and the console see it. */
export interface ChildInfo {
  functionName: string;
  pid: number;
  state: ChildState;
}

export interface FunctionPool {
  readonly fn: LocalFunction;
  /**
   * Runs one call with a JSON payload. Never rejects.
   * @param invokedArn the function's, with the qualifier that the caller named. @default without one
   */
  invoke(payload: string, traceId?: string, invokedArn?: string): Promise<InvocationOutcome>;
  /** Starts one process ahead of the first call. */
  warmUp(): void;
  /**
   * Makes another bundle the function's as soon as a process of it is ready. Processes of the bundle before finish the calls that they
   * are at, and end.
   * @returns why a process of it does not start; then everything continues with the bundle before
   */
  replaceCode(codeFolder: string): Promise<string | undefined>;
  /** Folders of the bundles that processes run or may start with. */
  codeFolders(): string[];
  children(): ChildInfo[];
  /** Calls in flight or waiting. */
  pending(): number;
  /** Ends every process: SIGTERM, then SIGKILL for those that stay. */
  stop(): Promise<void>;
}

export interface PoolOptions extends Pick<ChildOptions, 'fn' | 'settings' | 'preloads' | 'inspector' | 'clockAheadMs'> {
  logs: LogSink;
  /** Receives measurements as CloudWatch would. */
  measure?: Measurements['add'];
  /**
   * Processes at work. Alongside them as many as three times that hand slow answers over, as Lambda would start others: slow
   * readers must not keep everybody else waiting. With one process there is never a second.
   */
  maxChildren: number;
  /** Calls that may wait for a process; the next one is throttled. @default 1000 */
  maxQueue?: number;
  /**
   * How long a call waits for a busy process before another is started, which takes longer than most calls: one that has answered is
   * still storing its counts. @default 100 ms
   */
  startAfterMs?: number;
  /** How long processes above one stay idle. @default five minutes */
  idleLifetimeMs?: number;
}

/** Lambda's metrics of an invocation (Types of metrics for Lambda functions). */
const METRICS_OF: Readonly<Record<InvocationOutcome['kind'], readonly string[]>> = {
  buffered: ['Invocations'],
  streaming: ['Invocations'],
  failed: ['Invocations', 'Errors'],
  'timed-out': ['Invocations', 'Errors'],
  crashed: ['Invocations', 'Errors'],
  throttled: ['Throttles'],
};

const HANDING_OVER_FACTOR = 3;
const MAX_QUEUE = 1_000;
const START_AFTER_MS = 100;
const IDLE_LIFETIME_MS = 300_000;
const INIT_BACKOFF_BASE_MS = 250;
const INIT_BACKOFF_MAX_MS = 10_000;
const TERMINATION_GRACE_MS = 1_000;

/** Opens the pool; no process runs until the first call or `warmUp`. */
export function openPool(options: PoolOptions): FunctionPool {
  const { logs, settings, preloads, inspector, clockAheadMs } = options;
  let { fn } = options;
  const maxQueue = options.maxQueue ?? MAX_QUEUE;
  const startAfterMs = options.startAfterMs ?? START_AFTER_MS;
  const idleLifetimeMs = options.idleLifetimeMs ?? IDLE_LIFETIME_MS;
  const children = new Set<FunctionChild>();
  /** Processes that get no more calls, and one that waits to take over. */
  const retiring = new Set<FunctionChild>();
  const queue: Invocation[] = [];
  /** Requested processes that have not reported yet. */
  let launching = 0;
  let running = 0;
  let stopping = false;
  let initFailures = 0;
  let brokenUntilMs = 0;
  let brokenReason = '';

  function launch(): void {
    launching += 1;
    startChild({ fn, settings, preloads, logs, inspector, clockAheadMs, onIdle, onHandingOver, onEnded }).then(
      (child) => {
        launching -= 1;
        const isOld = child.codeFolder !== fn.codeFolder;
        if (child.state !== 'ended') (isOld ? retiring : children).add(child);
        if (stopping || isOld) child.kill('SIGTERM');
      },
      (error: unknown) => {
        launching -= 1;
        fail(String(error));
      },
    );
  }

  function replaceCode(codeFolder: string): Promise<string | undefined> {
    const next = { ...fn, codeFolder };
    launching += 1;
    return new Promise((resolve) => {
      startChild({
        ...{ fn: next, settings, preloads, logs, inspector, clockAheadMs, onHandingOver },
        onIdle(child) {
          if (fn !== next && !stopping) takeOver(child, next);
          onIdle(child);
          resolve(undefined);
        },
        onEnded(child, initError) {
          onEnded(child, fn === next ? initError : undefined);
          if (fn === next) return;
          startForQueue();
          resolve(initError ?? 'it ended before it was ready');
        },
      }).then(
        (child) => {
          launching -= 1;
          if (child.state !== 'ended') retiring.add(child);
          if (stopping) child.kill('SIGTERM');
        },
        (error: unknown) => {
          launching -= 1;
          resolve(String(error));
        },
      );
    });
  }

  function takeOver(child: FunctionChild, next: LocalFunction): void {
    fn = next;
    brokenUntilMs = 0;
    for (const old of children) {
      retiring.add(old);
      if (old.state !== 'busy') old.kill('SIGTERM');
    }
    children.clear();
    retiring.delete(child);
    children.add(child);
    startForQueue();
  }

  function onIdle(child: FunctionChild): void {
    if (retiring.has(child)) {
      child.kill('SIGTERM');
      return;
    }
    initFailures = 0;
    const next = queue.shift();
    if (next !== undefined && !child.invoke(next)) queue.unshift(next);
  }

  /** The place is free: for a waiting call, else for the next one, which then needs no start. */
  function onHandingOver(): void {
    if (stopping) return;
    startForQueue();
    const isReady = [...children].some(({ state }) => state === 'idle' || state === 'starting');
    if (queue.length === 0 && launching === 0 && !isReady && roomFor() > 0) launch();
  }

  /** How many processes may be started now. */
  function roomFor(): number {
    const most = options.maxChildren;
    const slow = [...children].filter(({ isHandingOver }) => isHandingOver).length;
    const more = most === 1 ? 0 : Math.min(slow, most * HANDING_OVER_FACTOR);
    return most + more - launching - children.size;
  }

  function onEnded(child: FunctionChild, initError: string | undefined): void {
    const wasRetiring = retiring.delete(child);
    children.delete(child);
    if (stopping || wasRetiring) return;
    if (initError !== undefined) fail(initError);
    else startForQueue();
  }

  /** A process that cannot start: waiting calls fail, and each further attempt is delayed longer. */
  function fail(reason: string): void {
    brokenReason = `the function could not start: ${reason}`;
    brokenUntilMs = Date.now() + Math.min(INIT_BACKOFF_MAX_MS, INIT_BACKOFF_BASE_MS * 2 ** initFailures);
    initFailures += 1;
    logs.note(fn.displayName, brokenReason);
    for (const waiting of queue.splice(0)) waiting.settle({ kind: 'crashed', reason: brokenReason });
  }

  function startForQueue(): void {
    if (stopping) return;
    const starting = launching + [...children].filter((child) => child.state === 'starting').length;
    for (let count = Math.min(queue.length - starting, roomFor()); count > 0; count -= 1) launch();
  }

  function enqueue(invocation: Invocation): void {
    const idle = [...children].find((child) => child.state === 'idle');
    if (idle?.invoke(invocation)) return;
    if (Date.now() < brokenUntilMs) {
      invocation.settle({ kind: 'crashed', reason: brokenReason });
      return;
    }
    if (queue.length >= maxQueue) {
      invocation.settle({ kind: 'throttled' });
      return;
    }
    queue.push(invocation);
    const isFirst = queue.length === 1 && launching === 0;
    const mayFinishSoon = [...children].some((child) => child.state === 'busy' && !child.isHandingOver);
    if (isFirst && mayFinishSoon) setTimeout(startForQueue, startAfterMs).unref();
    else startForQueue();
  }

  // A process that was asked to end counts as ended at once, so that its sibling does not count as spare.
  const retired = new WeakSet<object>();
  const retirement = setInterval(() => {
    const old = Date.now() - idleLifetimeMs;
    const staying = [...children].filter((child) => !retired.has(child));
    const spare = staying.filter((child) => child.state === 'idle' && child.idleSinceMs < old);
    for (const child of spare.slice(spare.length === staying.length ? 1 : 0)) {
      retired.add(child);
      child.kill('SIGTERM');
    }
  }, idleLifetimeMs / 10).unref();

  const all = (): FunctionChild[] => [...children, ...retiring];
  return {
    get fn() {
      return fn;
    },
    invoke(payload, traceId = '', invokedArn = fn.arn) {
      running += 1;
      return new Promise((resolve) => {
        const settle = (outcome: InvocationOutcome): void => {
          running -= 1;
          for (const metricName of METRICS_OF[outcome.kind]) {
            options.measure?.({ namespace: 'AWS/Lambda', metricName, dimensions: { FunctionName: fn.name }, value: 1 });
          }
          resolve(outcome);
        };
        enqueue({ payload, traceId, invokedArn, settle });
      });
    },
    warmUp() {
      if (children.size + launching === 0) launch();
    },
    replaceCode,
    codeFolders: () => [fn.codeFolder, ...all().map((child) => child.codeFolder)],
    children: () =>
      all().flatMap((child) =>
        child.pid === undefined ? [] : [{ functionName: fn.displayName, pid: child.pid, state: child.state }],
      ),
    pending: () => running + all().filter((child) => child.state === 'busy').length,
    async stop() {
      stopping = true;
      clearInterval(retirement);
      for (const waiting of queue.splice(0)) waiting.settle({ kind: 'crashed', reason: 'the gateway is stopping' });
      while (launching > 0) await new Promise((resolve) => setImmediate(resolve));
      await Promise.all(all().map(terminate));
    },
  };
}

async function terminate(child: FunctionChild): Promise<void> {
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), TERMINATION_GRACE_MS);
  await child.ended;
  clearTimeout(force);
}

/**
 * Invokes a function as schedules and rules do, and reads its result.
 * @throws Error naming the function for anything but a buffered JSON result.
 */
export async function invokeForResult(pool: FunctionPool, event: Json, invokedArn = pool.fn.arn): Promise<Json> {
  const outcome = await pool.invoke(JSON.stringify(event), '', invokedArn);
  const name = pool.fn.displayName;
  switch (outcome.kind) {
    case 'buffered':
      if (outcome.payload.length > PAYLOAD_MAX_BYTES)
        throw new Error(`${name} failed: Function.ResponseSizeTooLarge: ${outcome.payload.length} bytes`);
      return parseJson(outcome.payload.toString('utf8'), `The result of ${name}`);
    case 'failed':
      throw new Error(`${name} failed: ${outcome.error.errorType}: ${outcome.error.errorMessage}`);
    case 'timed-out':
      throw new Error(`${name} was killed at its time limit of ${pool.fn.timeoutSec} s.`);
    case 'crashed':
      throw new Error(`${name}: ${outcome.reason}`);
    case 'throttled':
      throw new Error(`${name} has too many waiting calls.`);
    case 'streaming':
      outcome.body.resume();
      throw new Error(`${name} streams its response; a schedule or rule cannot read it.`);
  }
}
