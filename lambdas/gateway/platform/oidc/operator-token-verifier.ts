import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import { epochSecNow } from '../../core/clock.ts';
import { ISSUER_KEYS_PATH, OPERATOR_CLAIMS } from '../../core/contract.ts';
import type { Upstream } from '../../core/http-message.ts';
import { EMAIL_MAX_LENGTH } from '../../core/limits.ts';
import type { Clock } from '../../core/ports.ts';
import { issuerKeys, KeysUnavailableError } from './issuer-keys.ts';

/** Seconds by which two clocks may differ. */
const CLOCK_TOLERANCE_SEC = 30;

/** All header members of a token that are allowed. Keys that a token contains or links to are ignored (RFC 8725 3.10). */
const HEADER_MEMBERS: ReadonlySet<string> = new Set(['alg', 'kid', 'typ']);

/**
 * Whether a sign-in had more than one factor, by its authentication methods (RFC 8176), or as the deployer states it of a company's
 * sign-in; undefined where the token has neither.
 */
function secondFactorOf(payload: JWTPayload): boolean | undefined {
  if (Array.isArray(payload.amr)) return payload.amr.includes('mfa');
  const stated = payload[OPERATOR_CLAIMS.secondFactor];
  return stated === undefined ? undefined : stated === 'true';
}

/**
 * What the person may do. Where a company's sign-in is attached, the user pool's function sets a claim for everyone; without it nobody may
 * do anything, because the function may have been detached. Elsewhere members of the pool's group `viewer` look, unless they are in
 * `operator`, too.
 *
 * @param poolId begins the name of the group that Cognito puts people of other providers into
 */
function roleIn(payload: JWTPayload, poolId: string, requiresRole: boolean): 'operator' | 'viewer' | 'none' {
  const role = payload[OPERATOR_CLAIMS.role];
  if (role === 'operator' || role === 'viewer') return role;
  const groups: unknown = payload['cognito:groups'] ?? [];
  if (role !== undefined || requiresRole || !Array.isArray(groups)) return 'none';
  if (groups.some((group) => String(group).startsWith(`${poolId}_`))) return 'none';
  return groups.includes('viewer') && !groups.includes('operator') ? 'viewer' : 'operator';
}

/** The judgement of an operator's token. `unavailable`: the issuer's keys cannot be reached. */
type Judgement =
  | {
      readonly kind: 'valid';
      readonly operator: {
        readonly subject: string;
        readonly authenticatedAtEpochSec: number;
        readonly secondFactor: boolean | undefined;
        readonly role: 'operator' | 'viewer' | 'none';
      };
    }
  | { readonly kind: 'invalid' | 'unavailable' };

/**
 * Verifies operators' access tokens: RS256 under a key of the issuer's own set, exact issuer, an access token of exactly
 * this client, within its times (RFC 8725; "Verifying JSON web tokens" of Amazon Cognito; AK-13). Cognito's access tokens
 * name their client in `client_id` and have no `aud`.
 */
export function operatorTokenVerifier(
  upstream: Upstream,
  {
    issuer,
    clientId,
    requiresRole,
  }: { readonly issuer: string; readonly clientId: string; readonly requiresRole: boolean },
  clock: Clock,
): {
  verify(token: string): Promise<Judgement>;
  emailIn(idToken: string, subject: string): Promise<string | undefined>;
} {
  const keys = issuerKeys(upstream, issuer + ISSUER_KEYS_PATH, clock);
  return {
    async emailIn(idToken, subject) {
      try {
        const { payload } = await jwtVerify(idToken, keys, {
          algorithms: ['RS256'],
          issuer,
          audience: clientId,
          subject,
          clockTolerance: CLOCK_TOLERANCE_SEC,
          currentDate: new Date(clock.nowMs()),
          requiredClaims: ['sub', 'exp', 'iat'],
        });
        const { email } = payload;
        const isFit = payload.token_use === 'id' && typeof email === 'string' && email.length <= EMAIL_MAX_LENGTH;
        return isFit ? email : undefined;
      } catch (error) {
        if (error instanceof KeysUnavailableError) return undefined;
        if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
        throw error;
      }
    },

    async verify(token) {
      try {
        const header = decodeProtectedHeader(token);
        if (typeof header.kid !== 'string' || Object.keys(header).some((name) => !HEADER_MEMBERS.has(name))) {
          return { kind: 'invalid' };
        }
        const { payload } = await jwtVerify(token, keys, {
          algorithms: ['RS256'],
          issuer,
          clockTolerance: CLOCK_TOLERANCE_SEC,
          currentDate: new Date(clock.nowMs()),
          requiredClaims: ['sub', 'exp', 'iat', 'auth_time'],
        });
        const { sub, iat, auth_time: authTime } = payload;
        const nowEpochSec = epochSecNow(clock);
        if (payload.token_use !== 'access' || payload.client_id !== clientId) return { kind: 'invalid' };
        if (typeof sub !== 'string' || sub === '' || typeof authTime !== 'number') return { kind: 'invalid' };
        if (typeof iat !== 'number' || iat > nowEpochSec + CLOCK_TOLERANCE_SEC) return { kind: 'invalid' };
        return {
          kind: 'valid',
          operator: {
            subject: sub,
            authenticatedAtEpochSec: authTime,
            secondFactor: secondFactorOf(payload),
            role: roleIn(payload, issuer.slice(issuer.lastIndexOf('/') + 1), requiresRole),
          },
        };
      } catch (error) {
        if (error instanceof KeysUnavailableError) return { kind: 'unavailable' };
        // Malformed tokens raise TypeError, all others a JOSEError.
        if (error instanceof errors.JOSEError || error instanceof TypeError) return { kind: 'invalid' };
        throw error;
      }
    },
  };
}
