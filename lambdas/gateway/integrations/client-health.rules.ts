import { type AuthorizationServer, tokenErrorMeaning } from '../providers/authorization-server.rules.ts';
import { explainClientFault } from './client-fault.rules.ts';
import type { Integration } from './integration.rules.ts';

/** Whether the provider takes an integration's OAuth client, in one word. */
export const CLIENT_HEALTH_STATUSES = ['working', 'not_checked_yet', 'refused'] as const;

/** The health of an integration. */
export interface ClientHealth {
  readonly status: (typeof CLIENT_HEALTH_STATUSES)[number];
  /** The provider's error. */
  readonly reason: string | undefined;
  /** Of a refusal: false where it was told from what several connections have in common. */
  readonly certain: boolean | undefined;
  readonly sinceEpochSec: number | undefined;
  /** Who can mend a refusal. */
  readonly who: 'developer' | 'operator' | undefined;
  readonly remedy: string | undefined;
}

/** The health of an integration: refused while the provider refuses its client, working from the client's first success on. */
export function clientHealthOf(
  integration: Pick<Integration, 'clientFault' | 'clientWorksSinceEpochSec' | 'credentialsSource'>,
  server: AuthorizationServer,
): ClientHealth {
  const { clientFault, clientWorksSinceEpochSec: sinceEpochSec, credentialsSource } = integration;
  const nothing = { reason: undefined, certain: undefined, who: undefined, remedy: undefined };
  const status = clientHealthWord(integration);
  if (clientFault === undefined) return { ...nothing, status, sinceEpochSec };
  const { error } = clientFault;
  return {
    status,
    reason: error,
    certain: tokenErrorMeaning(error, server) === 'client_fault' || error === 'credentials_missing',
    sinceEpochSec: clientFault.sinceEpochSec,
    who: credentialsSource === 'test' ? 'operator' : 'developer',
    remedy: explainClientFault(error, server).remedy,
  };
}

/** The health of an integration in its one word, as its events carry it. */
export function clientHealthWord(integration: {
  readonly clientFault?: unknown;
  readonly clientWorksSinceEpochSec?: unknown;
}): ClientHealth['status'] {
  if (integration.clientFault !== undefined) return 'refused';
  return integration.clientWorksSinceEpochSec === undefined ? 'not_checked_yet' : 'working';
}
