import { findIntegration, isUnreadableRow } from '../../gateway/connections/find-connection.ts';
import { GatewayError, type Problem } from '../../gateway/core/errors.ts';
import type { ConnectionRef, IntegrationRef } from '../../gateway/core/identifiers.ts';
import { BULK_DELETE_BUDGET_MS, BULK_DELETE_CONCURRENCY } from '../../gateway/core/limits.ts';
import { type Changing, managedAfter, managedWithout } from '../../gateway/core/managed-by.rules.ts';
import { newEvent } from '../../gateway/events/lifecycle-event.rules.ts';
import { clientHealthWord, type Integration } from '../../gateway/integrations/integration.rules.ts';
import type { ClientSecretStore } from '../../gateway/integrations/ports.ts';
import type { DelegatedDomainStore } from '../../gateway/tokens/ports.ts';
import {
  type DeleteConnectionDependencies,
  deleteConnection,
  type RevocationChoice,
} from '../connections/delete-connection.ts';
import { hasConnections } from './has-connections.ts';

const IN_USE: Problem = {
  path: 'if_unused',
  message: 'the integration has connections, which would be deleted with it, so it stays as it is',
};

/** Who asks, and on which conditions. */
export interface DeletionRequest {
  readonly requestId: string;
  readonly actor: string;
  readonly by?: Changing;
  /** Whether an integration with connections is left as it is. @default false */
  readonly ifUnused?: boolean;
}

export interface DeleteIntegrationDependencies extends DeleteConnectionDependencies {
  readonly clientSecrets: ClientSecretStore;
  readonly delegatedDomains: Pick<DelegatedDomainStore, 'forget'>;
}

/**
 * Deletes an integration with everything below it: connections first, each with its own event and its tokens erased, then
 * the record, then the secret. Many connections take several calls: each continues where the last one stopped.
 *
 * @returns how many connections this call deleted
 * @throws GatewayError `unknown_integration`; `service_unavailable` while connections remain; `conflict` for one that a stack declares, and
 *   for one with connections that was to be unused
 */
export async function deleteIntegration(
  deps: DeleteIntegrationDependencies,
  ref: IntegrationRef,
  choice: RevocationChoice,
  request: DeletionRequest,
): Promise<number> {
  const integration = await findReadable(deps, ref);
  if (request.by !== undefined && (await staysDeclared(deps, integration, request.by, request))) return 0;
  if (request.ifUnused === true && (await hasConnections(deps.connections, ref))) {
    throw new GatewayError('conflict', `if_unused: ${IN_USE.message}`, { problems: [IN_USE] });
  }
  const stopMs = deps.clock.nowMs() + BULK_DELETE_BUDGET_MS;
  const deleted = await deleteConnections(deps, ref, choice, request, stopMs);
  if (await hasConnections(deps.connections, ref)) {
    throw new GatewayError(
      'service_unavailable',
      `${deleted} connections were deleted and more remain. Send the same request again to continue.`,
      { retryAfterSec: 1 },
    );
  }
  const event = newEvent(deps.clock, deps.random, 'IntegrationDeleted', {
    subject: ref,
    sequence: (integration?.sequence ?? 0) + 1,
    requestId: request.requestId,
    actor: request.actor,
  });
  // Read before the record is deleted, which alone contains the name.
  const secretId = integration === undefined ? await deps.integrations.secretIdOf(ref) : integration.secretId;
  if (integration?.delegation !== undefined) await deps.delegatedDomains.forget(ref);
  if (!(await deps.integrations.delete(ref, event))) return deleted;
  if (secretId !== undefined) {
    try {
      await deps.clientSecrets.delete(ref.accountId, secretId);
    } catch (error) {
      // The integration is deleted; its secret is no longer used here.
      deps.logger.error('a client secret could not be deleted', { requestId: request.requestId }, error);
    }
  }
  return deleted;
}

/** Whether another resource of the same stack declares it, too: then only the claim of this one ends. */
async function staysDeclared(
  deps: DeleteIntegrationDependencies,
  integration: Integration | undefined,
  { stack, force }: Changing,
  { requestId, actor }: DeletionRequest,
): Promise<boolean> {
  const current = integration?.managedBy;
  if (stack === undefined || integration === undefined) {
    managedAfter(current, { stack, force }, 'integration');
    return false;
  }
  const managedBy = managedWithout(current, stack, 'integration');
  if (managedBy === undefined) return false;
  const { accountId, integrationId, sequence, version } = integration;
  const event = newEvent(deps.clock, deps.random, 'IntegrationUpdated', {
    subject: { accountId, integrationId },
    sequence: sequence + 1,
    health: clientHealthWord(integration),
    requestId,
    actor,
  });
  const next = { ...integration, managedBy, sequence: sequence + 1, version: version + 1, updatedAt: event.occurredAt };
  if (await deps.integrations.update(next, version, event)) return true;
  throw new GatewayError('conflict', 'The integration is being changed by others at the moment. Try again.');
}

/** Undefined for an unreadable row, which can still be deleted (CR-10). */
async function findReadable(deps: DeleteIntegrationDependencies, ref: IntegrationRef) {
  try {
    return await findIntegration(deps, ref);
  } catch (error) {
    if (isUnreadableRow(error)) return undefined;
    throw error;
  }
}

async function deleteConnections(
  deps: DeleteIntegrationDependencies,
  ref: IntegrationRef,
  choice: RevocationChoice,
  request: { readonly requestId: string; readonly actor: string },
  stopMs: number,
): Promise<number> {
  let deleted = 0;
  let cursor: string | undefined;
  do {
    const page = await deps.connections.list(ref.accountId, { integrationIds: [ref.integrationId] }, 100, cursor);
    cursor = page.next;
    const waiting: ConnectionRef[] = [...page.connections, ...page.unreadable];
    const worker = async () => {
      for (let one = waiting.shift(); one !== undefined && deps.clock.nowMs() < stopMs; one = waiting.shift()) {
        if (await deleteOne(deps, { ...ref, connectionId: one.connectionId }, choice, request)) deleted++;
      }
    };
    // The last of several that share a grant is known only when they are deleted one after the other.
    const workers = choice === 'if_last' ? 1 : BULK_DELETE_CONCURRENCY;
    await Promise.all(Array.from({ length: workers }, worker));
  } while (cursor !== undefined && deps.clock.nowMs() < stopMs);
  return deleted;
}

/** False for one that was deleted meanwhile, which a late index still lists. */
async function deleteOne(
  deps: DeleteIntegrationDependencies,
  ref: IntegrationRef & { readonly connectionId: string },
  choice: RevocationChoice,
  request: { readonly requestId: string; readonly actor: string },
): Promise<boolean> {
  try {
    // Deleting a whole integration ends every grant of it, shared or not.
    await deleteConnection(deps, ref, choice === 'yes' ? 'force' : choice, request);
    return true;
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'unknown_connection') return false;
    throw error;
  }
}
