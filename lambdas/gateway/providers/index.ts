import { ADDRESS_NAMES, originName, toolServerName } from '../core/contract.ts';
import { PROVIDERS } from './catalogue.ts';
import type { Provider } from './provider.rules.ts';

/** Every provider, in the order the catalogue shows them. */
export function allProviders(): readonly Provider[] {
  return Object.values(PROVIDERS);
}

/** Names of the addresses of each authorization server and its APIs, by the server's id. */
export function serverAddresses(): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  for (const { server, otherOrigins = {}, toolServer } of allProviders()) {
    const ofServer = names.get(server.id) ?? new Set();
    names.set(server.id, ofServer);
    for (const [member, name] of Object.entries(ADDRESS_NAMES)) if (member in server.addresses) ofServer.add(name);
    for (const origin of Object.keys(otherOrigins)) ofServer.add(originName(origin));
    if (toolServer !== undefined) ofServer.add(toolServerName(toolServer.name));
  }
  return names;
}
