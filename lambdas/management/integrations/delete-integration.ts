import { findIntegration, isUnreadableRow } from '../../gateway/connections/find-connection.ts';
import { GatewayError } from '../../gateway/core/errors.ts';
import type { ConnectionRef, IntegrationRef } from '../../gateway/core/identifiers.ts';
import { BULK_DELETE_BUDGET_MS, BULK_DELETE_CONCURRENCY } from '../../gateway/core/limits.ts';
import { newEvent } from '../../gateway/events/lifecycle-event.rules.ts';
import type { ClientSecretStore } from '../../gateway/integrations/ports.ts';
import type { DelegatedDomainStore } from '../../gateway/tokens/ports.ts';
import {
  type DeleteConnectionDependencies,
  deleteConnection,
  type RevocationChoice,
} from '../connections/delete-connection.ts';
import { hasConnections } from './has-connections.ts';

export interface DeleteIntegrationDependencies extends DeleteConnectionDependencies {
  readonly clientSecrets: ClientSecretStore;
  readonly delegatedDomains: Pick<DelegatedDomainStore, 'forget'>;
}

/**
 * Deletes an integration with everything below it: connections first, each with its own event and its tokens erased, then
 * the record, then the secret. Many connections take several calls: each continues where the last one stopped.
 *
 * @returns how many connections this call deleted
 * @throws GatewayError `unknown_integration`; `service_unavailable` while connections remain
 */
export async function deleteIntegration(
  deps: DeleteIntegrationDependencies,
  ref: IntegrationRef,
  choice: RevocationChoice,
  request: { readonly requestId: string; readonly actor: string },
): Promise<number> {
  const integration = await findReadable(deps, ref);
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
    ...request,
  });
  // Read before the record is deleted, which alone contains the name.
  const secretId = integration === undefined ? await deps.integrations.secretIdOf(ref) : integration.secretId;
  if (integration?.delegation !== undefined) await deps.delegatedDomains.forget(ref);
  if (!(await deps.integrations.delete(ref, event))) return deleted;
  if (secretId !== undefined) {
    try {
      await deps.clientSecrets.delete(secretId);
    } catch (error) {
      // The integration is deleted; its secret is no longer used here.
      deps.logger.error('a client secret could not be deleted', { requestId: request.requestId }, error);
    }
  }
  return deleted;
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
