import { DAY_MS } from '../clock.ts';
import { sha256Hex } from '../random.ts';
import type { Simulation } from '../simulation.ts';
import type {
  AccessTokenRecord,
  AdminBlockRecord,
  DeathReason,
  GrantRecord,
  RefreshTokenRecord,
} from '../state/records.ts';
import { grantKey, projectOf } from '../state/store.ts';
import { isDelegate, isDelegatedTokenLive } from './delegated-token.ts';
import { goesBeyondSignIn } from './scopes.ts';

/** External app in Testing: the whole authorization ends this long after consent. */
const TESTING_LIFETIME_MS = 7 * DAY_MS;

/** `refresh_token_expires_in` of a grant to an External app in Testing, as many published token answers show it. */
export const TESTING_ANNOUNCED_SEC = TESTING_LIFETIME_MS / 1000 - 1;

/** A refresh token that is not used this long ends (six months). */
const UNUSED_LIFETIME_MS = 182 * DAY_MS;

type Life = Pick<Simulation, 'state' | 'clock'>;

interface Authorized {
  clientId: string;
  sub: string;
  scopes: string[];
  consentedAtMs: number;
}

/** True while the client is of an External app in Testing and the scopes are more than sign-in: what it is granted ends soon. */
export function isTestingGrant(state: Simulation['state'], clientId: string, scopes: string[]): boolean {
  const client = state.clients.get(clientId);
  return client?.publishingStatus === 'testing' && client.audience === 'external' && goesBeyondSignIn(scopes);
}

function testingIsOver(life: Life, token: Authorized, issuedInTesting = false): boolean {
  const applies = issuedInTesting || isTestingGrant(life.state, token.clientId, token.scopes);
  return applies && life.clock.nowMs() >= token.consentedAtMs + TESTING_LIFETIME_MS;
}

/** What blocks this user for this client at the moment, or nothing. */
export function blockOf(
  life: Pick<Simulation, 'state'>,
  sub: string,
  clientId: string,
): NonNullable<AdminBlockRecord['reason']> | undefined {
  const block = life.state.adminBlocks.find(
    (one) => one.sub === sub && (one.clientId === null || one.clientId === clientId),
  );
  return block === undefined ? undefined : (block.reason ?? 'admin_policy');
}

/** Why a refresh token no longer works at this moment, or `null` while it does. */
export function deathOfRefreshToken(life: Life, token: RefreshTokenRecord): DeathReason | null {
  const nowMs = life.clock.nowMs();
  if (life.state.disabledSubs.has(token.sub)) return 'account_disabled';
  if (token.death !== null) return token.death;
  const block = blockOf(life, token.sub, token.clientId);
  if (block !== undefined) return block;
  if (token.expiresAtMs !== null && nowMs >= token.expiresAtMs) return 'time_limit';
  if (testingIsOver(life, token, token.issuedInTesting)) return 'testing_7_days';
  return nowMs >= token.lastUsedAtMs + UNUSED_LIFETIME_MS ? 'six_months' : null;
}

/** Deaths that take the access tokens of the same authorization with them; the others leave those to run out. */
const DEATHS_OF_ACCESS: ReadonlySet<DeathReason> = new Set([
  'user_revoked',
  'password_change',
  'time_limit',
  'testing_7_days',
  'account_deleted',
]);

/** True while an API call with this access token is authenticated. */
export function isAccessTokenLive(life: Life, token: AccessTokenRecord): boolean {
  if (token.revoked || life.clock.nowMs() >= token.expiresAtMs) return false;
  if (life.state.disabledSubs.has(token.sub) || blockOf(life, token.sub, token.clientId) !== undefined) return false;
  if (isDelegate(life.state, token.clientId)) return isDelegatedTokenLive(life.state, token.clientId, token.sub);
  const client = life.state.clients.get(token.clientId);
  if (client === undefined || client.deleted || client.disabled === true || testingIsOver(life, token)) return false;
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
