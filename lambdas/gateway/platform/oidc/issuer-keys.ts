import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import type { Upstream } from '../../core/http-message.ts';
import { ISSUER_KEYS_COOL_DOWN_MS, ISSUER_KEYS_MAX_AGE_MS } from '../../core/limits.ts';
import type { Clock } from '../../core/ports.ts';
import { fetchDocument } from '../egress/fetch-document.ts';

/** The issuer's keys are not cached and cannot be fetched now, so the token cannot be judged. */
export class KeysUnavailableError extends Error {
  override readonly name = 'KeysUnavailableError';
}

/**
 * Finds an issuer's public keys by `kid`, cached while they are young. An unknown key or an old cache causes at most one request per
 * cool-down, whatever its outcome; an unavailable issuer changes nothing while the old keys fit (F95).
 */
export function issuerKeys(upstream: Upstream, jwksUri: string, clock: Clock): JWTVerifyGetKey {
  let known: JWTVerifyGetKey | undefined;
  let knownSinceMs = Number.NEGATIVE_INFINITY;
  const ask = oncePerCoolDown(clock, async () => {
    const keys = await fetchKeys(upstream, jwksUri);
    if (keys === undefined) return;
    known = keys;
    knownSinceMs = clock.nowMs();
  });

  return async (header, token) => {
    if (clock.nowMs() - knownSinceMs > ISSUER_KEYS_MAX_AGE_MS) await ask();
    if (known === undefined) throw new KeysUnavailableError(`The keys at ${jwksUri} cannot be fetched`);
    try {
      return await known(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const before = known;
      await ask();
      if (known === before) throw error;
      return known(header, token);
    }
  };
}

/** Asks an issuer at most once per cool-down, whatever the outcome; callers of the time in between share the request in flight. */
export function oncePerCoolDown(clock: Clock, request: () => Promise<void>): () => Promise<void> {
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;
  return () => {
    if (asking !== undefined) return asking;
    if (clock.nowMs() - askedAtMs < ISSUER_KEYS_COOL_DOWN_MS) return Promise.resolve();
    askedAtMs = clock.nowMs();
    asking = request().finally(() => {
      asking = undefined;
    });
    return asking;
  };
}

/** The published key set; undefined without an answer, or for one that is no key set. */
async function fetchKeys(upstream: Upstream, jwksUri: string): Promise<JWTVerifyGetKey | undefined> {
  try {
    const answer = await fetchDocument(upstream, jwksUri);
    return answer?.status === 200 ? createLocalJWKSet(JSON.parse(answer.text)) : undefined;
  } catch {
    return undefined;
  }
}
