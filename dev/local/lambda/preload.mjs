/**
 * Runs before the Lambda runtime client in every function process: puts the shim in the native addon's place, shows the
 * Runtime API whose process this is, ends the process when the runner is gone, and keeps what V8 compiled.
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

// The runner holds the other end of this pipe: when it is killed, a call in flight must not outlive it. Not standard
// input: a bundle that imports node:process opens that itself.
const lifeline = new Socket({ fd: 3, readable: true, writable: false });
lifeline.on('close', () => process.exit(1));
lifeline.on('error', () => process.exit(1));
lifeline.resume();
lifeline.unref();

// Where many of these processes start one after another, what the first has compiled is read by the others. Node writes it
// where a process ends by itself, and not where the runner's signal ends it.
if (process.env.NODE_COMPILE_CACHE !== undefined) {
  delete process.env.NODE_COMPILE_CACHE;
  process.once('SIGTERM', () => process.kill(process.pid, 'SIGTERM'));
}
