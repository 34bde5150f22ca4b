import type { ConnectionStore } from '../../gateway/connections/ports.ts';
import { GatewayError, refusal } from '../../gateway/core/errors.ts';
import type { Clock, Logger, Random } from '../../gateway/core/ports.ts';
import { newEvent } from '../../gateway/events/lifecycle-event.rules.ts';
import {
  type ClientCredentials,
  clientHealthWord,
  type Integration,
} from '../../gateway/integrations/integration.rules.ts';
import type { ClientSecretStore, IntegrationStore } from '../../gateway/integrations/ports.ts';
import { hasConnections } from './has-connections.ts';

export interface RenameDependencies {
  readonly integrations: IntegrationStore;
  readonly connections: ConnectionStore;
  readonly clientSecrets: ClientSecretStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** Why an integration with connections keeps its id. */
export const NAMED_BY_CALLS = {
  path: 'unique_key',
  message: 'cannot be changed while the integration has connections, because their calls use it',
} as const;

/**
 * Moves an integration without connections to another id, together with its secret. New credentials get a secret of their own
 * first, so that the record always points to one; a crash leaves at most an unused one. False when the record has changed
 * meanwhile.
 *
 * @param secret new credentials to store instead of the old ones, under the name in `next`
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
    throw refusal('invalid_body', [NAMED_BY_CALLS]);
  }
  const ref = { accountId: next.accountId, integrationId: next.integrationId };
  if ((await deps.integrations.get(ref)) !== undefined) throw taken();
  if (next.secretId !== undefined && secret !== undefined) await deps.clientSecrets.create(next.secretId, secret);
  const event = newEvent(deps.clock, deps.random, 'IntegrationUpdated', {
    subject: ref,
    sequence: next.sequence,
    says: { reason: 'renamed' },
    health: clientHealthWord(next),
    ...request,
  });
  const result = await deps.integrations.rename(current, next, event);
  if (result !== 'renamed') await forgetReplacedSecret(deps, next, current, request.requestId);
  if (result === 'taken') throw taken();
  if (result === 'conflict') return false;
  await forgetReplacedSecret(deps, current, next, request.requestId);
  return true;
}

/** Deletes the secret of a replaced record, unless the new one keeps it. */
export async function forgetReplacedSecret(
  deps: Pick<RenameDependencies, 'clientSecrets' | 'logger'>,
  replaced: Integration,
  kept: Integration,
  requestId: string,
): Promise<void> {
  if (replaced.secretId === undefined || replaced.secretId === kept.secretId) return;
  try {
    await deps.clientSecrets.delete(replaced.accountId, replaced.secretId);
  } catch (error) {
    // The change is complete; an operator can delete the unused secret.
    deps.logger.error('an unused client secret could not be deleted', { requestId }, error);
  }
}

function taken(): GatewayError {
  return new GatewayError('conflict', 'There is already an integration with the new unique_key.');
}
