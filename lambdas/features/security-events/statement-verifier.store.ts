import { compactVerify, errors, type JWTVerifyGetKey } from 'jose';
import type { Upstream } from '../../gateway/core/http-message.ts';
import type { Clock } from '../../gateway/core/ports.ts';
import { fetchDocument } from '../../gateway/platform/egress/fetch-document.ts';
import { issuerKeys, KeysUnavailableError, oncePerCoolDown } from '../../gateway/platform/oidc/issuer-keys.ts';
import { RISC_CONFIGURATION_MAX_AGE_MS } from './limits.rules.ts';

/** Path below the issuer's address ("Protect user accounts with Cross-Account Protection"). */
const CONFIGURATION_PATH = '/.well-known/risc-configuration';

/** The judgement of a signed text. `unavailable`: the issuer's configuration or its keys cannot be reached. */
type Judgement =
  | { readonly kind: 'signed'; readonly claims: Readonly<Record<string, unknown>>; readonly issuer: string }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'unavailable' };

/** The issuer's published configuration for statements. */
interface Configuration {
  readonly issuer: string;
  readonly keys: JWTVerifyGetKey;
  readonly readAtMs: number;
}

/**
 * Verifies who signed a security event token: RS256, under a key of the set that the issuer's configuration names. Keys and addresses
 * in the token's own header are ignored. Its times are not checked, because statements describe the past: the standard check of a JWT
 * would refuse one whose `exp` has passed.
 *
 * @param provider where the configuration is found
 */
export function statementVerifier(
  upstream: Upstream,
  provider: { readonly issuer: string },
  clock: Clock,
): { verify(token: string): Promise<Judgement> } {
  let known: (Configuration & { readonly jwksUri: string }) | undefined;
  // Anyone may send texts, so these cause no further request.
  const ask = oncePerCoolDown(clock, async () => {
    const read = await readConfiguration(upstream, provider.issuer);
    if (read === undefined) return;
    const { issuer, jwksUri } = read;
    // The same set keeps its cached keys.
    const keys = known?.jwksUri === jwksUri ? known.keys : issuerKeys(upstream, jwksUri, clock);
    known = { issuer, jwksUri, keys, readAtMs: clock.nowMs() };
  });

  const configuration = async (): Promise<Configuration | undefined> => {
    if (known === undefined || clock.nowMs() - known.readAtMs >= RISC_CONFIGURATION_MAX_AGE_MS) await ask();
    return known;
  };

  return {
    async verify(token) {
      const current = await configuration();
      if (current === undefined) return { kind: 'unavailable' };
      try {
        const { payload } = await compactVerify(token, current.keys, { algorithms: ['RS256'] });
        const claims: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
        if (typeof claims !== 'object' || claims === null || Array.isArray(claims)) return { kind: 'invalid' };
        return { kind: 'signed', claims: Object.fromEntries(Object.entries(claims)), issuer: current.issuer };
      } catch (error) {
        if (error instanceof KeysUnavailableError) return { kind: 'unavailable' };
        // Malformed tokens raise TypeError, all others a JOSEError.
        const isBroken = error instanceof TypeError || error instanceof SyntaxError;
        if (error instanceof errors.JOSEError || isBroken) return { kind: 'invalid' };
        throw error;
      }
    },
  };
}

async function readConfiguration(
  upstream: Upstream,
  issuer: string,
): Promise<{ readonly issuer: string; readonly jwksUri: string } | undefined> {
  try {
    const answer = await fetchDocument(upstream, issuer + CONFIGURATION_PATH);
    if (answer?.status !== 200) return undefined;
    const document: unknown = JSON.parse(answer.text);
    if (typeof document !== 'object' || document === null) return undefined;
    const named = 'issuer' in document ? document.issuer : undefined;
    const jwksUri = 'jwks_uri' in document ? document.jwks_uri : undefined;
    if (typeof named !== 'string' || typeof jwksUri !== 'string' || !URL.canParse(jwksUri)) return undefined;
    return { issuer: named, jwksUri };
  } catch {
    return undefined;
  }
}
