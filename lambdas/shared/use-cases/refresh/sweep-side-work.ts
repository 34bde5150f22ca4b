import type { ConnectionRef } from '../../domain/identifiers.ts';
import { SWEEP_PAGE_SIZE } from '../../domain/limits.ts';
import { refreshBackoffSec } from '../../domain/token-freshness.ts';
import type { EscrowStore, IntegrationStore, PendingRevocation, RevocationStore } from '../../ports.ts';
import { type RevokeGrantDependencies, revokeGrant } from '../connections/revoke-grant.ts';
import { nowEpochSec } from './refresh-attempt.ts';
import type { ConnectionRefresher } from './refresh-connection.ts';

export interface SideWorkDependencies extends RevokeGrantDependencies {
  readonly integrations: IntegrationStore;
  readonly escrow: EscrowStore;
  readonly revocations: RevocationStore;
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

/** A page of a shard's pending revocations, tried once each (TK-8, F69). */
export async function sweepRevocations(deps: SideWorkDependencies, shard: number, requestId: string): Promise<number> {
  const refs = await deps.revocations.due(shard, nowEpochSec(deps.clock), SWEEP_PAGE_SIZE);
  for (const ref of refs) {
    let pending: PendingRevocation | undefined;
    try {
      pending = await deps.revocations.read(ref);
      if (pending === undefined || pending.retryAtEpochSec > nowEpochSec(deps.clock)) continue;
      await revokeGrant(deps, pending, requestId);
    } catch (error) {
      deps.metrics.count('SweepItemFailed');
      deps.logger.error('a pending revocation could not be tried', { requestId }, error);
      if (pending === undefined) continue;
      const waitSec = refreshBackoffSec(pending.failureCount, undefined, deps.random.number());
      await deps.revocations.postpone(pending, nowEpochSec(deps.clock) + waitSec);
    }
  }
  return refs.length;
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
