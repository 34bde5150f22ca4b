/** What fault switches change inside the handlers; faults of the wire are applied outside them. */
export interface HandlerEffects {
  /** A refresh also returns a new refresh token; `strict` kills the old one at once, `grace` after one more minute. */
  rotateRefreshToken?: 'strict' | 'grace';
  /** A refresh answers with these scopes, separated by spaces, whatever was granted. */
  refreshScope?: string;
  /** The code exchange leaves out the refresh token. */
  omitRefreshToken?: boolean;
  /** The consent ends with this error in place of a code. */
  callbackError?: { error: string; error_description?: string | undefined };
  /** Value of the `iss` callback parameter, or `missing`. */
  iss?: string;
  /** Seconds until a newly issued refresh token ends (time-limited access). */
  refreshTokenExpiresInSec?: number;
}
