/**
 * Runs before the Lambda runtime client in every function process: puts the shim in the native addon's place, shows the
 * Runtime API whose process this is, ends the process when the runner is gone, sets the clock, and keeps what V8 compiled.
 */
import diagnostics from 'node:diagnostics_channel';
import { registerHooks } from 'node:module';
import { Socket } from 'node:net';

const shimUrl = new URL('./rapid-client-shim.cjs', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === './rapid-client.node'
      ? { url: shimUrl, format: 'commonjs', shortCircuit: true }
      : next(specifier, context),
});

const runtimeApi = process.env.AWS_LAMBDA_RUNTIME_API;
const token = process.env.LOCAL_RUNTIME_TOKEN ?? '';
delete process.env.LOCAL_RUNTIME_TOKEN;
// Called while a request is being made, before anything is sent.
diagnostics.subscribe('http.client.request.created', ({ request }) => {
  if (request.getHeader('host') === runtimeApi) request.setHeader('x-local-runtime-token', token);
});

// Shares compiled code among many processes that start one after another. Node writes the cache only where a process ends by itself,
// not by the runner's signal. It never writes an entry again, and the entry has what the process had called until then: one that
// answered a few calls leaves the others less to compile.
const keepsCompiled = process.env.NODE_COMPILE_CACHE !== undefined;
delete process.env.NODE_COMPILE_CACHE;
const KEPT_AFTER_CALLS = 4;
let calls = 0;

// With a call comes how far the clock is ahead of the machine's: in a test, weeks pass in one step.
let aheadMs = 0;
let isMoved = false;
const moveClock = () => {
  isMoved = true;
  const now = Date.now;
  Date.now = () => now() + aheadMs;
  globalThis.Date = new Proxy(Date, {
    apply: (date) => new date(Date.now()).toString(),
    construct: (date, given, target) => Reflect.construct(date, given.length === 0 ? [Date.now()] : given, target),
  });
};
diagnostics.subscribe('http.client.response.finish', ({ request, response }) => {
  if (request.getHeader('host') !== runtimeApi || !request.path.endsWith('/invocation/next')) return;
  calls++;
  if (keepsCompiled && calls === KEPT_AFTER_CALLS) process.once('SIGTERM', () => process.kill(process.pid, 'SIGTERM'));
  aheadMs = Number(response.headers['x-local-clock-ahead-ms'] ?? 0);
  if (aheadMs !== 0 && !isMoved) moveClock();
});

// The runner holds the other end of this pipe: when it is killed, a call in flight must not outlive it. Not standard
// input: a bundle that imports node:process opens that itself.
const lifeline = new Socket({ fd: 3, readable: true, writable: false });
lifeline.on('close', () => process.exit(1));
lifeline.on('error', () => process.exit(1));
lifeline.resume();
lifeline.unref();
