import type { Connection, TokenSet } from '../connections/connection.rules.ts';
import type { StoredTokens } from '../connections/ports.ts';
import { PLAIN_TOKEN_WRITE_BUDGET_MS, TOKEN_WRITE_RETRY_MS } from '../core/limits.ts';
import { accessTokenContext, refreshTokenContext } from './cipher-contexts.ts';
import { underSameDataKey } from './ciphertext.rules.ts';
import { nextWarningAt } from './forecast.rules.ts';
import { nextRefreshAt } from './freshness.rules.ts';
import { keepForLater, superseded } from './keep-late-tokens.ts';
import { learnedEnd } from './known-end.rules.ts';
import type { EscrowedTokens } from './ports.ts';
import {
  type HeldAttempt,
  type LeaseHolderDependencies,
  nowEpochSec,
  pause,
  type RefreshOutcome,
  refOf,
} from './refresh-attempt.ts';
import { writeTokens } from './write-tokens.ts';

/**
 * Writes new tokens under the lease's epoch. A write that fails is repeated inside the lease; what cannot be written goes
 * to escrow where it would be lost otherwise, and the call in hand is served all the same (F13 to F15).
 */
export async function storeRefreshedTokens(
  deps: LeaseHolderDependencies,
  attempt: HeldAttempt,
  tokens: TokenSet,
): Promise<RefreshOutcome> {
  const rotated = tokens.refreshToken !== undefined && tokens.refreshToken !== attempt.refreshToken;
  const startedMs = deps.clock.nowMs();
  // Without a new refresh token a lost write costs one more refresh, so the caller is not held up for it.
  const untilMs = rotated
    ? attempt.writeUntilMs
    : Math.min(attempt.writeUntilMs, startedMs + PLAIN_TOKEN_WRITE_BUDGET_MS);
  let encrypted: EncryptedTokens | undefined;
  for (let round = 0; ; round++) {
    try {
      encrypted ??= await encryptTokens(deps, attempt, tokens, rotated);
      const stored = storedTokens(deps, attempt, encrypted, tokens);
      const sequence = await writeTokens(deps, attempt, stored);
      if (sequence !== undefined) return fresh(attempt, stored, sequence, tokens.accessToken);
      return await superseded(deps, attempt, tokens.accessToken, escrowOf(deps, attempt, encrypted));
    } catch (error) {
      deps.metrics.count('TokenWriteFailed');
      const pauseMs = TOKEN_WRITE_RETRY_MS * 2 ** Math.min(round, 5) * (0.5 + deps.random.number() / 2);
      if (deps.clock.nowMs() + pauseMs < untilMs) {
        await (deps.pause ?? pause)(pauseMs);
        continue;
      }
      deps.logger.error('new tokens could not be stored', { requestId: attempt.requestId }, error);
      if (rotated)
        await keepForLater(deps, attempt, encrypted === undefined ? undefined : escrowOf(deps, attempt, encrypted));
      // The lease stays: it ends by time, and the open attempt says that its token may be spent.
      return { kind: 'fresh', connection: attempt.connection, accessToken: tokens.accessToken };
    }
  }
}

/** Puts escrowed tokens where they belong, under a lease of its own (step 5 of the protocol). */
export async function adoptEscrow(
  deps: LeaseHolderDependencies,
  attempt: HeldAttempt,
  escrowed: EscrowedTokens,
): Promise<RefreshOutcome> {
  const stored = storedTokens(deps, attempt, { ...escrowed, rotated: true }, escrowed);
  deps.metrics.count('EscrowAdopted');
  const sequence = await writeTokens(deps, attempt, stored);
  if (sequence !== undefined) return fresh(attempt, stored, sequence, undefined);
  return superseded(deps, attempt, undefined, undefined);
}

/** Escrowed tokens that are newer than the row's, if there are any. */
export async function newerEscrow(
  deps: LeaseHolderDependencies,
  connection: Connection,
): Promise<EscrowedTokens | undefined> {
  const escrowed = await deps.escrow.read(refOf(connection));
  return escrowed !== undefined && escrowed.epoch > connection.tokenEpoch ? escrowed : undefined;
}

interface EncryptedTokens {
  readonly encryptedAccessToken: string;
  /** Set when the provider replaced the token, or when the stored one is still under an older data key (CR-5). */
  readonly encryptedRefreshToken: string | undefined;
  /** The provider replaced the refresh token: losing this one would lose the grant. */
  readonly rotated: boolean;
  readonly accessTokenExpiresAtEpochSec: number;
  readonly grantedScopes: readonly string[];
}

async function encryptTokens(
  { cipher }: LeaseHolderDependencies,
  { connection, refreshToken }: HeldAttempt,
  tokens: TokenSet,
  rotated: boolean,
): Promise<EncryptedTokens> {
  const encryptedAccessToken = await cipher.encrypt(accessTokenContext(connection), tokens.accessToken);
  const stored = connection.encryptedRefreshToken;
  const outdated = stored !== undefined && !underSameDataKey(stored, encryptedAccessToken);
  const kept = rotated ? tokens.refreshToken : refreshToken;
  return {
    encryptedAccessToken,
    encryptedRefreshToken:
      (rotated || outdated) && kept !== undefined
        ? await cipher.encrypt(refreshTokenContext(connection), kept)
        : undefined,
    rotated,
    accessTokenExpiresAtEpochSec: tokens.accessTokenExpiresAtEpochSec,
    grantedScopes: tokens.grantedScopes ?? connection.grantedScopes,
  };
}

/** Both kinds of due time meet here: the next refresh, and the next warning of a known end. */
function storedTokens(
  { clock, refreshPolicy }: LeaseHolderDependencies,
  { connection, integration, usedAtEpochSec }: HeldAttempt,
  encrypted: EncryptedTokens,
  tokens: Pick<TokenSet, 'accessTokenExpiresAtEpochSec'> & Partial<Pick<TokenSet, 'refreshTokenExpiresAtEpochSec'>>,
): StoredTokens {
  const now = nowEpochSec(clock);
  const lastUsed = usedAtEpochSec ?? connection.lastUsedAtEpochSec;
  const refreshAt = nextRefreshAt(connection, tokens.accessTokenExpiresAtEpochSec, lastUsed, now, refreshPolicy);
  const grantEnds = learnedEnd(connection, tokens.refreshTokenExpiresAtEpochSec, now);
  const refreshTokenExpiresAtEpochSec = grantEnds ?? connection.refreshTokenExpiresAtEpochSec;
  const renewed = { ...connection, refreshTokenExpiresAtEpochSec, lastRefreshedAtEpochSec: now };
  const warningAt = nextWarningAt({ ...renewed, status: 'active' }, integration, now);
  return {
    encryptedAccessToken: encrypted.encryptedAccessToken,
    encryptedRefreshToken: encrypted.encryptedRefreshToken,
    accessTokenExpiresAtEpochSec: encrypted.accessTokenExpiresAtEpochSec,
    grantedScopes: encrypted.grantedScopes,
    refreshAtEpochSec: warningAt === undefined ? refreshAt : Math.min(refreshAt, warningAt),
    lastUsedAtEpochSec: usedAtEpochSec,
    ...(grantEnds === undefined ? {} : { refreshTokenExpiresAtEpochSec: grantEnds }),
    nowEpochSec: now,
  };
}

function escrowOf(
  { clock }: LeaseHolderDependencies,
  { connection, lease }: HeldAttempt,
  encrypted: EncryptedTokens,
): EscrowedTokens | undefined {
  const { encryptedRefreshToken } = encrypted;
  if (encryptedRefreshToken === undefined || !encrypted.rotated) return undefined;
  return {
    ref: refOf(connection),
    epoch: lease.epoch,
    encryptedAccessToken: encrypted.encryptedAccessToken,
    encryptedRefreshToken,
    accessTokenExpiresAtEpochSec: encrypted.accessTokenExpiresAtEpochSec,
    grantedScopes: encrypted.grantedScopes,
    createdAtEpochSec: nowEpochSec(clock),
  };
}

function fresh(
  attempt: HeldAttempt,
  stored: StoredTokens,
  sequence: number,
  accessToken: string | undefined,
): RefreshOutcome {
  const { connection, lease } = attempt;
  return {
    kind: 'fresh',
    accessToken,
    connection: {
      ...connection,
      status: 'active',
      death: undefined,
      encryptedAccessToken: stored.encryptedAccessToken,
      encryptedRefreshToken: stored.encryptedRefreshToken ?? connection.encryptedRefreshToken,
      accessTokenExpiresAtEpochSec: stored.accessTokenExpiresAtEpochSec,
      grantedScopes: stored.grantedScopes,
      refreshTokenExpiresAtEpochSec: stored.refreshTokenExpiresAtEpochSec ?? connection.refreshTokenExpiresAtEpochSec,
      epoch: lease.epoch,
      tokenEpoch: lease.epoch,
      refreshLease: undefined,
      attemptHash: undefined,
      lostHash: undefined,
      retryAtEpochSec: undefined,
      failureCount: 0,
      refreshAtEpochSec: stored.refreshAtEpochSec,
      lastRefreshedAtEpochSec: stored.nowEpochSec,
      lastUsedAtEpochSec: stored.lastUsedAtEpochSec ?? connection.lastUsedAtEpochSec,
      sequence,
    },
  };
}
