/** Claims of a signature-checked ID token that say who granted access. */
export interface IdTokenClaims {
  readonly subject: string;
  readonly email: string | undefined;
  readonly nonce: string | undefined;
  /** Workspace domain of the account (`hd`); consumer accounts have none. */
  readonly hostedDomain: string | undefined;
}

/**
 * Whether an account is in the Workspace domain that was asked for; `*` asks for any ("OpenID Connect", developers.google.com:
 * the request parameter `hd` only arranges the account chooser, the claim counts).
 *
 * @param claimed claim `hd` of the ID token
 * @param wanted a domain in any case
 */
export function isInDomain(claimed: string | undefined, wanted: string): boolean {
  if (claimed === undefined || claimed === '') return false;
  return wanted === '*' || claimed.toLowerCase() === wanted.toLowerCase();
}

/** Identity of the account behind a grant, or why the ID token does not prove it (OA-18). */
export type IdentityJudgement =
  | { readonly kind: 'identified'; readonly subject: string; readonly email: string | null }
  | { readonly kind: 'refused'; readonly reason: string };

/** Binds the ID token to this flow by its nonce (OpenID Connect Core 3.1.3.7). */
export function judgeIdentity(claims: IdTokenClaims, expectedNonce: string): IdentityJudgement {
  if (claims.nonce !== expectedNonce) return { kind: 'refused', reason: 'nonce' };
  if (claims.subject === '' || claims.subject.length > 255) return { kind: 'refused', reason: 'sub' };
  return { kind: 'identified', subject: claims.subject, email: claims.email ?? null };
}
