import { TOKEN_ENDPOINT_BACKOFF_MAX_SEC } from '../../../lambdas/gateway/core/limits.ts';
import { refreshBackoffSec } from '../../../lambdas/gateway/tokens/freshness.rules.ts';
import { EXPIRES_AT, FIELDS, LAST_USED, ONE_FAILURE, PACKED, type Population, REFRESH_AT } from './population.ts';
import { type RefreshRules, TOKEN_SEC } from './refresh-rules.ts';

/** What the gateway writes into a connection's row: new tokens, a failure, a use. Times are seconds of the day. */
export class ConnectionRows {
  readonly #population: Population;
  readonly #rules: RefreshRules;
  readonly #random: () => number;

  constructor(population: Population, rules: RefreshRules, random: () => number) {
    this.#population = population;
    this.#rules = rules;
    this.#random = random;
  }

  refreshAt(connection: number): number {
    return this.#population.state[connection * FIELDS + REFRESH_AT] ?? 0;
  }

  expiresAt(connection: number): number {
    return this.#population.state[connection * FIELDS + EXPIRES_AT] ?? 0;
  }

  /** Whether the gateway promises to keep it fresh. */
  isInUse(connection: number, at: number): boolean {
    return at - (this.#population.state[connection * FIELDS + LAST_USED] ?? 0) < this.#rules.activeWindowSec;
  }

  /** A token call brought new tokens. @param usedAt when it served a call */
  storeTokens(connection: number, at: number, usedAt: number | undefined): void {
    const { state } = this.#population;
    const row = connection * FIELDS;
    const index = this.#classOf(row);
    if (usedAt !== undefined) state[row + LAST_USED] = usedAt;
    const waitSec = this.isInUse(connection, at) ? this.#rules.periodSec[index] : this.#rules.keepAliveSec[index];
    state[row + EXPIRES_AT] = at + TOKEN_SEC;
    state[row + PACKED] = (state[row + PACKED] ?? 0) % ONE_FAILURE;
    this.#dueAt(connection, at + (waitSec ?? 0));
  }

  /** A token call failed: the connection backs off by the gateway's own rule. */
  fail(connection: number, at: number): void {
    const { state } = this.#population;
    const row = connection * FIELDS;
    const packed = state[row + PACKED] ?? 0;
    const failures = Math.floor(packed / ONE_FAILURE);
    // Far beyond the longest wait; more would not fit.
    if (failures < 100) state[row + PACKED] = packed + ONE_FAILURE;
    this.#dueAt(
      connection,
      at + refreshBackoffSec(failures, undefined, this.#random(), TOKEN_ENDPOINT_BACKOFF_MAX_SEC),
    );
  }

  /** A call used a token that works. @returns whether the token is about to end and is to be refreshed alongside the call */
  noteUse(connection: number, at: number): boolean {
    const { state } = this.#population;
    const row = connection * FIELDS;
    const index = this.#classOf(row);
    const leftSec = this.expiresAt(connection) - at;
    state[row + LAST_USED] = at;
    if (leftSec <= (this.#rules.endingSec[index] ?? 0)) return true;
    const next = at + (this.#rules.aheadSec[index * (TOKEN_SEC + 1) + leftSec] ?? 0);
    // Use brings work forward and never puts it off.
    if (next < this.refreshAt(connection)) this.#dueAt(connection, next);
    return false;
  }

  #classOf(row: number): number {
    return (this.#population.state[row + PACKED] ?? 0) & 0xffff;
  }

  #dueAt(connection: number, at: number): void {
    const { state, due } = this.#population;
    const minute = Math.floor(at / 60);
    const before = Math.floor(this.refreshAt(connection) / 60);
    state[connection * FIELDS + REFRESH_AT] = at;
    // The minute whose list it is in already.
    if (minute !== before) due.add(minute, connection);
  }
}
