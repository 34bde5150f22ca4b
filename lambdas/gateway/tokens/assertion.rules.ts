import { sign } from 'node:crypto';
import type { ServiceAccountKey } from '../integrations/delegation.rules.ts';

/** Assertions live an hour at most (Google, "Using OAuth 2.0 for Server to Server Applications"). */
const ASSERTION_LIFETIME_SEC = 3600;

/** The user and scopes for which a service account requests a token. */
export interface AssertionFacts {
  readonly serviceAccount: string;
  /** The user; undefined: the account itself. */
  readonly subject: string | undefined;
  readonly scopes: readonly string[];
  readonly tokenEndpoint: string;
}

/** Claims of an assertion (RFC 7523 section 3). */
export function assertionClaims(facts: AssertionFacts, nowEpochSec: number): Readonly<Record<string, string | number>> {
  return {
    iss: facts.serviceAccount,
    ...(facts.subject === undefined ? {} : { sub: facts.subject }),
    scope: facts.scopes.join(' '),
    aud: facts.tokenEndpoint,
    iat: nowEpochSec,
    exp: nowEpochSec + ASSERTION_LIFETIME_SEC,
  };
}

/** An assertion signed with a key, RS256 (RFC 7515). @throws Error for a key that cannot sign */
export function signAssertion(
  claims: Readonly<Record<string, unknown>>,
  { id, privateKey }: ServiceAccountKey,
): string {
  const encoded = [{ alg: 'RS256', typ: 'JWT', kid: id }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const text = encoded.join('.');
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64url')}`;
}
