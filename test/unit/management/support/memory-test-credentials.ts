import type { ClientCredentials } from '../../../../lambdas/gateway/integrations/integration.rules.ts';
import type { TestCredentialsStore } from '../../../../lambdas/gateway/integrations/ports.ts';

/** The operator's test credentials in memory: one client for every provider. */
export function memoryTestCredentials(
  client: { current: ClientCredentials | undefined },
  failures: { readonly secretWrite: boolean },
): TestCredentialsStore {
  return {
    read: async () => client.current,
    async write(_provider, { clientId, clientSecret }) {
      if (failures.secretWrite) throw new Error('Secrets Manager is not reachable');
      client.current = { clientId, clientSecret, previousClientSecret: undefined };
    },
    async clear() {
      client.current = undefined;
    },
  };
}
