import { ACCOUNTS } from '../accounts.ts';
import { deathOfRefreshToken, isAccessTokenLive } from '../oauth/token-life.ts';
import { object, oneOf, optional, parseJson, text } from '../parse.ts';
import type { Simulation } from '../simulation.ts';
import { requireAccount } from './grants.ts';

function emailOf(sub: string): string {
  return ACCOUNTS.find((account) => account.sub === sub)?.email ?? sub;
}

function countLive(sim: Simulation): { account: string; clientId: string; liveRefreshTokens: number }[] {
  const counts = new Map<string, { account: string; clientId: string; liveRefreshTokens: number }>();
  for (const token of sim.state.refreshTokens.values()) {
    const key = `${token.clientId} ${token.sub}`;
    const entry = counts.get(key) ?? { account: emailOf(token.sub), clientId: token.clientId, liveRefreshTokens: 0 };
    if (deathOfRefreshToken(sim, token) === null) entry.liveRefreshTokens += 1;
    counts.set(key, entry);
  }
  return [...counts.values()];
}

/** Clients, grants and every token ever issued, tokens by SHA-256 only: no answer holds a credential. */
export function describeState(sim: Simulation): unknown {
  const nowMs = sim.clock.nowMs();
  return {
    now: new Date(nowMs).toISOString(),
    clients: [...sim.state.clients.values()].map(({ secretSha256: _secret, ...client }) => client),
    grants: [...sim.state.grants.values()].map(({ sub, ...grant }) => ({ account: emailOf(sub), ...grant })),
    refreshTokenCounts: countLive(sim),
    refreshTokens: [...sim.state.refreshTokens.values()].map(({ sub, ...token }) => {
      const death = deathOfRefreshToken(sim, { sub, ...token });
      return { account: emailOf(sub), ...token, live: death === null, death };
    }),
    accessTokens: [...sim.state.accessTokens.values()].map(({ sub, ...token }) => ({
      account: emailOf(sub),
      ...token,
      live: isAccessTokenLive(sim, { sub, ...token }),
    })),
    disabledAccounts: [...sim.state.disabledSubs].map(emailOf),
    storedUploadBytes: sim.drive.blobs.storedBytes(),
  };
}

const expireBody = object({ account: optional(text), clientId: optional(text), kind: oneOf('access') });

/** Ends the life of access tokens now, as if their hour were over; refresh tokens stay. */
export function expireTokens(sim: Simulation, body: string): unknown {
  const { account, clientId } = parseJson(body, expireBody, 'body');
  const sub = account === undefined ? undefined : requireAccount(account).sub;
  let expired = 0;
  for (const token of sim.state.accessTokens.values()) {
    if ((sub !== undefined && token.sub !== sub) || (clientId !== undefined && token.clientId !== clientId)) continue;
    if (!isAccessTokenLive(sim, token)) continue;
    token.expiresAtMs = sim.clock.nowMs();
    expired += 1;
  }
  sim.state.markChanged();
  return { expired };
}
