/** Access and ID tokens with the claims of Cognito's, so that one verification serves both. Times in epoch seconds. */
import { createHash, randomUUID } from 'node:crypto';
import type { JsonObject } from '../../tools/json.ts';
import type { LocalOperator } from './operators.ts';
import type { SigningKey } from './signing-key.ts';

/** Access and ID tokens end after this, as in the deployed user pool client. */
const TOKEN_LIFETIME_SEC = 15 * 60;

/** Claims of every token of one sign-in. */
export interface Grant {
  operator: LocalOperator;
  clientId: string;
  scopes: readonly string[];
  /** When the operator last proved who they are; a refresh does not move it. */
  authTimeEpochSec: number;
  /** Ties the tokens of one sign-in together. */
  originId: string;
  nonce: string | undefined;
}

export interface IssuedTokens {
  accessToken: string;
  idToken: string;
  expiresInSec: number;
}

/** Signs the pair of tokens for a grant. */
export function issueTokens(key: SigningKey, issuer: string, grant: Grant, nowEpochSec: number): IssuedTokens {
  const { operator, clientId } = grant;
  const common = {
    sub: operator.subject,
    ...operator.claims,
    ...(operator.groups === undefined ? {} : { 'cognito:groups': [...operator.groups] }),
    iss: issuer,
    origin_jti: grant.originId,
    auth_time: grant.authTimeEpochSec,
    iat: nowEpochSec,
    exp: nowEpochSec + TOKEN_LIFETIME_SEC,
  };
  const accessToken = key.sign({
    ...common,
    version: 2,
    token_use: 'access',
    client_id: clientId,
    scope: grant.scopes.join(' '),
    username: operator.subject,
    jti: randomUUID(),
  });
  const claims: JsonObject = {
    ...common,
    token_use: 'id',
    aud: clientId,
    at_hash: leftHalfOfSha256(accessToken),
    'cognito:username': operator.subject,
    jti: randomUUID(),
  };
  if (grant.scopes.includes('email')) Object.assign(claims, { email: operator.email, email_verified: true });
  if (grant.nonce !== undefined) claims.nonce = grant.nonce;
  return { accessToken, idToken: key.sign(claims), expiresInSec: TOKEN_LIFETIME_SEC };
}

/** `at_hash` (OpenID Connect Core 3.1.3.6). */
function leftHalfOfSha256(token: string): string {
  return createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url');
}
