/** A person who signed in to the dashboard. */
export interface Operator {
  /** The issuer's name for them. */
  readonly subject: string;
  /** When they last proved who they are; refreshing a token does not move it. */
  readonly authenticatedAtEpochSec: number;
}

/** Whether a bearer value looks like a signed token: three parts of base64url (RFC 7515 section 3.1). */
export function isCompactJws(bearer: string): boolean {
  return /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*$/.test(bearer);
}
