import type { Connection } from '../../domain/connection.ts';
import { GatewayError } from '../../domain/errors.ts';
import { type ConnectionRef, connectionRefKey } from '../../domain/identifiers.ts';
import type { Integration } from '../../domain/integration.ts';
import { REFRESH_BACKOFF_BASE_SEC } from '../../domain/limits.ts';
import type { ConnectionStore, IntegrationStore, PendingRevocation } from '../../ports.ts';
import { newEvent } from '../record-event.ts';
import { findConnection, isUnreadableRow, unknownConnection } from './find-connection.ts';
import { type RevokeGrantDependencies, revokeGrant } from './revoke-grant.ts';

const ATTEMPTS = 5;
/** Enough to say that a grant is shared. */
const SHARERS_MAX = 50;

export interface DeleteConnectionDependencies extends RevokeGrantDependencies {
  readonly integrations: IntegrationStore;
}

/**
 * What is to become of a grant that other live connections share: `yes` refuses and names them, and refuses where nobody knows whose it is, `if_last` leaves it alone,
 * `force` ends it for all of them.
 */
export type RevocationWish = 'no' | 'yes' | 'if_last' | 'force';

/** What became of the grant at the provider. */
export interface RevocationReport {
  readonly status: 'not_requested' | 'revoked' | 'pending' | 'skipped';
  /** Why it was skipped or is pending. */
  readonly reason: string | undefined;
  readonly retryAtEpochSec: number | undefined;
  /** Other live connections that share the grant and end with it; undefined when not known. */
  readonly sharing: number | undefined;
}

/**
 * Deletes a connection: fences and erases first, then tells the provider where that was asked for (TK-8, TK-9). The wish
 * is stored in the same transaction, so a crash loses neither.
 *
 * @throws GatewayError `unknown_integration`, `unknown_connection`, `conflict` (others share the grant, or it changes too fast),
 *   `account_not_known`
 */
export async function deleteConnection(
  deps: DeleteConnectionDependencies,
  ref: ConnectionRef,
  wish: RevocationWish,
  request: { readonly requestId: string; readonly actor: string },
): Promise<RevocationReport> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const found = await findReadable(deps, ref);
    if (found === 'unreadable') return deleteRemains(deps, ref, wish, request);
    const { connection, integration } = found;
    const plan = await planRevocation(deps, connection, integration, wish);
    const event = newEvent(deps.clock, deps.random, 'ConnectionDeleted', {
      subject: ref,
      sequence: connection.sequence + 1,
      endUserId: connection.endUser?.id,
      cause: plan.pending === undefined ? undefined : 'revocation_requested',
      ...request,
    });
    if (!(await deps.connections.delete(connection, event, plan.pending))) continue;
    if (plan.pending === undefined) return plan.report;
    return attemptNow(deps, plan.pending, plan.report, request.requestId);
  }
  throw new GatewayError('conflict', 'The connection is being changed by others at the moment. Try again.');
}

/** A row of either that cannot be read has no say in whether the connection can be deleted (CR-10). */
async function findReadable(deps: DeleteConnectionDependencies, ref: ConnectionRef) {
  try {
    return await findConnection(deps, ref);
  } catch (error) {
    if (isUnreadableRow(error)) return 'unreadable';
    throw error;
  }
}

/**
 * Deletes a connection of whose row, or of whose integration's, only parts can be read. Whose grant it is is not known then,
 * so it is ended only by force.
 */
async function deleteRemains(
  deps: DeleteConnectionDependencies,
  ref: ConnectionRef,
  wish: RevocationWish,
  request: { readonly requestId: string; readonly actor: string },
): Promise<RevocationReport> {
  const remains = await deps.connections.readRemains(ref);
  if (remains === undefined) throw unknownConnection();
  if (wish === 'yes') throw unknownAccount();
  const plan =
    wish === 'no'
      ? { report: report('not_requested'), pending: undefined }
      : wish === 'if_last'
        ? skip('account_not_known')
        : remains.grant === undefined
          ? skip('record_unreadable')
          : pendingPlan(deps, { ref, ...remains.grant, subject: undefined, endUserId: undefined }, undefined);
  const event = newEvent(deps.clock, deps.random, 'ConnectionDeleted', {
    subject: ref,
    sequence: remains.sequence + 1,
    cause: plan.pending === undefined ? 'record_unreadable' : 'revocation_requested',
    ...request,
  });
  if (!(await deps.connections.deleteRemains(ref, event, plan.pending))) throw unknownConnection();
  if (plan.pending === undefined) return plan.report;
  return attemptNow(deps, plan.pending, plan.report, request.requestId);
}

interface Plan {
  readonly report: RevocationReport;
  readonly pending: PendingRevocation | undefined;
}

async function planRevocation(
  deps: DeleteConnectionDependencies,
  connection: Connection,
  integration: Integration,
  wish: RevocationWish,
): Promise<Plan> {
  if (wish === 'no') return { report: report('not_requested'), pending: undefined };
  // Whoever holds the token of a dead grant may be wrong about it: another grant of the account may live (TK-9).
  if (connection.death !== undefined || connection.encryptedRefreshToken === undefined)
    return skip('grant_already_ended');
  const others = await othersSharingGrant(deps.connections, connection);
  if (wish === 'if_last') {
    if (integration.credentialsSource === 'test') return skip('test_credentials_are_shared', others?.length);
    // Made before the integration got its client, perhaps under the test credentials.
    if (connection.clientId !== integration.clientId) return skip('made_under_another_client', others?.length);
    if (others === undefined) return skip('account_not_known');
    const live = await stillLive(deps.connections, others);
    if (live.length > 0) return skip('grant_is_shared', live.length);
  }
  if (wish === 'yes') {
    if (others === undefined) throw unknownAccount();
    const live = await stillLive(deps.connections, others);
    if (live.length > 0) throw sharedGrant(connection, live);
  }
  const grant = {
    ref: {
      accountId: connection.accountId,
      integrationId: connection.integrationId,
      connectionId: connection.connectionId,
    },
    encryptedRefreshToken: connection.encryptedRefreshToken,
    clientId: connection.clientId,
    subject: connection.providerAccount?.subject,
    endUserId: connection.endUser?.id,
  };
  return pendingPlan(deps, grant, others?.length);
}

type GrantToEnd = Pick<PendingRevocation, 'ref' | 'encryptedRefreshToken' | 'clientId' | 'subject' | 'endUserId'>;

function pendingPlan(deps: DeleteConnectionDependencies, grant: GrantToEnd, sharing: number | undefined): Plan {
  const nowEpochSec = Math.floor(deps.clock.nowMs() / 1000);
  return {
    report: report('pending', undefined, sharing),
    pending: {
      ...grant,
      requestedAtEpochSec: nowEpochSec,
      // The attempt below comes first; the schedule takes over where it never ended.
      retryAtEpochSec: nowEpochSec + REFRESH_BACKOFF_BASE_SEC,
      failureCount: 0,
    },
  };
}

/** Other connections whose grant is the same one; undefined where it is not known whose grant it is. */
async function othersSharingGrant(
  connections: ConnectionStore,
  connection: Connection,
): Promise<readonly ConnectionRef[] | undefined> {
  const subject = connection.providerAccount?.subject;
  if (subject === undefined) return undefined;
  const sharers = await connections.sharingGrant(connection.clientId, subject, SHARERS_MAX);
  const self = connectionRefKey(connection);
  return sharers.filter((sharer) => connectionRefKey(sharer) !== self);
}

/** The index may still show connections that were deleted a moment ago; their rows tell. One that cannot be read may live. */
async function stillLive(connections: ConnectionStore, refs: readonly ConnectionRef[]): Promise<ConnectionRef[]> {
  const lives = await Promise.all(
    refs.map(async (ref) => {
      try {
        return (await connections.read(ref))?.status === 'active';
      } catch (error) {
        if (isUnreadableRow(error)) return true;
        throw error;
      }
    }),
  );
  return refs.filter((_, i) => lives[i] === true);
}

/** Names the connections that would end too; of other accounts only how many there are. */
function sharedGrant(connection: Connection, live: readonly ConnectionRef[]): GatewayError {
  const own = live.filter(({ accountId }) => accountId === connection.accountId);
  const foreign = live.length - own.length;
  return new GatewayError(
    'conflict',
    `Revoking would end ${live.length} more connection${live.length === 1 ? '' : 's'} of the same Google account${
      foreign > 0 ? ` (${foreign} of other accounts of this gateway)` : ''
    }. Nothing was deleted. Use revoke=force to end them all, or revoke=if_last to delete this one only.`,
    {
      problems: own.map(({ integrationId, connectionId }) => ({
        path: `connections.${integrationId}/${connectionId}`,
        message: 'shares the grant',
      })),
    },
  );
}

/** Whom it would hit cannot be told, so it is left to somebody who takes that on (TK-14). */
function unknownAccount(): GatewayError {
  return new GatewayError(
    'account_not_known',
    'It is not known whose Google account this grant is, so not either which other connections would end with it. Nothing was deleted. Use revoke=force to end the grant all the same, or revoke=if_last to delete the connection and leave the grant.',
  );
}

/** The connection is gone whatever happens here: a failure only leaves the revocation pending. */
async function attemptNow(
  deps: DeleteConnectionDependencies,
  pending: PendingRevocation,
  planned: RevocationReport,
  requestId: string,
): Promise<RevocationReport> {
  try {
    const result = await revokeGrant(deps, pending, requestId);
    switch (result.kind) {
      case 'revoked':
        return report('revoked', undefined, planned.sharing);
      case 'superseded':
        return report('skipped', 'account_consented_anew', planned.sharing);
      case 'pending':
        return { ...report('pending', result.reason, planned.sharing), retryAtEpochSec: result.retryAtEpochSec };
    }
  } catch (error) {
    deps.logger.error('revocation could not be attempted', { requestId }, error);
    return { ...report('pending', 'internal_error', planned.sharing), retryAtEpochSec: pending.retryAtEpochSec };
  }
}

function skip(reason: string, sharing?: number): Plan {
  return { report: report('skipped', reason, sharing), pending: undefined };
}

function report(status: RevocationReport['status'], reason?: string, sharing?: number): RevocationReport {
  return { status, reason, retryAtEpochSec: undefined, sharing };
}
