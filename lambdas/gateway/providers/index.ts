import { PROVIDERS } from './catalogue.ts';
import type { Provider, ProviderId } from './provider.rules.ts';

/** The definition of a provider. */
export function providerOf(id: ProviderId): Provider {
  return PROVIDERS[id];
}

/** Every provider, in the order the catalogue shows them. */
export function allProviders(): readonly Provider[] {
  return Object.values(PROVIDERS);
}
