import { GatewayError } from '../core/errors.ts';
import type { ConnectionRef } from '../core/identifiers.ts';
import type { Clock, Logger, Metrics } from '../core/ports.ts';
import { CallCounter } from './call-counter.ts';
import type { CallTotals } from './ports.ts';
import { rateLimited } from './rate-limited.ts';
import { WrongKeys } from './wrong-keys.ts';

export interface CallAdmissionDependencies {
  readonly totals: CallTotals;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Calls a minute; 0 = no limit. */
export interface CallLimits {
  readonly perKey: number;
  readonly perConnection: number;
  /** Of calls without a valid key. */
  readonly perAddress: number;
}

/** Lets calls through as long as their key, their connection and, without a valid key, their address keep within limits (DS-2). */
export class CallAdmission {
  readonly #deps: CallAdmissionDependencies;
  readonly #limits: CallLimits;
  readonly #keys: CallCounter;
  readonly #connections: CallCounter;
  readonly #wrongKeys: WrongKeys;

  constructor(deps: CallAdmissionDependencies, limits: CallLimits) {
    this.#deps = deps;
    this.#limits = limits;
    this.#keys = new CallCounter(deps, limits.perKey);
    this.#connections = new CallCounter(deps, limits.perConnection);
    this.#wrongKeys = new WrongKeys(limits.perAddress);
  }

  /**
   * Whether an address has sent so many wrong keys that nothing but the key is looked up for it: a right key passes all the
   * same, because others may share the address (AK-15), and a wrong one costs the least there is.
   */
  isSuspect(sourceIp: string, nowMs: number): boolean {
    return this.#wrongKeys.areSpent(sourceIp, nowMs);
  }

  /** Counts a call of a good key. @throws GatewayError `rate_limited` */
  countKey(keyHash: string, nowMs: number): void {
    if (this.#keys.admits(keyHash, { kind: 'key', keyHash }, nowMs)) return;
    const message = `This secret key has made the ${this.#limits.perKey} calls it may make in a minute. Go on after the time in Retry-After; a deployment sets the limit with gateway:callsPerMinutePerKey.`;
    throw rateLimited(this.#deps.metrics, 'key', message, nowMs);
  }

  /**
   * Counts a call on a connection.
   *
   * @param id injective text of the connection
   * @throws GatewayError `rate_limited`
   */
  countConnection(id: string, ref: ConnectionRef, nowMs: number): void {
    if (this.#connections.admits(id, { kind: 'connection', ref }, nowMs)) return;
    const message = `This connection has taken the ${this.#limits.perConnection} calls it may take in a minute. Go on after the time in Retry-After; a deployment sets the limit with gateway:callsPerMinutePerConnection.`;
    throw rateLimited(this.#deps.metrics, 'connection', message, nowMs);
  }

  /** Counts a 401 for its address. What to answer: the same failure, or `rate_limited` once there were too many. */
  refusal(error: unknown, sourceIp: string): unknown {
    if (!(error instanceof GatewayError) || error.status !== 401) return error;
    const nowMs = this.#deps.clock.nowMs();
    if (this.#wrongKeys.areSpent(sourceIp, nowMs)) return this.#addressSpent(nowMs);
    this.#wrongKeys.note(sourceIp, nowMs);
    return error;
  }

  /** Ends when all that is worth it is counted; undefined when it is already. A function must not end before. */
  pending(): Promise<unknown> | undefined {
    const keys = this.#keys.pending();
    const connections = this.#connections.pending();
    return keys === undefined || connections === undefined ? (keys ?? connections) : Promise.all([keys, connections]);
  }

  #addressSpent(nowMs: number): GatewayError {
    const message =
      'Too many calls without a valid secret key came from this address. Go on after the time in Retry-After; valid keys keep working.';
    return rateLimited(this.#deps.metrics, 'address', message, nowMs);
  }
}
