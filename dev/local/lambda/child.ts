/** One function process: AWS's own runtime client around the deployed bundle, serving one call at a time. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import parent from 'node:process';
import { fileURLToPath } from 'node:url';
import { closeServer, LOOPBACK, listen } from '../network.ts';
import { isPython, type LocalFunction } from '../template/functions.ts';
import { type FunctionSettings, functionEnvironment } from './environment.ts';
import { INSPECT_ARGUMENT, type Inspector } from './inspector.ts';
import { forwardLines, type LogSink } from './log-lines.ts';
import type { FunctionError, InvocationOutcome } from './outcome.ts';
import { findPython, PYTHON_RUNTIME_CLIENT } from './python.ts';
import { runtimeApi } from './runtime-api.ts';

export type ChildState = 'starting' | 'idle' | 'busy' | 'ended';

/** A call and where its outcome goes. The outcome comes exactly once. */
export interface Invocation {
  payload: string;
  traceId: string;
  /** The function's ARN as the caller named it. @default - without a qualifier */
  invokedArn?: string;
  settle(outcome: InvocationOutcome): void;
}

export interface FunctionChild {
  /** Folder of the bundle that it runs. */
  readonly codeFolder: string;
  readonly pid: number | undefined;
  readonly state: ChildState;
  /** Epoch milliseconds since when it is idle. */
  readonly idleSinceMs: number;
  /** Whether it has been handing an answer over for a while: it waits for the caller or the provider and does no work. */
  readonly isHandingOver: boolean;
  /** Gives an idle child its next call. @returns false when the child is not idle after all. */
  invoke(invocation: Invocation): boolean;
  kill(signal: NodeJS.Signals): void;
  /** Settles when the process is gone. */
  readonly ended: Promise<void>;
}

export interface ChildOptions {
  fn: LocalFunction;
  settings: Omit<FunctionSettings, 'runtimeApi'>;
  /** More modules for `--import`, before the runtime client. */
  preloads: readonly string[];
  logs: LogSink;
  /** How far the process's clock is ahead of the machine's, in milliseconds, called for each call. @default 0 */
  clockAheadMs?: (() => number) | undefined;
  /** Opens the process to debuggers. @default - none */
  inspector?: Inspector | undefined;
  onIdle(child: FunctionChild): void;
  /** Its answer takes long to hand over. */
  onHandingOver(child: FunctionChild): void;
  /** `initError` is set when the process ended before it asked for its first call. */
  onEnded(child: FunctionChild, initError: string | undefined): void;
}

/** Taken out of the environment by the preload before any code of the function runs. */
const TOKEN_VARIABLE = 'LOCAL_RUNTIME_TOKEN';
/** Likewise: where V8's compiled code is kept, if the runner's own is kept anywhere. */
const COMPILE_CACHE_VARIABLE = 'NODE_COMPILE_CACHE';
const PRELOAD = new URL('./preload.mjs', import.meta.url).href;
/** Room for young objects from the start: loading a large bundle takes 10 % less processor time. */
const YOUNG_HEAP = '--min-semi-space-size=8';
const RUNTIME_CLIENT = fileURLToPath(import.meta.resolve('aws-lambda-ric'));

interface OpenCall {
  requestId: string;
  invocation: Invocation;
  answered: boolean;
  deadline: NodeJS.Timeout;
  handingOver?: NodeJS.Timeout;
  isHandingOver: boolean;
}

/** An answer that streams for longer than this is handed over slowly; most are done long before. */
const HANDING_OVER_AFTER_MS = 300;

/** Starts a process; it reports itself idle once its bundle is loaded. */
export async function startChild(options: ChildOptions): Promise<FunctionChild> {
  const { fn } = options;
  let state: ChildState = 'starting';
  let idleSinceMs = 0;
  let polling = false;
  let call: OpenCall | undefined;
  let initError: FunctionError | undefined;

  const token = randomBytes(24).toString('base64url');
  const api = runtimeApi(token, {
    onPoll() {
      polling = true;
      becomeIdle();
    },
    onBuffered: (requestId, payload) => answer(requestId, { kind: 'buffered', payload }, true),
    onError: (requestId, error) => answer(requestId, { kind: 'failed', error }, true),
    onStreaming(requestId, body) {
      body.once('close', () => close(requestId));
      answer(requestId, { kind: 'streaming', body }, false);
      handOver(requestId);
    },
    onInitError(error) {
      initError = error;
    },
  });
  const port = await listen(api.server, 0, 'Lambda Runtime API', 'start again');
  const process = launch(options, `${LOOPBACK}:${port}`, token);

  function becomeIdle(): void {
    if (!polling || call !== undefined || state === 'ended') return;
    state = 'idle';
    idleSinceMs = Date.now();
    options.onIdle(child);
  }

  function answer(requestId: string, outcome: InvocationOutcome, closes: boolean): void {
    if (call?.requestId !== requestId || call.answered) return;
    call.answered = true;
    call.invocation.settle(outcome);
    if (closes) close(requestId);
  }

  function handOver(requestId: string): void {
    if (call?.requestId !== requestId) return;
    const current = call;
    current.handingOver = setTimeout(() => {
      current.isHandingOver = true;
      options.onHandingOver(child);
    }, HANDING_OVER_AFTER_MS);
  }

  function close(requestId: string): void {
    if (call?.requestId !== requestId) return;
    clearTimeout(call.deadline);
    clearTimeout(call.handingOver);
    call = undefined;
    // The result travels on another connection than the poll: either may come first.
    becomeIdle();
  }

  function invoke(invocation: Invocation): boolean {
    const requestId = randomUUID();
    const clockAheadMs = Math.round(options.clockAheadMs?.() ?? 0);
    const deadlineMs = Date.now() + clockAheadMs + fn.timeoutSec * 1000;
    if (state !== 'idle') return false;
    const { payload, traceId, invokedArn = fn.arn } = invocation;
    if (!api.deliver({ requestId, functionArn: invokedArn, deadlineMs, clockAheadMs, traceId, payload })) return false;
    state = 'busy';
    polling = false;
    call = {
      requestId,
      invocation,
      answered: false,
      isHandingOver: false,
      deadline: setTimeout(timeOut, fn.timeoutSec * 1000),
    };
    return true;
  }

  function timeOut(): void {
    options.logs.note(fn.displayName, `timed out after ${fn.timeoutSec} s and was killed`);
    if (call !== undefined && !call.answered) {
      call.answered = true;
      call.invocation.settle({ kind: 'timed-out' });
    }
    process.kill('SIGKILL');
  }

  const ended = new Promise<void>((resolve) => {
    const finish = (reason: string): void => {
      const beforeReady = state === 'starting';
      state = 'ended';
      if (call !== undefined) {
        clearTimeout(call.deadline);
        clearTimeout(call.handingOver);
        call.isHandingOver = false;
        options.logs.note(fn.displayName, `${reason} during a call`);
        if (!call.answered) call.invocation.settle({ kind: 'crashed', reason });
      }
      // Cuts a streamed response in flight, which its reader sees as an aborted body.
      void closeServer(api.server);
      const why = initError === undefined ? reason : `${initError.errorType}: ${initError.errorMessage}`;
      options.onEnded(child, beforeReady ? why : undefined);
      resolve();
    };
    process.once('error', (error) => finish(error.message));
    process.once('exit', (code, signal) => finish(`the process ended (${signal ?? `exit code ${code}`})`));
  });

  const child: FunctionChild = {
    codeFolder: fn.codeFolder,
    get pid() {
      return process.pid;
    },
    get state() {
      return state;
    },
    get idleSinceMs() {
      return idleSinceMs;
    },
    get isHandingOver() {
      return call?.isHandingOver === true;
    },
    invoke,
    kill: (signal) => void process.kill(signal),
    ended,
  };
  return child;
}

function launch(options: ChildOptions, runtimeApiAddress: string, token: string): ChildProcess {
  const { fn, settings, logs, inspector } = options;
  const compileCache = parent.env[COMPILE_CACHE_VARIABLE];
  const imports = [PRELOAD, ...options.preloads].flatMap((module) => ['--import', module]);
  const inspect = inspector === undefined ? [] : [INSPECT_ARGUMENT];
  const [program, args] = isPython(fn.runtime)
    ? [findPython() ?? 'python3', [PYTHON_RUNTIME_CLIENT]]
    : [process.execPath, [YOUNG_HEAP, ...inspect, ...imports, RUNTIME_CLIENT]];
  const child = spawn(program, args, {
    cwd: fn.codeFolder,
    env: {
      ...functionEnvironment(fn, { ...settings, runtimeApi: runtimeApiAddress }),
      [TOKEN_VARIABLE]: token,
      ...(compileCache === undefined ? {} : { [COMPILE_CACHE_VARIABLE]: compileCache }),
    },
    // The fourth is the pipe by which the process notices that the runner is gone.
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    // A group of its own: Ctrl-C must not end a call that the runner is still waiting for.
    detached: true,
  });
  child.stdio[3]?.on('error', () => {});
  if (child.stdout !== null) forwardLines(child.stdout, (text) => logs.line(fn.displayName, text));
  if (child.stderr !== null) {
    forwardLines(child.stderr, (text) => {
      const isInspectors = inspector?.readLine(text) ?? false;
      if (isInspectors === false) logs.line(fn.displayName, text);
      else if (isInspectors !== true) child.once('exit', isInspectors);
    });
  }
  return child;
}
