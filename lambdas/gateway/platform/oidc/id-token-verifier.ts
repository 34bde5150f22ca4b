import { createRemoteJWKSet, customFetch, jwtVerify } from 'jose';
import type { Upstream } from '../../core/http-message.ts';
import { TOKEN_CALL_TIMEOUT_MS } from '../../core/limits.ts';
import { fetchDocument } from '../egress/fetch-document.ts';

/** Seconds by which two clocks may differ. */
const CLOCK_TOLERANCE_SEC = 60;

/** Claims of a verified ID token; the caller judges their values. */
interface VerifiedClaims {
  readonly subject: unknown;
  readonly email: unknown;
  readonly nonce: unknown;
  readonly hostedDomain: string | undefined;
}

/** Verifies ID tokens against the issuer's published keys, RS256 only (OpenID Connect Core 3.1.3.7; OA-18). */
export function idTokenVerifier(upstream: Upstream) {
  const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>();
  const keySetOf = (jwksUri: string) => {
    const known = keySets.get(jwksUri);
    if (known !== undefined) return known;
    const keySet = createRemoteJWKSet(new URL(jwksUri), {
      timeoutDuration: TOKEN_CALL_TIMEOUT_MS,
      [customFetch]: (url: string) => fetchKeys(upstream, url),
    });
    keySets.set(jwksUri, keySet);
    return keySet;
  };
  return {
    async verify(
      endpoints: { readonly jwksUri: string | undefined },
      idToken: string,
      clientId: string,
      issuers: readonly string[],
    ): Promise<VerifiedClaims | undefined> {
      // Without keys nothing is proven.
      if (endpoints.jwksUri === undefined) return undefined;
      try {
        const { payload } = await jwtVerify(idToken, keySetOf(endpoints.jwksUri), {
          issuer: [...issuers],
          audience: clientId,
          algorithms: ['RS256'],
          clockTolerance: CLOCK_TOLERANCE_SEC,
          requiredClaims: ['sub', 'exp', 'iat'],
        });
        const { sub, email, hd, nonce } = payload;
        return { subject: sub, email, hostedDomain: typeof hd === 'string' ? hd : undefined, nonce };
      } catch (error) {
        if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_J')) return undefined;
        throw error;
      }
    },
  };
}

async function fetchKeys(upstream: Upstream, url: string): Promise<Response> {
  const answer = await fetchDocument(upstream, url);
  return new Response(answer?.text ?? '', { status: answer?.status ?? 502 });
}
