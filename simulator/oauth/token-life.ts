import { DAY_MS } from '../clock.ts';
import { sha256Hex } from '../random.ts';
import type { Simulation } from '../simulation.ts';
import type { AccessTokenRecord, DeathReason, GrantRecord, RefreshTokenRecord } from '../state/records.ts';
import { grantKey, projectOf } from '../state/store.ts';
import { goesBeyondSignIn } from './scopes.ts';

/** External app in Testing: the whole authorization ends this long after consent. */
export const TESTING_LIFETIME_MS = 7 * DAY_MS;

/** A refresh token that is not used this long ends (six months). */
export const UNUSED_LIFETIME_MS = 182 * DAY_MS;

type Life = Pick<Simulation, 'state' | 'clock'>;

interface Authorized {
  clientId: string;
  sub: string;
  scopes: string[];
  consentedAtMs: number;
}

function testingIsOver(life: Life, token: Authorized): boolean {
  const client = life.state.clients.get(token.clientId);
  return (
    client?.publishingStatus === 'testing' &&
    client.audience === 'external' &&
    goesBeyondSignIn(token.scopes) &&
    life.clock.nowMs() >= token.consentedAtMs + TESTING_LIFETIME_MS
  );
}

/** True while an administrator blocks this user for this client. */
export function isAdminBlocked(life: Pick<Simulation, 'state'>, sub: string, clientId: string): boolean {
  return life.state.adminBlocks.some(
    (block) => block.sub === sub && (block.clientId === null || block.clientId === clientId),
  );
}

/** Why a refresh token no longer works at this moment, or `null` while it does. */
export function deathOfRefreshToken(life: Life, token: RefreshTokenRecord): DeathReason | null {
  const nowMs = life.clock.nowMs();
  if (life.state.disabledSubs.has(token.sub)) return 'account_disabled';
  if (token.death !== null) return token.death;
  if (isAdminBlocked(life, token.sub, token.clientId)) return 'admin_policy';
  if (token.expiresAtMs !== null && nowMs >= token.expiresAtMs) return 'time_limit';
  if (testingIsOver(life, token)) return 'testing_7_days';
  return nowMs >= token.lastUsedAtMs + UNUSED_LIFETIME_MS ? 'six_months' : null;
}

/** Deaths that take the access tokens of the same authorization with them; the others leave those to run out. */
const DEATHS_OF_ACCESS: ReadonlySet<DeathReason> = new Set(['user_revoked', 'password_change', 'time_limit']);

/** True while an API call with this access token is authenticated. */
export function isAccessTokenLive(life: Life, token: AccessTokenRecord): boolean {
  if (token.revoked || life.clock.nowMs() >= token.expiresAtMs) return false;
  if (life.state.disabledSubs.has(token.sub) || isAdminBlocked(life, token.sub, token.clientId)) return false;
  if (life.state.clients.get(token.clientId)?.deleted !== false || testingIsOver(life, token)) return false;
  const refreshToken = life.state.refreshTokens.get(token.refreshTokenSha256 ?? '');
  const death = refreshToken === undefined ? null : deathOfRefreshToken(life, refreshToken);
  return death === null || !DEATHS_OF_ACCESS.has(death);
}

/** Looks an access token up by its text; `undefined` when it was never issued or is no longer live. */
export function findLiveAccessToken(life: Life, accessToken: string): AccessTokenRecord | undefined {
  const token = life.state.accessTokens.get(sha256Hex(accessToken));
  return token !== undefined && isAccessTokenLive(life, token) ? token : undefined;
}

/** What the user has granted to the client's Cloud project and is still in force. */
export function findLiveGrant(life: Life, clientId: string, sub: string): GrantRecord | undefined {
  const grant = life.state.grants.get(grantKey(projectOf(clientId), sub));
  if (grant === undefined || testingIsOver(life, { ...grant, clientId })) return undefined;
  return grant;
}
