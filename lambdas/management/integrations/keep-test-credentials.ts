import { GatewayError } from '../../gateway/core/errors.ts';
import type { Clock, Logger, Random } from '../../gateway/core/ports.ts';
import { newEvent } from '../../gateway/events/lifecycle-event.rules.ts';
import type { AuditTrail } from '../../gateway/events/ports.ts';
import type { TestCredentialsStore } from '../../gateway/integrations/ports.ts';
import type { ProviderId } from '../../gateway/providers/provider.rules.ts';

export interface TestCredentialsDependencies {
  readonly testCredentials: TestCredentialsStore;
  readonly audit: AuditTrail;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** The operator and the provider of a request. */
export interface TestCredentialsRequest {
  readonly accountId: string;
  readonly provider: ProviderId;
  readonly requestId: string;
  readonly actor: string;
}

/**
 * Sets the operator's OAuth client for test connections, or empties its container where `client` is undefined. The event
 * is written first, because no change may happen without one (LG-6).
 *
 * @throws GatewayError `service_unavailable` when the secret cannot be written
 */
export async function keepTestCredentials(
  deps: TestCredentialsDependencies,
  request: TestCredentialsRequest,
  client: { readonly clientId: string; readonly clientSecret: string } | undefined,
): Promise<void> {
  const { accountId, provider, requestId, actor } = request;
  await deps.audit.append(
    newEvent(deps.clock, deps.random, client === undefined ? 'TestCredentialsRemoved' : 'TestCredentialsChanged', {
      subject: { accountId },
      sequence: 0,
      says: { provider },
      requestId,
      actor,
    }),
  );
  try {
    if (client === undefined) await deps.testCredentials.clear(provider);
    else await deps.testCredentials.write(provider, client);
  } catch (error) {
    deps.logger.error('test credentials could not be stored', { requestId, accountId }, error);
    throw new GatewayError('service_unavailable', 'The secret could not be stored. Send the same request again.', {
      retryAfterSec: 5,
      cause: error,
    });
  }
}
