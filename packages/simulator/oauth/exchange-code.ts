import { createHash } from 'node:crypto';
import type { HandlerEffects } from '../http/exchange.ts';
import { sha256Hex } from '../random.ts';
import type { Simulation } from '../simulation.ts';
import { CODE_LIFETIME_MS, type CodeRecord } from '../state/flows.ts';
import type { ClientRecord } from '../state/records.ts';
import { issueRefreshToken, tokenAnswer } from './issue-tokens.ts';
import { invalidGrant, type OAuthRefusal } from './oauth-response.ts';
import { describeDeath } from './refresh-access.ts';
import { expandScopes } from './scopes.ts';
import { blockOf, isTestingGrant, TESTING_ANNOUNCED_SEC } from './token-life.ts';

/** Checks the PKCE verifier against the challenge of the code (RFC 7636 4.6). */
function judgeVerifier(challenge: CodeRecord['codeChallenge'], verifier: string | null): OAuthRefusal | undefined {
  if (challenge === undefined) {
    return verifier === null ? undefined : invalidGrant('code_verifier or verifier is not needed.');
  }
  if (verifier === null) return invalidGrant('Missing code verifier.');
  const derived = challenge.method === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier;
  return derived === challenge.value ? undefined : invalidGrant('Invalid code verifier.');
}

function judgeCode(
  code: CodeRecord | undefined,
  client: ClientRecord,
  form: URLSearchParams,
  nowMs: number,
): OAuthRefusal | undefined {
  if (code === undefined) return invalidGrant('Malformed auth code.');
  // A used code ends nothing else: Google does not revoke the tokens of its first use.
  if (code.used || nowMs >= code.createdAtMs + CODE_LIFETIME_MS) return invalidGrant();
  if (code.clientId !== client.clientId) return invalidGrant();
  if (code.redirectUri !== form.get('redirect_uri')) {
    return { status: 400, error: 'redirect_uri_mismatch', error_description: 'Bad Request' };
  }
  return judgeVerifier(code.codeChallenge, form.get('code_verifier'));
}

/** `grant_type=authorization_code` (RFC 6749 4.1.3). A code counts as used once its own client has presented it. */
export async function exchangeCode(
  sim: Simulation,
  client: ClientRecord,
  form: URLSearchParams,
  effects: HandlerEffects,
): Promise<Record<string, unknown> | OAuthRefusal> {
  const presented = form.get('code');
  if (presented === null) {
    return { status: 400, error: 'invalid_request', error_description: 'Missing required parameter: code' };
  }
  const code = sim.flows.codes.get(sha256Hex(presented));
  const refusal = judgeCode(code, client, form, sim.clock.nowMs());
  if (code?.clientId === client.clientId) code.used = true;
  if (code === undefined || refusal !== undefined) return refusal ?? invalidGrant();
  const block = blockOf(sim, code.sub, code.clientId);
  if (block !== undefined) return describeDeath(block);
  if (sim.state.disabledSubs.has(code.sub)) return describeDeath('account_disabled');
  const authorization = { ...code, scopes: expandScopes(code.scopes) };
  if (!code.grantsRefreshToken || effects.omitRefreshToken === true) {
    return tokenAnswer(sim, authorization, null, code.nonce);
  }
  const limitSec = effects.refreshTokenExpiresInSec;
  const { refreshToken, sha256 } = issueRefreshToken(sim, authorization, limitSec);
  const testing = isTestingGrant(sim.state, code.clientId, authorization.scopes);
  const announcedSec = limitSec ?? (testing ? TESTING_ANNOUNCED_SEC : undefined);
  return {
    ...(await tokenAnswer(sim, authorization, sha256, code.nonce)),
    refresh_token: refreshToken,
    ...(announcedSec === undefined ? {} : { refresh_token_expires_in: announcedSec }),
  };
}
