import type { Gateway } from '../../gateway/gateway.ts';
import type { Integration, Provider, Readiness } from '../../gateway/library.ts';

/** Everything the page of an integration shows. */
export interface IntegrationFacts {
  readonly integration: Integration;
  readonly readiness: Readiness;
  readonly provider: Provider;
}

/** Reads an integration with its client id, its readiness and its provider. */
export async function loadIntegration(
  gateway: Gateway,
  uniqueKey: string,
  signal: AbortSignal,
): Promise<IntegrationFacts> {
  const [integration, readiness] = await Promise.all([
    gateway.integrations.get(uniqueKey, { signal, include: ['credentials'] }),
    gateway.integrations.readiness(uniqueKey, { signal }),
  ]);
  const provider = await gateway.providers.get(integration.provider, { signal });
  return { integration, readiness, provider };
}
