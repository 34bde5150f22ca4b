import type { ProviderId } from '../../gateway/providers/provider.rules.ts';

/** Test credentials in the API's spelling: which client they are, never its secret. */
export function testCredentialsOnTheWire(provider: ProviderId, clientId: string | undefined): Record<string, unknown> {
  return { provider, configured: clientId !== undefined, client_id: clientId ?? null };
}
