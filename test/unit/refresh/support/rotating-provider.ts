import type { TokenCallResult } from '../../../../lambdas/gateway/tokens/ports.ts';

/** How the provider treats refresh tokens: keeps them, or replaces them with or without leaving the old one alive. */
export type Rotation = 'none' | 'strict' | 'grace';

/** A token endpoint that remembers what it issued. */
export class RotatingProvider {
  readonly rotation: Rotation;
  /** What its answers say was granted; undefined: they say nothing. */
  readonly scope: string | undefined;
  readonly #live = new Set<string>();
  latest: string;
  calls = 0;
  #issued = 0;

  constructor(rotation: Rotation, first: string, scope?: string) {
    this.rotation = rotation;
    this.scope = scope;
    this.latest = first;
    this.#live.add(first);
  }

  /** A consent: a new refresh token alongside those that live. */
  consent(): string {
    this.latest = `consent-${++this.#issued}`;
    this.#live.add(this.latest);
    return this.latest;
  }

  refresh(refreshToken: string): TokenCallResult {
    this.calls++;
    if (!this.#live.has(refreshToken)) {
      return answered(400, { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' });
    }
    const tokens = {
      access_token: `access-${++this.#issued}`,
      token_type: 'Bearer',
      expires_in: 3599,
      scope: this.scope,
    };
    if (this.rotation === 'none') return answered(200, tokens);
    if (this.rotation === 'strict') this.#live.delete(refreshToken);
    const next = `refresh-${this.#issued}`;
    this.#live.add(next);
    // The chain of an older consent may rotate too; what counts is the chain of the latest one.
    if (refreshToken === this.latest || this.#descends(refreshToken)) this.latest = next;
    this.#parents.set(next, refreshToken);
    return answered(200, { ...tokens, refresh_token: next });
  }

  /** All that its next answers depend on. */
  state(): unknown {
    return [this.latest, this.calls, this.#issued, [...this.#live], [...this.#parents]];
  }

  isLive(refreshToken: string): boolean {
    return this.#live.has(refreshToken);
  }

  readonly #parents = new Map<string, string>();

  /** True for a token of the same chain as the latest one. */
  #descends(refreshToken: string): boolean {
    for (let one: string | undefined = this.latest; one !== undefined; one = this.#parents.get(one)) {
      if (one === refreshToken) return true;
    }
    return false;
  }
}

function answered(status: number, body: Record<string, unknown>): TokenCallResult {
  return { kind: 'answered', response: { status, body: JSON.stringify(body), retryAfter: undefined } };
}
