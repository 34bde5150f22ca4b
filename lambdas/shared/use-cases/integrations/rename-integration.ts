import { GatewayError, refusal } from '../../domain/errors.ts';
import type { ClientCredentials, Integration } from '../../domain/integration.ts';
import type { ClientSecretStore, Clock, ConnectionStore, IntegrationStore, Logger, Random } from '../../ports.ts';
import { newEvent } from '../record-event.ts';
import { hasConnections } from './has-connections.ts';

export interface RenameDependencies {
  readonly integrations: IntegrationStore;
  readonly connections: ConnectionStore;
  readonly clientSecrets: ClientSecretStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/**
 * Moves an integration without connections to another id. The secret is copied under its new name first, so that the
 * record never points at nothing; a crash leaves at most an unused copy. False when the record has changed meanwhile.
 *
 * @param secret new credentials to store instead of the old ones
 * @throws GatewayError `invalid_body` while there are connections; `conflict` where the new id is in use
 */
export async function renameIntegration(
  deps: RenameDependencies,
  current: Integration,
  next: Integration,
  secret: ClientCredentials | undefined,
  request: { readonly requestId: string; readonly actor: string },
): Promise<boolean> {
  if (await hasConnections(deps.connections, current)) {
    throw refusal('invalid_body', [
      { path: 'unique_key', message: 'cannot change while the integration has connections: they are known under it' },
    ]);
  }
  const ref = { accountId: next.accountId, integrationId: next.integrationId };
  if ((await deps.integrations.get(ref)) !== undefined) throw taken();
  if (next.secretId !== undefined) {
    const kept = current.secretId === undefined ? undefined : await deps.clientSecrets.read(current.secretId);
    const credentials = secret ?? kept;
    if (credentials !== undefined) await deps.clientSecrets.write(next.secretId, credentials);
  }
  const event = newEvent(deps.clock, deps.random, 'IntegrationUpdated', {
    subject: ref,
    sequence: next.sequence,
    cause: 'renamed',
    ...request,
  });
  const result = await deps.integrations.rename(current, next, event);
  if (result === 'taken') throw taken();
  if (result === 'conflict') return false;
  if (current.secretId !== undefined) await forgetSecret(deps, current.secretId, request.requestId);
  return true;
}

async function forgetSecret(deps: RenameDependencies, secretId: string, requestId: string): Promise<void> {
  try {
    await deps.clientSecrets.delete(secretId);
  } catch (error) {
    // The renaming holds; an unused secret is left for an operator.
    deps.logger.error('an unused client secret could not be deleted', { requestId }, error);
  }
}

function taken(): GatewayError {
  return new GatewayError('conflict', 'There is already an integration with the new unique_key.');
}
