import type { Connection, StoredTokens, TokenSet } from '../connections/connection.rules.ts';
import { withTokens } from '../connections/connection-write.rules.ts';
import { healthWord, learnedEnd, nextLookAt } from '../connections/health.rules.ts';
import { epochSecNow } from '../core/clock.ts';
import { keptPrints } from '../core/identifiers.ts';
import { PLAIN_TOKEN_WRITE_BUDGET_MS, REFRESH_BACKOFF_BASE_SEC, TOKEN_WRITE_RETRY_MS } from '../core/limits.ts';
import { type EventFacts, type LifecycleEvent, newEvent } from '../events/lifecycle-event.rules.ts';
import { scopeChange } from '../providers/scopes.rules.ts';
import { accessTokenContext, refreshTokenContext, underSameDataKey } from './ciphertexts.rules.ts';
import { nextRefreshAt } from './freshness.rules.ts';
import { type HeldAttempt, type LeaseHolderDependencies, pause, type RefreshOutcome, refOf } from './lease.ts';
import type { EscrowedTokens } from './ports.ts';

/** Few events interfere: a warning, a change of tags. */
const ROUNDS = 5;

/**
 * Writes new tokens under the lease's epoch, and in the same transaction the events of other changes: a connection
 * marked dead is active again, or the granted scopes have changed (LG-5). A plain refresh writes no event.
 *
 * @returns number of the connection's last event; undefined when another lease owns the row, or this one has written already
 * @throws Error when the table does not accept the write, or other events keep interfering
 */
async function writeTokens(
  deps: LeaseHolderDependencies,
  attempt: HeldAttempt,
  stored: StoredTokens,
): Promise<number | undefined> {
  const { lease } = attempt;
  let row = attempt.connection;
  for (let round = 0; round < ROUNDS; round++) {
    const events = eventsOf(deps, attempt, row, stored);
    const isStored = await deps.connections.storeTokens(row, lease, stored, events);
    if (events.length === 0) return isStored ? row.sequence : undefined;
    if (isStored) {
      if (row.death !== undefined) deps.metrics.count('ConnectionStatusChanged', { status: 'active' });
      return row.sequence + events.length;
    }
    const current = await deps.connections.read(row);
    const isOurs = current?.epoch === lease.epoch && current.tokenEpoch !== lease.epoch;
    if (!isOurs || current.status !== row.status) return undefined;
    // Only the event number was in conflict: another event was written while the lease was held.
    row = current;
  }
  throw new Error('Other events of the connection kept coming between');
}

/** In order: the connection is active again, its tokens are renewed again, its scopes have changed. */
function eventsOf(
  { clock, random }: LeaseHolderDependencies,
  { integration, lease, requestId }: HeldAttempt,
  row: Connection,
  stored: StoredTokens,
): LifecycleEvent[] {
  const events: LifecycleEvent[] = [];
  // The provider has just accepted the client, so a recorded fault of it is over.
  const health = healthWord(
    withTokens(row, lease, stored),
    { ...integration, clientFault: undefined },
    epochSecNow(clock),
  );
  const add = (type: LifecycleEvent['eventType'], about: Pick<EventFacts, 'cause' | 'says'>): void => {
    const sequence = row.sequence + events.length + 1;
    const facts = { subject: refOf(row), sequence, endUserId: row.endUser?.id, ...about, health, requestId };
    events.push(newEvent(clock, random, type, facts));
  };
  if (row.death !== undefined) add('ConnectionRecovered', { cause: row.death.cause });
  const refusal = row.refreshRefusal;
  if (row.death === undefined && refusal?.toldAtEpochSec !== undefined) {
    add('ConnectionRefreshRecovered', { says: { provider_error: refusal.error } });
  }
  const change = scopeChange(row.grantedScopes, stored.grantedScopes);
  if (change !== undefined) add('ConnectionScopesChanged', { says: { reason: change } });
  return events;
}

/**
 * The token write was refused: a later epoch owns the row (steps 4 and 5 of the protocol). Its tokens are not overwritten; a rotated
 * refresh token goes to escrow; the received access token may still serve the current call, unless the connection is deleted.
 *
 * @param accessToken in clear, from this attempt
 * @param rotated the tokens for escrow, when the provider replaced the refresh token
 */
export async function superseded(
  deps: LeaseHolderDependencies,
  attempt: HeldAttempt,
  accessToken: string | undefined,
  rotated: EscrowedTokens | undefined,
): Promise<RefreshOutcome> {
  const current = await deps.connections.read(attempt.connection);
  // A retry after a lost reply: the row already has this lease's epoch as its token epoch.
  if (current?.status === 'active' && current.tokenEpoch === attempt.lease.epoch) {
    return { kind: 'fresh', connection: current, accessToken };
  }
  deps.metrics.count('RefreshSuperseded');
  if (current === undefined || current.status === 'deleted') {
    if (rotated !== undefined && current?.revocationRequested === true) await revokeToo(deps, attempt, rotated);
    return { kind: 'gone' };
  }
  // A re-authorization has set the token epoch to its own: this attempt's tokens are outdated.
  if (rotated !== undefined && rotated.epoch > current.tokenEpoch) await deps.escrow.put(rotated);
  if (current.tokenEpoch > attempt.connection.tokenEpoch && current.status === 'active') {
    return { kind: 'fresh', connection: current, accessToken: undefined };
  }
  if (accessToken !== undefined) {
    return { kind: 'fresh', connection: attempt.connection, accessToken };
  }
  if (current.death !== undefined) return { kind: 'dead', connection: current, death: current.death };
  return { kind: 'busy', connection: current };
}

/** The row cannot be written in time: the rotated token goes to escrow, and if that fails, too, an alarm reports it. */
async function keepForLater(
  deps: LeaseHolderDependencies,
  attempt: HeldAttempt,
  rotated: EscrowedTokens | undefined,
): Promise<void> {
  try {
    if (rotated === undefined) throw new Error('The new tokens could not be encrypted');
    await deps.escrow.put(rotated);
    deps.metrics.count('TokensEscrowed');
  } catch (error) {
    deps.metrics.count('RotatedTokenLost');
    deps.logger.error('a rotated refresh token could not be kept', { requestId: attempt.requestId }, error);
  }
}

/** A token that arrived after the deletion belongs to the same grant that was to be revoked (TK-8, F22). */
async function revokeToo(deps: LeaseHolderDependencies, attempt: HeldAttempt, rotated: EscrowedTokens): Promise<void> {
  const { connection } = attempt;
  const now = epochSecNow(deps.clock);
  await deps.revocations.put({
    ref: refOf(connection),
    provider: connection.provider,
    encryptedRefreshToken: rotated.encryptedRefreshToken,
    clientId: connection.clientId,
    subject: connection.providerAccount?.subject,
    endUserId: connection.endUser?.id,
    requestedAtEpochSec: now,
    retryAtEpochSec: now + REFRESH_BACKOFF_BASE_SEC,
    failureCount: 0,
  });
}

/**
 * Writes new tokens under the lease's epoch (step 4 of the protocol). A failed write is retried within the lease; tokens that would be
 * lost go to escrow, and the current call is served anyway (F13 to F15).
 */
export async function storeRefreshedTokens(
  deps: LeaseHolderDependencies,
  attempt: HeldAttempt,
  tokens: TokenSet,
): Promise<RefreshOutcome> {
  const rotated = tokens.refreshToken !== undefined && tokens.refreshToken !== attempt.refreshToken;
  const startedMs = deps.clock.nowMs();
  // Without a new refresh token a lost write only costs one more refresh, so the caller does not wait for it.
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
      // The lease stays until it ends by time, and the open attempt shows that its token may be used up.
      return { kind: 'fresh', connection: attempt.connection, accessToken: tokens.accessToken };
    }
  }
}

/** Moves escrowed tokens to their row, under a lease of its own (step 2 of the protocol). */
export async function adoptEscrow(
  deps: LeaseHolderDependencies,
  attempt: HeldAttempt,
  escrowed: EscrowedTokens,
): Promise<RefreshOutcome> {
  const stored = storedTokens(deps, attempt, escrowed, escrowed);
  deps.metrics.count('EscrowAdopted');
  const sequence = await writeTokens(deps, attempt, stored);
  if (sequence !== undefined) return fresh(attempt, stored, sequence, undefined);
  return superseded(deps, attempt, undefined, undefined);
}

/** Escrowed tokens that are newer than the row's, if any. */
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
  /** Index keys of the refresh token that is stored now. */
  readonly tokenPrints?: string | undefined;
  /** The provider replaced the refresh token: losing this one would lose the grant. */
  readonly rotated: boolean;
  readonly accessTokenExpiresAtEpochSec: number;
  readonly grantedScopes: readonly string[];
}

async function encryptTokens(
  { cipher, endpointsOf }: LeaseHolderDependencies,
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
    // A connection without a person has its user where others have a refresh token.
    tokenPrints:
      connection.delegated === true
        ? undefined
        : keptPrints(kept, endpointsOf(connection.provider).server.grants.endsAreStated),
    rotated,
    accessTokenExpiresAtEpochSec: tokens.accessTokenExpiresAtEpochSec,
    grantedScopes: tokens.grantedScopes ?? connection.grantedScopes,
  };
}

/** The connection is due at its next refresh, or earlier at the next warning or the end of its grant. */
function storedTokens(
  { clock, refreshPolicy }: LeaseHolderDependencies,
  { connection, integration, usedAtEpochSec }: HeldAttempt,
  encrypted: Omit<EncryptedTokens, 'rotated'>,
  tokens: Pick<TokenSet, 'accessTokenExpiresAtEpochSec'> & Partial<Pick<TokenSet, 'refreshTokenExpiresAtEpochSec'>>,
): StoredTokens {
  const now = epochSecNow(clock);
  const lastUsed = usedAtEpochSec ?? connection.lastUsedAtEpochSec;
  const refreshAt = nextRefreshAt(connection, tokens.accessTokenExpiresAtEpochSec, lastUsed, now, refreshPolicy);
  const grantEnds = learnedEnd(connection, tokens.refreshTokenExpiresAtEpochSec, now);
  const refreshTokenExpiresAtEpochSec = grantEnds ?? connection.refreshTokenExpiresAtEpochSec;
  const renewed = { ...connection, refreshTokenExpiresAtEpochSec, lastRefreshedAtEpochSec: now };
  const lookAt = nextLookAt({ ...renewed, status: 'active' }, integration, now);
  return {
    encryptedAccessToken: encrypted.encryptedAccessToken,
    encryptedRefreshToken: encrypted.encryptedRefreshToken,
    tokenPrints: encrypted.tokenPrints,
    accessTokenExpiresAtEpochSec: encrypted.accessTokenExpiresAtEpochSec,
    grantedScopes: encrypted.grantedScopes,
    // Tokens of a connection without a person are requested when a call needs them (SA-25).
    refreshAtEpochSec: connection.delegated === true ? undefined : Math.min(refreshAt, lookAt ?? refreshAt),
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
    tokenPrints: encrypted.tokenPrints,
    accessTokenExpiresAtEpochSec: encrypted.accessTokenExpiresAtEpochSec,
    grantedScopes: encrypted.grantedScopes,
    createdAtEpochSec: epochSecNow(clock),
  };
}

function fresh(
  attempt: HeldAttempt,
  stored: StoredTokens,
  sequence: number,
  accessToken: string | undefined,
): RefreshOutcome {
  const { connection, lease } = attempt;
  return { kind: 'fresh', accessToken, connection: { ...withTokens(connection, lease, stored), sequence } };
}
