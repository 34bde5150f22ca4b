import { REFRESH_BACKOFF_BASE_SEC } from '../core/limits.ts';
import type { EscrowedTokens } from './ports.ts';
import {
  type HeldAttempt,
  type LeaseHolderDependencies,
  nowEpochSec,
  type RefreshOutcome,
  refOf,
} from './refresh-attempt.ts';

/**
 * The token write was refused: somebody with a later epoch owns the row (step 8 of the protocol). Nothing is written over
 * it; a rotated refresh token is kept in escrow; what we got may still serve the call in hand, unless the connection is
 * deleted.
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
  // A repeat after a lost reply: the row already carries this lease's epoch as its token epoch.
  if (current?.status === 'active' && current.tokenEpoch === attempt.lease.epoch) {
    return { kind: 'fresh', connection: current, accessToken };
  }
  deps.metrics.count('RefreshSuperseded');
  if (current === undefined || current.status === 'deleted') {
    if (rotated !== undefined && current?.revocationRequested === true) await revokeToo(deps, attempt, rotated);
    return { kind: 'gone' };
  }
  // A re-authorization has set the token epoch to its own: what this attempt got is outdated.
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

/** The row cannot be written in time: the rotated token goes to escrow, and where that fails too an alarm says so. */
export async function keepForLater(
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
  const now = nowEpochSec(deps.clock);
  await deps.revocations.put({
    ref: refOf(connection),
    encryptedRefreshToken: rotated.encryptedRefreshToken,
    clientId: connection.clientId,
    subject: connection.providerAccount?.subject,
    endUserId: connection.endUser?.id,
    requestedAtEpochSec: now,
    retryAtEpochSec: now + REFRESH_BACKOFF_BASE_SEC,
    failureCount: 0,
  });
}
