import type { UnconfirmedGrantStore } from '../gateway/authorization/ports.ts';
import { endUnconfirmed } from '../gateway/connections/end-unconfirmed.ts';
import type { UnconfirmedGrant } from '../gateway/connections/unconfirmed-grant.rules.ts';
import type { ConnectionRef } from '../gateway/core/identifiers.ts';
import { SWEEP_PAGE_SIZE } from '../gateway/core/limits.ts';
import type { IntegrationStore } from '../gateway/integrations/ports.ts';
import { refreshBackoffSec } from '../gateway/tokens/freshness.rules.ts';
import type { EscrowStore, PendingRevocation, RevocationStore } from '../gateway/tokens/ports.ts';
import { nowEpochSec } from '../gateway/tokens/refresh-attempt.ts';
import type { ConnectionRefresher } from '../gateway/tokens/refresher.ts';
import { type RevokeGrantDependencies, revokeGrant } from '../gateway/tokens/revoke-grant.ts';

export interface SideWorkDependencies extends RevokeGrantDependencies {
  readonly integrations: IntegrationStore;
  readonly escrow: EscrowStore;
  readonly revocations: RevocationStore;
  readonly unconfirmed: UnconfirmedGrantStore;
  readonly refresher: ConnectionRefresher;
}

/** A page of a shard's escrowed tokens, adopted or tidied away. Bounded: what is left waits for the next tick. */
export async function sweepEscrow(deps: SideWorkDependencies, shard: number, requestId: string): Promise<number> {
  const refs = await deps.escrow.due(shard, nowEpochSec(deps.clock), SWEEP_PAGE_SIZE);
  for (const ref of refs) {
    try {
      await settleEscrow(deps, ref, requestId);
    } catch (error) {
      deps.metrics.count('SweepItemFailed');
      deps.logger.error('escrowed tokens could not be settled', { requestId }, error);
    }
  }
  return refs.length;
}

/** A page of a shard's grants that are to be ended: revocations, tried once each (TK-8, F69), and what nobody confirmed (CS-15). */
export async function sweepEndings(deps: SideWorkDependencies, shard: number, requestId: string): Promise<number> {
  const due = await deps.revocations.due(shard, nowEpochSec(deps.clock), SWEEP_PAGE_SIZE);
  for (const ending of due) {
    if (ending.kind === 'revocation') await tryRevocation(deps, ending.ref, requestId);
    else await endOverdue(deps, ending.ref, ending.reconnectSession, requestId);
  }
  return due.length;
}

async function tryRevocation(deps: SideWorkDependencies, ref: ConnectionRef, requestId: string): Promise<void> {
  let pending: PendingRevocation | undefined;
  try {
    pending = await deps.revocations.read(ref);
    if (pending === undefined || pending.retryAtEpochSec > nowEpochSec(deps.clock)) return;
    await revokeGrant(deps, pending, requestId);
  } catch (error) {
    deps.metrics.count('SweepItemFailed');
    deps.logger.error('a pending revocation could not be tried', { requestId }, error);
    if (pending === undefined) return;
    const waitSec = refreshBackoffSec(pending.failureCount, undefined, deps.random.number());
    await deps.revocations.postpone(pending, nowEpochSec(deps.clock) + waitSec);
  }
}

/** The index may still show what was confirmed a moment ago; the row tells. */
async function endOverdue(
  deps: SideWorkDependencies,
  ref: ConnectionRef,
  reconnectSession: string | undefined,
  requestId: string,
): Promise<void> {
  let unconfirmed: UnconfirmedGrant | undefined;
  try {
    unconfirmed = await deps.unconfirmed.read(ref, reconnectSession);
    if (unconfirmed === undefined || unconfirmed.confirmUntilEpochSec > nowEpochSec(deps.clock)) return;
    await endUnconfirmed(deps, unconfirmed, 'not_confirmed_in_time', { requestId });
  } catch (error) {
    deps.metrics.count('SweepItemFailed');
    deps.logger.error('an unconfirmed grant could not be ended', { requestId }, error);
    if (unconfirmed === undefined) return;
    const waitSec = refreshBackoffSec(unconfirmed.failureCount, undefined, deps.random.number());
    await deps.unconfirmed.close(unconfirmed, nowEpochSec(deps.clock) + waitSec);
  }
}

async function settleEscrow(deps: SideWorkDependencies, ref: ConnectionRef, requestId: string): Promise<void> {
  const escrowed = await deps.escrow.read(ref);
  if (escrowed === undefined) return;
  const connection = await deps.connections.read(ref);
  if (connection === undefined || connection.status === 'deleted' || connection.tokenEpoch >= escrowed.epoch) {
    return deps.escrow.remove(escrowed);
  }
  const integration = await deps.integrations.get(ref);
  if (integration === undefined) return deps.escrow.remove(escrowed);
  // A refusal of the old token says nothing about the one that replaced it: also a connection marked dead adopts.
  const outcome = await deps.refresher.refresh(connection, integration, {
    wait: false,
    force: false,
    adopt: true,
    requestId,
  });
  if (outcome.kind === 'fresh' || outcome.kind === 'gone') return deps.escrow.remove(escrowed);
  const waitSec = refreshBackoffSec(0, undefined, deps.random.number());
  await deps.escrow.postpone(escrowed, nowEpochSec(deps.clock) + waitSec);
}
