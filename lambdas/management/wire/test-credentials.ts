import type { ProviderId } from '../../shared/domain/provider.ts';

/** Test credentials in the API's spelling: which client they are, never its secret. */
export function testCredentialsOnTheWire(provider: ProviderId, clientId: string | undefined): Record<string, unknown> {
  return { provider, configured: clientId !== undefined, client_id: clientId ?? null };
}
