import { decodeProtectedHeader, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Upstream } from '../../gateway/core/http-message.ts';
import { ISSUER_KEYS_COOL_DOWN_MS, ISSUER_KEYS_MAX_AGE_MS } from '../../gateway/core/limits.ts';
import type { Clock } from '../../gateway/core/ports.ts';
import { fetchDocument } from '../../gateway/platform/egress/fetch-document.ts';
import { issuerKeys, KeysUnavailableError } from '../../gateway/platform/oidc/issuer-keys.ts';
import type { TokenJudgement } from './agent-tokens.ts';

/** Seconds by which two clocks may differ. */
const CLOCK_TOLERANCE_SEC = 30;

/** All header members of a token that are allowed; keys that a token contains or links to are ignored (RFC 8725 section 3.10). */
const HEADER_MEMBERS: ReadonlySet<string> = new Set(['alg', 'kid', 'typ', 'x5t', 'x5t#S256']);

/** The allowed issuer, audiences and the claim that names the end user. */
export interface AgentTokenSettings {
  /** As tokens have it, byte for byte. */
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly subjectClaim: string;
}

/**
 * Verifies access tokens of the integrator's own issuer: RS256 or ES256 under a key of its published set, exact issuer, one of the
 * audiences, within their times (RFC 9068 section 4; MC-30). ID tokens are refused, because they only report a sign-in to a client.
 */
export function agentTokenVerifier(
  upstream: Upstream,
  { issuer, audiences, subjectClaim }: AgentTokenSettings,
  clock: Clock,
): { verify(token: string): Promise<TokenJudgement> } {
  const keys = keysOfIssuer(upstream, issuer, clock);
  return {
    async verify(token) {
      try {
        const header = decodeProtectedHeader(token);
        if (Object.keys(header).some((name) => !HEADER_MEMBERS.has(name))) return { kind: 'invalid' };
        const { payload } = await jwtVerify(token, keys, {
          algorithms: ['RS256', 'ES256'],
          issuer,
          audience: [...audiences],
          clockTolerance: CLOCK_TOLERANCE_SEC,
          currentDate: new Date(clock.nowMs()),
          requiredClaims: ['exp'],
        });
        const subject = payload[subjectClaim];
        if (typeof subject !== 'string' || subject === '' || isIdToken(payload)) return { kind: 'invalid' };
        return { kind: 'valid', subject, scopes: scopesOf(payload), expiresAtMs: Number(payload.exp) * 1000 };
      } catch (error) {
        if (error instanceof KeysUnavailableError) return { kind: 'unavailable' };
        if (error instanceof errors.JOSEError || error instanceof TypeError) return { kind: 'invalid' };
        throw error;
      }
    },
  };
}

/** Claims that only ID tokens have (OpenID Connect Core 2 and 3.1.3.6), and Cognito's equivalent. */
function isIdToken({ nonce, at_hash: hash, c_hash: codeHash, token_use: use }: JWTPayload): boolean {
  return [nonce, hash, codeHash].some((claim) => claim !== undefined) || (use !== undefined && use !== 'access');
}

/** `scope` of RFC 9068 section 2.2.3, or `scp` of Entra and Okta. */
function scopesOf({ scope, scp }: JWTPayload): readonly string[] {
  const said = scope ?? scp;
  if (Array.isArray(said)) return said.filter((one) => typeof one === 'string');
  return typeof said === 'string' ? said.split(' ') : [];
}

/** The issuer's keys, at the address in its metadata. */
function keysOfIssuer(upstream: Upstream, issuer: string, clock: Clock): JWTVerifyGetKey {
  let known: { readonly uri: string; readonly keys: JWTVerifyGetKey } | undefined;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let askedAtMs = Number.NEGATIVE_INFINITY;
  return async (...header) => {
    const nowMs = clock.nowMs();
    if (nowMs - readAtMs > ISSUER_KEYS_MAX_AGE_MS && nowMs - askedAtMs > ISSUER_KEYS_COOL_DOWN_MS) {
      askedAtMs = nowMs;
      const uri = await readKeysUri(upstream, issuer);
      if (uri !== undefined) {
        readAtMs = nowMs;
        if (known?.uri !== uri) known = { uri, keys: issuerKeys(upstream, uri, clock) };
      }
    }
    if (known === undefined) throw new KeysUnavailableError(`The metadata of ${issuer} cannot be fetched`);
    return known.keys(...header);
  };
}

/** From OpenID Connect Discovery 4, or RFC 8414 section 3, which puts its path before the issuer's. */
async function readKeysUri(upstream: Upstream, issuer: string): Promise<string | undefined> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const places = [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
  for (const place of places) {
    try {
      const answer = await fetchDocument(upstream, place);
      const document: unknown = answer?.status === 200 ? JSON.parse(answer.text) : undefined;
      if (typeof document !== 'object' || document === null || !('jwks_uri' in document)) continue;
      const named = 'issuer' in document ? document.issuer : undefined;
      if (named === issuer && typeof document.jwks_uri === 'string' && URL.canParse(document.jwks_uri)) {
        return document.jwks_uri;
      }
    } catch {
      // The other place may have it.
    }
  }
  return undefined;
}
