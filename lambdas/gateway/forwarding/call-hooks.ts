import type { FEATURE_KEY_LIMITS } from '../../features/index.ts';
import type { Call } from '../calls/book.ts';
import { GatewayError } from '../core/errors.ts';
import type { GatewayResponse, HeaderPairs, UpstreamResponse } from '../core/http-message.ts';
import type { Caller } from '../keys/authenticate-caller.ts';
import type { LimitRefusal } from '../keys/ports.ts';
import type { ProviderCall, UpstreamPlan } from '../proxying/upstream-request.rules.ts';
import type { SentAnswer } from './retries.ts';

/** A call that is ready to be sent. */
export interface ReadyCall {
  readonly caller: Caller;
  readonly requestId: string;
  /** The requests to the provider: the call itself, or the parts of a batch; of a call of a tool the one that stands for it. */
  readonly requests: readonly ReadyRequest[];
  /** Of a call of a tool: as it is sent. */
  readonly toolPlan?: Pick<UpstreamPlan, 'target' | 'body'> & Required<Pick<UpstreamPlan, 'tool'>>;
  readonly isBatch: boolean;
  /** A person has agreed to it. */
  readonly isApproved: boolean;
  /** Reads as the connection's user, once; the read counts as part of the call. @param asked path and query, or a whole request */
  readonly read: (asked: string | ReadRequest) => Promise<UpstreamResponse>;
  /** Requests sent so far. */
  readonly attempts: () => number;
}

interface ReadyRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderPairs;
  readonly body: Uint8Array | undefined;
}

/** A request that reads by other means than a GET, and the request that it counts as. */
interface ReadRequest extends ReadyRequest {
  readonly standIn?: ProviderCall;
}

/** A feature's part in calls of keys whose limits have its member: other calls do not load its code. */
export interface CallHooks {
  readonly limit: keyof typeof FEATURE_KEY_LIMITS;
  /**
   * Wraps the sending of a call, including token renewal and retries.
   *
   * @param send sends; its errors are rethrown
   * @throws GatewayError where the call is refused
   */
  around(call: ReadyCall, send: () => Promise<SentAnswer>): Promise<SentAnswer>;
  /** Why a call is refused in a deployment that leaves the feature out, because its key relies on it. Undefined: it is sent. */
  leftOut(call: ReadyCall): GatewayError | undefined;
}

/**
 * Opens the hooks of features. Hooks of a feature that the deployment leaves out only refuse calls of keys that rely on it.
 *
 * @param parts by the features' ids
 */
export function openCallHooks<Deps extends { readonly config: { readonly without: ReadonlySet<string> } }>(
  parts: Readonly<Record<string, (deps: Deps) => CallHooks>>,
  deps: Deps,
): readonly CallHooks[] {
  return Object.entries(parts).map(([id, open]) => {
    const hooks = open(deps);
    if (!deps.config.without.has(id)) return hooks;
    return {
      ...hooks,
      around(call, send) {
        const refusal = hooks.leftOut(call);
        return refusal === undefined ? send() : Promise.reject(refusal);
      },
    };
  });
}

/**
 * Stores a call that the limits of its key do not let pass at once; nothing of it is sent.
 *
 * @returns the response for a caller that can wait
 * @throws GatewayError for every other caller
 */
export type HoldCall = (call: Call, caller: Caller, plan: UpstreamPlan, why: LimitRefusal) => Promise<GatewayResponse>;

/**
 * Opens the place where calls wait. Without one, a call that would have to wait is refused: its key stays as limited as it was.
 *
 * @param parts by the features' ids
 */
export function openHold<Deps extends { readonly config: { readonly without: ReadonlySet<string> } }>(
  parts: Readonly<Record<string, (deps: Deps) => HoldCall>>,
  deps: Deps,
): HoldCall {
  const [open] = Object.entries(parts).flatMap(([id, part]) => (deps.config.without.has(id) ? [] : [part]));
  return open?.(deps) ?? ((_call, _caller, _plan, why) => Promise.reject(nobodyToAsk(why)));
}

function nobodyToAsk({ message, details: { limit } }: LimitRefusal): GatewayError {
  const why = 'This gateway was deployed without pages on which people decide, and nothing was sent.';
  return new GatewayError('approval_impossible', `${message} ${why}`, { limit });
}
