import { ADDRESS_NAMES, originName } from '../contract.ts';
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

/** Names of the addresses that each authorization server and the APIs behind it have, by the server's id. */
export function serverAddresses(): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    [...Map.groupBy(allProviders(), ({ server }) => server.id)].map(([id, providers]) => [
      id,
      new Set(
        providers.flatMap(({ server, otherOrigins = {} }) => [
          ...Object.entries(ADDRESS_NAMES).flatMap(([member, name]) => (member in server.addresses ? [name] : [])),
          ...Object.keys(otherOrigins).map(originName),
        ]),
      ),
    ]),
  );
}
