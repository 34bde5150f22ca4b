import { createHash } from 'node:crypto';
import { displayName, type SimAccount } from '../accounts.ts';
import type { Simulation } from '../simulation.ts';
import { scopeUrl } from './scopes.ts';
import { signClaims } from './signing-key.ts';

/** ID tokens live an hour. */
const ID_TOKEN_LIFETIME_SEC = 3600;

/** Claims about a user that the granted scopes allow; `email` needs `userinfo.email`, names need `userinfo.profile`. */
export function userClaims(account: SimAccount, scopes: readonly string[]): Record<string, unknown> {
  const claims: Record<string, unknown> = { sub: account.sub };
  if (account.hostedDomain !== undefined) claims.hd = account.hostedDomain;
  if (scopes.includes(scopeUrl('userinfo.profile'))) {
    claims.name = displayName(account);
    claims.given_name = account.givenName;
    claims.family_name = account.familyName;
  }
  if (scopes.includes(scopeUrl('userinfo.email'))) {
    claims.email = account.email;
    claims.email_verified = true;
  }
  return claims;
}

function accessTokenHash(accessToken: string): string {
  return createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');
}

/** A signed ID token (OpenID Connect Core 2, 3.1.3.6 for `at_hash`). */
export function createIdToken(
  sim: Simulation,
  clientId: string,
  account: SimAccount,
  scopes: readonly string[],
  accessToken: string,
  nonce: string | undefined,
): Promise<string> {
  const issuedAtSec = Math.floor(sim.clock.nowMs() / 1000);
  return signClaims(sim, {
    iss: sim.endpoints.issuer,
    azp: clientId,
    aud: clientId,
    ...userClaims(account, scopes),
    at_hash: accessTokenHash(accessToken),
    ...(nonce === undefined ? {} : { nonce }),
    iat: issuedAtSec,
    exp: issuedAtSec + ID_TOKEN_LIFETIME_SEC,
  });
}
