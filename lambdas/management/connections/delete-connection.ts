import { BEFORE_DELETIONS } from '../../features/before-deletions.ts';
import type { GrantParts } from '../../features/grant-parts.ts';
import type { CallLogReader } from '../../gateway/calls/ports.ts';
import type { Connection } from '../../gateway/connections/connection.rules.ts';
import { findConnection, isUnreadableRow, unknownConnection } from '../../gateway/connections/find-connection.ts';
import type { PendingRevocation } from '../../gateway/connections/ports.ts';
import { epochSecNow } from '../../gateway/core/clock.ts';
import { GatewayError } from '../../gateway/core/errors.ts';
import { included } from '../../gateway/core/features.ts';
import { type ConnectionRef, connectionRefKey } from '../../gateway/core/identifiers.ts';
import { newEvent } from '../../gateway/events/lifecycle-event.rules.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import type { IntegrationStore } from '../../gateway/integrations/ports.ts';
import { type EndUnconfirmedDependencies, endUnconfirmed } from '../../gateway/tokens/end-unconfirmed.ts';
import {
  attemptRevocation,
  type GrantToEnd,
  isSharedInProject,
  newRevocation,
  type RevocationReport,
  revocationReport,
  stillLive,
} from '../../gateway/tokens/revoke-grant.ts';

const ATTEMPTS = 5;
/** Enough to detect that a grant is shared. */
const SHARERS_MAX = 50;

export interface DeleteConnectionDependencies extends EndUnconfirmedDependencies {
  readonly integrations: IntegrationStore;
  readonly calls: Pick<CallLogReader, 'noteDeleted'>;
  readonly parts: GrantParts;
  /** Ids of features that the deployment leaves out. */
  readonly without: ReadonlySet<string>;
}

/**
 * The choice for a grant that other active connections share: `yes` refuses and names them, and refuses where the grant's account is
 * unknown, `if_last` keeps it, `force` ends it for all of them.
 */
export type RevocationChoice = 'no' | 'yes' | 'if_last' | 'force';

/**
 * Deletes a connection: fences and erases it, then revokes the grant at the provider where requested (TK-8, TK-9). The choice
 * is stored in the same transaction, so a crash loses neither.
 *
 * @throws GatewayError `unknown_integration`, `unknown_connection`, `conflict` (others share the grant, or it changes too fast),
 * `account_not_known`
 */
export async function deleteConnection(
  deps: DeleteConnectionDependencies,
  ref: ConnectionRef,
  choice: RevocationChoice,
  request: { readonly requestId: string; readonly actor: string },
): Promise<RevocationReport> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const found = await findReadable(deps, ref);
    if (found === 'unconfirmed') return withdraw(deps, ref, request);
    if (found === 'unreadable') return deleteRemains(deps, ref, choice, request);
    const { connection, integration } = found;
    const plan = await planRevocation(deps, connection, integration, choice);
    for (const open of included(BEFORE_DELETIONS, deps.without))
      await open(deps.parts)(connection, integration, request);
    const event = newEvent(deps.clock, deps.random, 'ConnectionDeleted', {
      subject: ref,
      sequence: connection.sequence + 1,
      endUserId: connection.endUser?.id,
      says: { reason: plan.pending === undefined ? undefined : 'revocation_requested' },
      ...request,
    });
    await noteCallsToClear(deps, ref, request.requestId);
    if (!(await deps.connections.delete(connection, event, plan.pending))) continue;
    if (plan.pending === undefined) return plan.report;
    return attemptRevocation(deps, plan.pending, plan.report.sharing, request.requestId);
  }
  throw new GatewayError('conflict', 'The connection is being changed by others at the moment. Try again.');
}

/**
 * Before the deletion, so that a process that ends in between forgets no rows; those of a connection that was not deleted are kept. A
 * failing log table does not prevent the deletion: its rows are then deleted by their age.
 */
async function noteCallsToClear(deps: DeleteConnectionDependencies, ref: ConnectionRef, requestId: string) {
  try {
    await deps.calls.noteDeleted(ref);
  } catch (error) {
    deps.logger.error('the calls of a deleted connection stay until they are old', { requestId }, error);
  }
}

/** An unreadable row of either does not prevent the deletion (CR-10). */
async function findReadable(deps: DeleteConnectionDependencies, ref: ConnectionRef) {
  try {
    return await findConnection(deps, ref);
  } catch (error) {
    if (isUnreadableRow(error)) return 'unreadable';
    if (error instanceof GatewayError && error.code === 'confirmation_required') return 'unconfirmed';
    throw error;
  }
}

/** Ends a grant that waits for confirmation; an unconfirmed grant is always revoked, whatever the caller chose (CS-15). */
async function withdraw(
  deps: DeleteConnectionDependencies,
  ref: ConnectionRef,
  request: { readonly requestId: string; readonly actor: string },
): Promise<RevocationReport> {
  const unconfirmed = await deps.unconfirmed.read(ref);
  const ended = unconfirmed && (await endUnconfirmed(deps, unconfirmed, 'withdrawn', request));
  if (ended !== undefined) return ended;
  throw new GatewayError('conflict', 'The connection was confirmed or ended at the same moment. Try again.');
}

/**
 * Deletes a connection of which, or of whose integration, only parts can be read. Its grant's account is unknown then, so it is revoked
 * only by force.
 */
async function deleteRemains(
  deps: DeleteConnectionDependencies,
  ref: ConnectionRef,
  choice: RevocationChoice,
  request: { readonly requestId: string; readonly actor: string },
): Promise<RevocationReport> {
  const remains = await deps.connections.readRemains(ref);
  if (remains === undefined) throw unknownConnection();
  if (choice === 'yes') throw unknownAccount();
  const plan =
    choice === 'no'
      ? { report: revocationReport('not_requested'), pending: undefined }
      : choice === 'if_last'
        ? skip('account_not_known')
        : remains.grant === undefined
          ? skip('record_unreadable')
          : pendingPlan(deps, { ref, ...remains.grant, subject: undefined, endUserId: undefined }, undefined);
  const event = newEvent(deps.clock, deps.random, 'ConnectionDeleted', {
    subject: ref,
    sequence: remains.sequence + 1,
    says: { reason: plan.pending === undefined ? 'record_unreadable' : 'revocation_requested' },
    ...request,
  });
  await noteCallsToClear(deps, ref, request.requestId);
  if (!(await deps.connections.deleteRemains(ref, remains, event, plan.pending))) throw unknownConnection();
  if (plan.pending === undefined) return plan.report;
  return attemptRevocation(deps, plan.pending, plan.report.sharing, request.requestId);
}

interface Plan {
  readonly report: RevocationReport;
  readonly pending: PendingRevocation | undefined;
}

async function planRevocation(
  deps: DeleteConnectionDependencies,
  connection: Connection,
  integration: Integration,
  choice: RevocationChoice,
): Promise<Plan> {
  if (choice === 'no') return { report: revocationReport('not_requested'), pending: undefined };
  // Only the domain's administrator can end a service account's access (SA-25).
  if (connection.delegated === true) return skip('nothing_to_revoke');
  // The token of a dead grant may belong to the wrong account: another grant of it may be alive (TK-9).
  if (connection.death !== undefined || connection.encryptedRefreshToken === undefined)
    return skip('grant_already_ended');
  const others = await othersSharingGrant(deps, connection);
  if (choice === 'if_last') {
    if (integration.credentialsSource === 'test') return skip('test_credentials_are_shared', others?.length);
    // Created before the integration got its client, perhaps under the test credentials.
    if (connection.clientId !== integration.clientId) return skip('made_under_another_client', others?.length);
    if (others === undefined) return skip('account_not_known');
    const live = await stillLive(deps.connections, others);
    if (live.length > 0) return skip('grant_is_shared', live.length);
  }
  if (choice === 'yes') {
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
    provider: connection.provider,
    encryptedRefreshToken: connection.encryptedRefreshToken,
    clientId: connection.clientId,
    subject: connection.providerAccount?.subject,
    endUserId: connection.endUser?.id,
  };
  return pendingPlan(deps, grant, others?.length);
}

function pendingPlan(deps: DeleteConnectionDependencies, grant: GrantToEnd, sharing: number | undefined): Plan {
  return {
    report: revocationReport('pending', undefined, sharing),
    pending: newRevocation(grant, epochSecNow(deps.clock)),
  };
}

/** Other connections of the same grant; undefined where the grant's account is unknown. */
async function othersSharingGrant(
  { connections, endpointsOf }: DeleteConnectionDependencies,
  connection: Connection,
): Promise<readonly ConnectionRef[] | undefined> {
  if (!isSharedInProject(endpointsOf(connection.provider))) return [];
  const subject = connection.providerAccount?.subject;
  if (subject === undefined) return undefined;
  const sharers = await connections.sharingGrant(connection.clientId, subject, SHARERS_MAX);
  const self = connectionRefKey(connection);
  return sharers.filter((sharer) => sharer.unconfirmed === undefined && connectionRefKey(sharer) !== self);
}

/** Names the connections that would end, too; of other accounts only their number. */
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

/** The affected connections are unknown, so the caller must accept that explicitly (TK-14). */
function unknownAccount(): GatewayError {
  return new GatewayError(
    'account_not_known',
    'It is unknown to which Google account this grant belongs, and so which other connections would end with it. Nothing was deleted. Use revoke=force to revoke the grant anyway, or revoke=if_last to delete the connection and keep the grant.',
  );
}

function skip(reason: string, sharing?: number): Plan {
  return { report: revocationReport('skipped', reason, sharing), pending: undefined };
}
