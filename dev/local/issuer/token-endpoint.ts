/** The token and revocation endpoints: a public client with PKCE, no client authentication (RFC 6749, 7636, 7009). */
import type { IssuerClient } from './authorization-request.ts';
import { type IssuerReply, jsonReply, tokenError } from './exchange.ts';
import type { SignIns } from './sign-ins.ts';
import type { SigningKey } from './signing-key.ts';
import { type Grant, issueTokens } from './tokens.ts';

export interface TokenEndpointParts {
  issuer: string;
  client: IssuerClient;
  signIns: SignIns;
  key: SigningKey;
}

/** Answers a token request. @param now epoch seconds */
export function answerTokenRequest(form: URLSearchParams, parts: TokenEndpointParts, now: number): IssuerReply {
  const problem = formProblem(form, parts.client);
  if (problem !== undefined) return problem;
  switch (form.get('grant_type')) {
    case 'authorization_code': {
      const { signIns } = parts;
      const grant = signIns.redeemCode(
        form.get('code') ?? '',
        form.get('redirect_uri') ?? '',
        form.get('code_verifier') ?? '',
        now,
      );
      if (grant === undefined) {
        return tokenError(
          'invalid_grant',
          'The code is unknown, already used or expired, or its verifier does not match.',
        );
      }
      return tokens(parts, grant, signIns.issueRefreshToken(grant), now);
    }
    case 'refresh_token': {
      const rotated = parts.signIns.rotate(form.get('refresh_token') ?? '', now);
      if (rotated === undefined)
        return tokenError('invalid_grant', 'The refresh token is unknown, already used or expired.');
      return tokens(parts, { ...rotated.grant, nonce: undefined }, rotated.next, now);
    }
    default:
      return tokenError('unsupported_grant_type', 'Send grant_type authorization_code or refresh_token.');
  }
}

/** Answers a revocation request. */
export function answerRevocation(form: URLSearchParams, parts: TokenEndpointParts): IssuerReply {
  const problem = formProblem(form, parts.client);
  if (problem !== undefined) return problem;
  parts.signIns.revoke(form.get('token') ?? '');
  return jsonReply(200, {});
}

function formProblem(form: URLSearchParams, client: IssuerClient): IssuerReply | undefined {
  const repeated = [...new Set(form.keys())].filter((name) => form.getAll(name).length > 1);
  if (repeated.length > 0) return tokenError('invalid_request', `Send ${repeated.join(', ')} once.`);
  if (form.get('client_id') !== client.clientId)
    return tokenError('invalid_client', 'The client_id is not known here.');
  return undefined;
}

function tokens(parts: TokenEndpointParts, grant: Grant, refreshToken: string, now: number): IssuerReply {
  const issued = issueTokens(parts.key, parts.issuer, grant, now);
  return jsonReply(200, {
    access_token: issued.accessToken,
    id_token: issued.idToken,
    refresh_token: refreshToken,
    expires_in: issued.expiresInSec,
    token_type: 'Bearer',
  });
}
