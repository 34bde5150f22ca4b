import { FEATURE_KEY_LIMITS } from '../../features/index.ts';
import { GatewayError, type GatewayErrorCode } from '../core/errors.ts';
import type { HeaderPairs, UpstreamResponse } from '../core/http-message.ts';
import type { Caller } from '../keys/authenticate-caller.ts';
import type { SentAnswer } from './retries.ts';

/** A call that is ready to be sent. */
export interface ReadyCall {
  readonly caller: Caller;
  readonly requestId: string;
  /** What the provider is asked: the call's own request, or the parts of a batch. */
  readonly requests: readonly ReadyRequest[];
  readonly isBatch: boolean;
  /** A person has agreed to it. */
  readonly isApproved: boolean;
  /** Reads as the connection's user, once; it counts among what the call takes. @param target path and query */
  readonly read: (target: string) => Promise<UpstreamResponse>;
  /** Requests sent so far. */
  readonly attempts: () => number;
}

interface ReadyRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderPairs;
  readonly body: Uint8Array | undefined;
}

/** What a feature does with calls of keys whose limits have a member of its own: other calls do not reach its code. */
export interface CallHooks {
  readonly limit: keyof typeof FEATURE_KEY_LIMITS;
  /**
   * Stands around the sending of a call, the token's renewal and repetitions included.
   *
   * @param send sends; what it throws is thrown
   * @throws GatewayError where the call is refused
   */
  around(call: ReadyCall, send: () => Promise<SentAnswer>): Promise<SentAnswer>;
}

/**
 * Opens the hooks of features. Where the deployment leaves one out, calls pass it, but for writes of keys that rely on what it
 * promises: these are refused.
 *
 * @param parts by the features' ids
 */
export function openCallHooks<Deps extends { readonly config: { readonly without: ReadonlySet<string> } }>(
  parts: Readonly<Record<string, (deps: Deps) => CallHooks>>,
  deps: Deps,
): readonly CallHooks[] {
  return Object.entries(parts).map(([id, open]) => {
    const hooks = open(deps);
    return deps.config.without.has(id) ? refusing(hooks.limit, id) : hooks;
  });
}

function refusing(limit: CallHooks['limit'], id: string): CallHooks {
  const { values, error }: { values: readonly unknown[]; error: GatewayErrorCode } = FEATURE_KEY_LIMITS[limit].promises;
  return {
    limit,
    around({ caller, requests }, send) {
      const isWrite = requests.some(({ method }) => method !== 'GET' && method !== 'HEAD');
      if (!isWrite || !values.includes(caller.key.limits?.[limit])) return send();
      throw new GatewayError(
        error,
        `This key's limit ${limit} relies on ${id}, and this gateway was deployed without it. Nothing was sent.`,
        { applied: 'no' },
      );
    },
  };
}
