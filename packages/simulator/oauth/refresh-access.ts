import type { HandlerEffects } from '../http/exchange.ts';
import { sha256Hex } from '../random.ts';
import type { Simulation } from '../simulation.ts';
import type { ClientRecord, DeathReason, RefreshTokenRecord } from '../state/records.ts';
import { issueRefreshToken, tokenAnswer } from './issue-tokens.ts';
import { DISABLED_CLIENT, invalidGrant, type OAuthRefusal } from './oauth-response.ts';
import { expandScopes, splitScopes } from './scopes.ts';
import { deathOfRefreshToken } from './token-life.ts';

/** How long a replaced refresh token still works when rotation is set to `grace`. */
const ROTATION_GRACE_MS = 60_000;

/** What the token endpoint says about a dead refresh token: few causes show. */
export function describeDeath(death: DeathReason): OAuthRefusal {
  switch (death) {
    case 'admin_policy':
      return {
        status: 400,
        error: 'admin_policy_enforced',
        error_description: 'Access to your account data is restricted by policies within your organization.',
      };
    case 'account_restricted':
      return { status: 400, error: 'access_denied', error_description: 'Account restricted' };
    case 'advanced_protection':
      return {
        status: 400,
        error: 'policy_enforced',
        error_description: 'Access to your account data is restricted by the Advanced Protection Program.',
      };
    case 'account_deleted':
      return invalidGrant('Account has been deleted');
    case 'reauthentication':
      return { ...invalidGrant('reauth related error (rapt_required)'), error_subtype: 'rapt_required' };
    case 'session_length':
      return { ...invalidGrant('reauth related error (invalid_rapt)'), error_subtype: 'invalid_rapt' };
    case 'client_deleted':
      return { status: 401, error: 'deleted_client', error_description: 'The OAuth client was deleted.' };
    case 'client_disabled':
      return DISABLED_CLIENT;
    case 'user_revoked':
    case 'password_change':
    case 'account_disabled':
    case 'testing_7_days':
    case 'six_months':
    case 'time_limit':
    case 'over_100_tokens':
    case 'rotated':
      return invalidGrant('Token has been expired or revoked.');
  }
}

function narrowScopes(token: RefreshTokenRecord, scope: string | null): string[] | undefined {
  if (scope === null) return token.scopes;
  const wanted = expandScopes(splitScopes(scope));
  return wanted.every((entry) => token.scopes.includes(entry)) ? wanted : undefined;
}

function rotate(sim: Simulation, token: RefreshTokenRecord, mode: 'strict' | 'grace'): string {
  const { refreshToken } = issueRefreshToken(sim, token, undefined, token.sha256);
  if (mode === 'strict') token.death = 'rotated';
  else token.expiresAtMs = sim.clock.nowMs() + ROTATION_GRACE_MS;
  return refreshToken;
}

/** `grant_type=refresh_token` (RFC 6749 6): the old refresh token stays valid, none comes back unless rotation is on. */
export async function refreshAccess(
  sim: Simulation,
  client: ClientRecord,
  form: URLSearchParams,
  effects: HandlerEffects,
): Promise<Record<string, unknown> | OAuthRefusal> {
  const presented = form.get('refresh_token');
  if (presented === null) {
    return { status: 400, error: 'invalid_request', error_description: 'Missing required parameter: refresh_token' };
  }
  const token = sim.state.refreshTokens.get(sha256Hex(presented));
  if (token === undefined) return invalidGrant();
  if (token.clientId !== client.clientId) {
    return { status: 401, error: 'unauthorized_client', error_description: 'Unauthorized' };
  }
  const death = deathOfRefreshToken(sim, token);
  if (death !== null) return describeDeath(death);
  const scopes =
    effects.refreshScope === undefined
      ? narrowScopes(token, form.get('scope'))
      : expandScopes(splitScopes(effects.refreshScope));
  if (scopes === undefined) {
    return { status: 400, error: 'invalid_scope', error_description: 'Some requested scopes were invalid.' };
  }
  token.lastUsedAtMs = sim.clock.nowMs();
  sim.state.markChanged();
  const answer = await tokenAnswer(sim, { ...token, scopes }, token.sha256, undefined);
  return effects.rotateRefreshToken === undefined
    ? answer
    : { ...answer, refresh_token: rotate(sim, token, effects.rotateRefreshToken) };
}
