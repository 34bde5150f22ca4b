import type { Clock, Random } from '../core/ports.ts';
import { newEvent } from '../events/lifecycle-event.rules.ts';
import type { Integration } from './integration.rules.ts';
import type { IntegrationStore } from './ports.ts';

export interface ClearClientFaultDependencies {
  readonly integrations: Pick<IntegrationStore, 'clearClientFault'>;
  readonly clock: Clock;
  readonly random: Random;
}

/** Removes the mark of a fault with one event, because the provider accepts the OAuth client again. Does nothing without a mark. */
export async function clearClientFault(
  { integrations, clock, random }: ClearClientFaultDependencies,
  { accountId, integrationId, clientFault, sequence }: Integration,
  requestId: string,
): Promise<void> {
  if (clientFault === undefined) return;
  const ref = { accountId, integrationId };
  await integrations.clearClientFault(
    ref,
    newEvent(clock, random, 'IntegrationRecovered', {
      subject: ref,
      sequence: sequence + 1,
      says: { provider_error: clientFault.error },
      health: 'working',
      requestId,
    }),
  );
}
