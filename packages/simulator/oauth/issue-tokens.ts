import { createHash } from 'node:crypto';
import { ACCOUNTS } from '../accounts.ts';
import { randomText, sha256Hex } from '../random.ts';
import type { Simulation } from '../simulation.ts';
import type { AccessTokenRecord, RefreshTokenRecord } from '../state/records.ts';
import { createIdToken } from './id-token.ts';
import { deathOfRefreshToken, isTestingGrant } from './token-life.ts';

/** Seconds an access token lives, as Google reports it. */
export const ACCESS_TOKEN_LIFETIME_SEC = 3599;

/** Live refresh tokens per user and client; one more silently ends the oldest. */
const MAX_REFRESH_TOKENS = 100;

/** Token records kept; beyond that the oldest are forgotten, so a long run does not grow without end. */
const MAX_RECORDS = 50_000;

function forgetOldest(map: Map<string, unknown>): void {
  for (const key of map.keys()) {
    if (map.size <= MAX_RECORDS) return;
    map.delete(key);
  }
}

/** What both grants have to say about the tokens they lead to. */
export interface Authorization {
  clientId: string;
  sub: string;
  scopes: string[];
  consentedAtMs: number;
}

/** Mints an access token that lives `lifetimeSec` seconds. */
export function issueAccessToken(
  sim: Simulation,
  authorization: Authorization,
  refreshTokenSha256: string | null,
  lifetimeSec = ACCESS_TOKEN_LIFETIME_SEC,
): string {
  const accessToken = `ya29.a0A${randomText(120)}`;
  const nowMs = sim.clock.nowMs();
  const record: AccessTokenRecord = {
    sha256: sha256Hex(accessToken),
    clientId: authorization.clientId,
    sub: authorization.sub,
    scopes: authorization.scopes,
    consentedAtMs: authorization.consentedAtMs,
    issuedAtMs: nowMs,
    expiresAtMs: nowMs + lifetimeSec * 1000,
    refreshTokenSha256,
    revoked: false,
  };
  sim.observer?.onIssued({ kind: 'access', token: accessToken, ...record, parentSha256: refreshTokenSha256 });
  sim.state.accessTokens.set(record.sha256, record);
  forgetOldest(sim.state.accessTokens);
  sim.state.markChanged();
  return accessToken;
}

/** "Protect user accounts with Cross-Account Protection": a double hash of the token, using SHA-512. */
function hashOfHash(token: string): string {
  const once = createHash('sha512').update(token).digest();
  return createHash('sha512').update(once).digest('base64');
}

function endOldest(sim: Simulation, clientId: string, sub: string): void {
  const live = [...sim.state.refreshTokens.values()].filter(
    (token) => token.clientId === clientId && token.sub === sub && deathOfRefreshToken(sim, token) === null,
  );
  for (const token of live.slice(0, Math.max(0, live.length - MAX_REFRESH_TOKENS))) token.death = 'over_100_tokens';
}

/** Mints a refresh token; with `expiresInSec` it ends by itself (time-limited access); `replacesSha256` names the one it replaces. */
export function issueRefreshToken(
  sim: Simulation,
  authorization: Authorization,
  expiresInSec: number | undefined,
  replacesSha256: string | null = null,
): { refreshToken: string; sha256: string } {
  const refreshToken = `1//0${randomText(74)}`;
  const nowMs = sim.clock.nowMs();
  const record: RefreshTokenRecord = {
    sha256: sha256Hex(refreshToken),
    clientId: authorization.clientId,
    sub: authorization.sub,
    scopes: authorization.scopes,
    consentedAtMs: authorization.consentedAtMs,
    issuedAtMs: nowMs,
    lastUsedAtMs: nowMs,
    issuedInTesting: isTestingGrant(sim.state, authorization.clientId, authorization.scopes) ? true : undefined,
    expiresAtMs: expiresInSec === undefined ? null : nowMs + expiresInSec * 1000,
    death: null,
  };
  sim.observer?.onIssued({ kind: 'refresh', token: refreshToken, ...record, parentSha256: replacesSha256 });
  sim.state.refreshTokens.set(record.sha256, record);
  sim.state.tokenIdentifiers.set(record.sha256, {
    sha256: record.sha256,
    prefix: refreshToken.slice(0, 16),
    hash_base64_sha512_sha512: hashOfHash(refreshToken),
  });
  forgetOldest(sim.state.tokenIdentifiers);
  endOldest(sim, record.clientId, record.sub);
  forgetOldest(sim.state.refreshTokens);
  sim.state.markChanged();
  return { refreshToken, sha256: record.sha256 };
}

/** The members every token answer has; `id_token` when `openid` is among the scopes. */
export async function tokenAnswer(
  sim: Simulation,
  authorization: Authorization,
  refreshTokenSha256: string | null,
  nonce: string | undefined,
): Promise<Record<string, unknown>> {
  const accessToken = issueAccessToken(sim, authorization, refreshTokenSha256);
  const account = ACCOUNTS.find(({ sub }) => sub === authorization.sub);
  const withIdToken = account !== undefined && authorization.scopes.includes('openid');
  return {
    access_token: accessToken,
    expires_in: ACCESS_TOKEN_LIFETIME_SEC,
    scope: authorization.scopes.join(' '),
    token_type: 'Bearer',
    ...(withIdToken
      ? {
          id_token: await createIdToken(sim, authorization.clientId, account, authorization.scopes, accessToken, nonce),
        }
      : {}),
  };
}
