import { PutSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { parseClientCredentials } from '../../gateway/integrations/client-credentials.store.ts';
import type { TestCredentialsStore } from '../../gateway/integrations/ports.ts';
import { readSecret } from '../../gateway/platform/secret-reader.ts';
import type { ProviderId } from '../../gateway/providers/provider.rules.ts';

/** Test credentials in the containers that the stack made for them: JSON `{client_id, client_secret}`. */
export function testCredentialsStore(
  client: SecretsManagerClient,
  arnOf: (provider: ProviderId) => string,
): TestCredentialsStore {
  const put = async (provider: ProviderId, value: Readonly<Record<string, string>>): Promise<void> => {
    await client.send(new PutSecretValueCommand({ SecretId: arnOf(provider), SecretString: JSON.stringify(value) }));
  };
  return {
    read: async (provider) => parseClientCredentials(await readSecret(client, arnOf(provider))),
    write: (provider, { clientId, clientSecret }) =>
      put(provider, { client_id: clientId, client_secret: clientSecret }),
    // Deleting the container would leave the stack without what its template names.
    clear: (provider) => put(provider, {}),
  };
}
