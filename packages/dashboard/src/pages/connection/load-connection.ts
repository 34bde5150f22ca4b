import type { Gateway } from '../../gateway/gateway.ts';
import {
  type Connection,
  type ConnectionRef,
  GatewayError,
  type Integration,
  type Provider,
} from '../../gateway/library.ts';

/** Everything the page of a connection shows at once. */
export interface ConnectionFacts {
  readonly connection: Connection;
  readonly provider: Provider;
  readonly integration: Integration;
}

/** Reads a connection, its provider and its integration; `deleted` for one that is gone but has left a timeline. */
export async function loadConnection(
  gateway: Gateway,
  ref: ConnectionRef,
  signal: AbortSignal,
): Promise<ConnectionFacts | 'deleted'> {
  try {
    const connection = await gateway.connections.get(ref, { signal });
    const [provider, integration] = await Promise.all([
      gateway.providers.get(connection.provider, { signal }),
      gateway.integrations.get(ref.providerConfigKey, { signal }),
    ]);
    return { connection, provider, integration };
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== 'unknown_connection') throw error;
    // Throws the same for a connection that never was.
    await gateway.connections.events(ref, { signal, limit: 1 });
    return 'deleted';
  }
}
