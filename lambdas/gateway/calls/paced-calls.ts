import { PACED_FROM_SHARE, RATE_WINDOW_SEC } from '../core/limits.ts';
import type { Caller } from '../keys/authenticate-caller.ts';
import type { EndedCall, ProxyPacing, ProxyPacingDependencies } from './proxy-pacing.ts';

/** Loads the pacing of calls, which is lazy-loaded because most processes make few calls, and none in the background. */
export type OpenPacing = (deps: ProxyPacingDependencies) => Promise<ProxyPacing>;

export interface PacedCallsDependencies extends ProxyPacingDependencies {
  readonly openPacing: OpenPacing;
}

/**
 * Counts the units that calls take from the provider's minute. A process only adds up until its calls of a minute reach a share
 * worth reporting, or one is refused.
 */
export class PacedCalls {
  readonly #deps: PacedCallsDependencies;
  #pacing: Promise<ProxyPacing> | undefined;
  #minute = 0;
  #share = 0;

  constructor(deps: PacedCallsDependencies) {
    this.#deps = deps;
  }

  /** The pacing of this process's calls, loaded for the first that needs it. */
  open(): Promise<ProxyPacing> {
    this.#pacing ??= this.#deps.openPacing(this.#deps);
    return this.#pacing;
  }

  /** Counts a call that has ended and took so many units. @returns the work to await before the function ends */
  ended(caller: Caller, call: EndedCall, units: number, status: number, nowMs: number): Promise<unknown> | undefined {
    const { provider, quota: own } = caller.integration;
    const { quota } = this.#deps.providers[provider];
    if (quota === undefined || units === 0) return undefined;
    const minute = Math.floor(nowMs / 1000 / RATE_WINDOW_SEC);
    if (minute !== this.#minute) this.#share = 0;
    this.#minute = minute;
    this.#share += units / quota.perMinute;
    const isFull = this.#share >= PACED_FROM_SHARE || status === 403 || status === 429;
    if (this.#pacing === undefined && own === undefined && !isFull) return undefined;
    return this.open().then((pacing) => pacing.ended(caller, call, units, status));
  }
}
