import { GatewayError } from '../../gateway/core/errors.ts';
import type { HoldCall } from '../../gateway/forwarding/call-hooks.ts';
import type { SharedDependencies } from '../../gateway/wiring.ts';

/** Keeps calls that need a person's approval. What it takes is loaded with the first, because most processes see none. */
export function hold(shared: SharedDependencies): HoldCall {
  return async (...of) => {
    const { holdCall } = await shared.later<typeof import('./hold.lazy.ts')>('hold');
    const held = await holdCall(shared, ...of);
    if (held.kind === 'answer') return held.response;
    throw new GatewayError(held.code, held.message, held.details);
  };
}
