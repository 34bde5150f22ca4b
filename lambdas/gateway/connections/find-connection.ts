import { GatewayError } from '../core/errors.ts';
import { type ConnectionRef, isConnectionId, isIntegrationId } from '../core/identifiers.ts';
import type { Clock } from '../core/ports.ts';
import type { Integration } from '../integrations/integration.rules.ts';
import type { IntegrationStore } from '../integrations/ports.ts';
import type { Connection } from './connection.rules.ts';
import type { ConnectionStore, UnconfirmedGrantStore } from './ports.ts';
import type { UnconfirmedGrant } from './unconfirmed-grant.rules.ts';

/** The grant that becomes this connection once it is confirmed; undefined without one, or after its deadline. */
export async function findUnconfirmed(
  clock: Clock,
  ref: ConnectionRef,
  read: UnconfirmedGrantStore['read'],
): Promise<UnconfirmedGrant | undefined> {
  if (!isConnectionId(ref.connectionId) || !isIntegrationId(ref.integrationId)) return undefined;
  const found = await read(ref);
  return found !== undefined && clock.nowMs() < found.confirmUntilEpochSec * 1000 ? found : undefined;
}

/** The error of a connection that waits for confirmation, with the next step of its backend. */
export function confirmationRequired({ confirmUntilEpochSec }: UnconfirmedGrant): GatewayError {
  return new GatewayError(
    'confirmation_required',
    `This connection waits for your backend's confirmation until ${new Date(confirmUntilEpochSec * 1000).toISOString()}. ` +
      'POST /connect/sessions/confirm with the confirmation_handle that the browser brought back and the end_user_id of the user who is signed in there.',
  );
}

export interface FindConnectionDependencies {
  readonly integrations: IntegrationStore;
  readonly connections: ConnectionStore;
  readonly unconfirmed: Pick<UnconfirmedGrantStore, 'read'>;
  readonly clock: Clock;
}

/**
 * An existing connection with its integration; both reads are strongly consistent.
 *
 * @throws GatewayError `unknown_integration`, `unknown_connection`: the same for a missing, a deleted and another account's one;
 * `confirmation_required`
 */
export async function findConnection(
  deps: FindConnectionDependencies,
  ref: ConnectionRef,
): Promise<{ readonly connection: Connection; readonly integration: Integration }> {
  const [integration, connection] = await Promise.all([
    findIntegration(deps, ref),
    isConnectionId(ref.connectionId) && isIntegrationId(ref.integrationId) ? deps.connections.read(ref) : undefined,
  ]);
  if (connection === undefined || connection.status === 'deleted') {
    const unconfirmed = await findUnconfirmed(deps.clock, ref, (one) => deps.unconfirmed.read(one));
    throw unconfirmed === undefined ? unknownConnection() : confirmationRequired(unconfirmed);
  }
  return { connection, integration };
}

/**
 * The same error for a missing, a deleted and another account's connection.
 *
 * @param name of the connection's id in the request
 */
export function unknownConnection(name: 'id' | 'Connection-Id' = 'id'): GatewayError {
  return new GatewayError(
    'unknown_connection',
    `There is no connection with this ${name} under this integration. If it is your own id of a user, GET /connections?end_user_id=<id> lists that user's connections.`,
  );
}

/** Whether a stored row has an unreadable format, by the name of the stores' error. */
export function isUnreadableRow(error: unknown): boolean {
  return error instanceof Error && error.name === 'UnreadableItemError';
}

/** @throws GatewayError `unknown_integration` */
export async function findIntegration(
  deps: { readonly integrations: IntegrationStore },
  ref: { readonly accountId: string; readonly integrationId: string },
): Promise<Integration> {
  const integration = isIntegrationId(ref.integrationId)
    ? await deps.integrations.get({ accountId: ref.accountId, integrationId: ref.integrationId })
    : undefined;
  if (integration === undefined) {
    throw new GatewayError(
      'unknown_integration',
      'There is no integration with this unique_key. GET /integrations lists them.',
    );
  }
  return integration;
}
