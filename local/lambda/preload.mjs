/**
 * Runs before the Lambda runtime client in every function process: puts the shim in the native addon's place, and ends
 * the process when the runner is gone.
 */
import { registerHooks } from 'node:module';
import { Socket } from 'node:net';

const shimUrl = new URL('./rapid-client-shim.cjs', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === './rapid-client.node'
      ? { url: shimUrl, format: 'commonjs', shortCircuit: true }
      : next(specifier, context),
});

// The runner holds the other end of this pipe: when it is killed, a call in flight must not outlive it. Not standard
// input: a bundle that imports node:process opens that itself.
const lifeline = new Socket({ fd: 3, readable: true, writable: false });
lifeline.on('close', () => process.exit(1));
lifeline.on('error', () => process.exit(1));
lifeline.resume();
lifeline.unref();
