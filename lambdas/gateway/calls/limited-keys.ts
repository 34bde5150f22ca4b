import { unknownConnection } from '../connections/find-connection.ts';
import { GatewayError } from '../core/errors.ts';
import type { Metrics } from '../core/ports.ts';
import type { SecretKeyRecord } from '../keys/credentials.rules.ts';
import type { CallReach, LimitRefusal } from '../keys/ports.ts';
import type { CallWish, LimitsJudge, LimitsJudgeDependencies, Spenders } from './judge-limits.ts';
import type { NewItemWriter } from './ports.ts';

/** Loads the judge of limits and budgets, which is lazy-loaded because most processes need none. */
export type OpenJudge = (deps: OpenJudgeDependencies) => Promise<LimitsJudge>;

export interface OpenJudgeDependencies extends Omit<LimitsJudgeDependencies, 'thresholds' | 'changes'> {
  readonly newItems: NewItemWriter;
}

export interface LimitedKeysDependencies extends OpenJudgeDependencies {
  readonly openJudge: OpenJudge;
  readonly metrics: Metrics;
}

/**
 * Holds limited keys to their limits: judges calls in memory and raises the gateway's errors. The first call of such a key waits
 * until the judge is loaded.
 */
export class LimitedKeys {
  readonly #deps: LimitedKeysDependencies;
  readonly #judge: Promise<LimitsJudge>;
  #opened: LimitsJudge | undefined;

  constructor(deps: LimitedKeysDependencies) {
    this.#deps = deps;
    this.#judge = deps.openJudge(deps).then((judge) => {
      this.#opened = judge;
      return judge;
    });
  }

  /**
   * Whether a key may be used at this time, from this address, for this connection.
   *
   * @returns the limit that refuses it where the key only observes
   * @throws GatewayError `key_expired`, `limited_by_key`, `unknown_connection`
   */
  async reach(key: SecretKeyRecord, to: CallReach, nowMs: number): Promise<string | undefined> {
    return this.#observedLimitOf((await this.#judge).reach(key, to, nowMs));
  }

  /**
   * Whether all requests of a call are allowed by the limits of the key and the budgets of the integration and the connection.
   *
   * @returns the limit that refuses it where the key only observes; the refusal of a call that needs a person's approval
   * @throws GatewayError `limited_by_key`, `unknown_method`, `budget_spent`, `rate_limited`, `approval_impossible`
   */
  async ask(from: Spenders, wish: CallWish, nowMs: number): Promise<string | LimitRefusal | undefined> {
    const judge = await this.#judge;
    const refusal = judge.ask(from, wish, nowMs);
    if (refusal?.code === 'approval_required' && !refusal.isObserved) return refusal;
    const observed = this.#observedLimitOf(refusal);
    return from.observed === undefined ? observed : withMethod(from.observed, judge.methodOf(wish));
  }

  /**
   * Counts the bytes of an answer whose call has ended.
   *
   * @param ofTools of a call to the provider's MCP server: more requests that were sent for it, and when it began, if the provider refused it
   *   because the day there is used up
   * @returns the work to await before the function ends
   */
  ended(
    from: Spenders,
    bytes: number,
    nowMs: number,
    ofTools?: { readonly more: number; readonly refusedForDay: number | undefined },
  ): Promise<unknown> | undefined {
    this.#opened?.answered(from, bytes, nowMs);
    if (ofTools !== undefined && from.tools !== undefined) this.#opened?.toolEnded(from.tools, ofTools);
    return this.#opened?.pending();
  }

  #observedLimitOf(refusal: LimitRefusal | undefined): string | undefined {
    if (refusal === undefined) return undefined;
    const { code, message, details, isObserved } = refusal;
    const { name, method } = details.limit;
    if (isObserved) {
      this.#deps.metrics.count('WouldRefuse', { limit: name });
      return withMethod(name, method);
    }
    this.#deps.metrics.count('LimitedByKey', { limit: name });
    throw code === 'unknown_connection' ? unknownConnection('Connection-Id') : new GatewayError(code, message, details);
  }
}

/** The name of a limit in the line of a call that it would have refused. */
function withMethod(limit: string, method: string | undefined): string {
  return method === undefined ? limit : `${limit}:${method}`;
}
