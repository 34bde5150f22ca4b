/** The issuer's state while it runs: signed-in browsers, codes in flight, refresh tokens. */
import { randomUUID } from 'node:crypto';
import { randomToken, sameText, sha256Base64Url } from './digest.ts';
import type { LocalOperator } from './operators.ts';
import type { Grant } from './tokens.ts';

/** As in the deployed user pool: managed login remembers a browser for an hour. */
const SESSION_LIFETIME_SEC = 3600;
const CODE_LIFETIME_SEC = 60;
/** Counted from the sign-in, however often the token was exchanged. */
const REFRESH_LIFETIME_SEC = 8 * 3600;
/** A rotated token is taken once more for this long: its answer may have been lost. */
const ROTATION_GRACE_SEC = 10;

/** A browser that is signed in. */
export interface BrowserSession {
  operator: LocalOperator;
  authTimeEpochSec: number;
}

interface PendingCode {
  grant: Grant;
  redirectUri: string;
  codeChallenge: string;
  untilEpochSec: number;
  spent: boolean;
}

interface RefreshToken {
  grant: Grant;
  untilEpochSec: number;
}

/** The memory of one issuer; `now` is the time in epoch seconds. */
export class SignIns {
  readonly #sessions = new Map<string, BrowserSession>();
  readonly #codes = new Map<string, PendingCode>();
  readonly #refreshTokens = new Map<string, RefreshToken>();

  /** Signs a browser in. @returns the value of its cookie */
  openSession(operator: LocalOperator, now: number): string {
    const id = randomToken();
    this.#sessions.set(id, { operator, authTimeEpochSec: now });
    return id;
  }

  session(id: string | undefined, now: number): BrowserSession | undefined {
    const session = id === undefined ? undefined : this.#sessions.get(id);
    return session !== undefined && now < session.authTimeEpochSec + SESSION_LIFETIME_SEC ? session : undefined;
  }

  closeSession(id: string | undefined): void {
    if (id !== undefined) this.#sessions.delete(id);
  }

  /** A code for one exchange, bound to address and challenge. */
  issueCode(grant: Omit<Grant, 'originId'>, redirectUri: string, codeChallenge: string, now: number): string {
    const code = randomToken();
    const untilEpochSec = now + CODE_LIFETIME_SEC;
    this.#codes.set(code, {
      grant: { ...grant, originId: randomUUID() },
      redirectUri,
      codeChallenge,
      untilEpochSec,
      spent: false,
    });
    return code;
  }

  /** The grant of a code, once; a second exchange ends the first one's grant (RFC 6749 section 4.1.2). */
  redeemCode(code: string, redirectUri: string, codeVerifier: string, now: number): Grant | undefined {
    const pending = this.#codes.get(code);
    if (pending === undefined) return undefined;
    if (pending.spent) {
      this.#endGrant(pending.grant.originId);
      return undefined;
    }
    pending.spent = true;
    const proven = sameText(sha256Base64Url(codeVerifier), pending.codeChallenge);
    return proven && redirectUri === pending.redirectUri && now < pending.untilEpochSec ? pending.grant : undefined;
  }

  issueRefreshToken(grant: Grant): string {
    const token = randomToken();
    this.#refreshTokens.set(token, { grant, untilEpochSec: grant.authTimeEpochSec + REFRESH_LIFETIME_SEC });
    return token;
  }

  /** The grant of a refresh token, and the token that takes its place. */
  rotate(token: string, now: number): { grant: Grant; next: string } | undefined {
    const known = this.#refreshTokens.get(token);
    if (known === undefined || now >= known.untilEpochSec) return undefined;
    known.untilEpochSec = Math.min(known.untilEpochSec, now + ROTATION_GRACE_SEC);
    return { grant: known.grant, next: this.issueRefreshToken(known.grant) };
  }

  /** Ends every token of the sign-in a refresh token came from; an unknown one changes nothing (RFC 7009). */
  revoke(token: string): void {
    const known = this.#refreshTokens.get(token);
    if (known !== undefined) this.#endGrant(known.grant.originId);
  }

  #endGrant(originId: string): void {
    for (const [token, { grant }] of this.#refreshTokens) {
      if (grant.originId === originId) this.#refreshTokens.delete(token);
    }
  }
}
