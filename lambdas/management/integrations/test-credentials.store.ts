import { CreateSecretCommand, PutSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { parseClientCredentials } from '../../gateway/integrations/client-credentials.store.ts';
import type { TestClientNotes, TestCredentialsStore } from '../../gateway/integrations/ports.ts';
import { readSecret } from '../../gateway/platform/secret-reader.ts';
import type { ProviderId } from '../../gateway/providers/provider.rules.ts';

/**
 * Test credentials, a secret for each provider that is created when first set: JSON `{client_id, client_secret}`. The client id is also
 * noted in the table, for the function that reads no secret.
 */
export function testCredentialsStore(
  client: SecretsManagerClient,
  nameOf: (provider: ProviderId) => string,
  notes: TestClientNotes,
): TestCredentialsStore {
  /** False where there is no such secret. */
  const put = async (provider: ProviderId, SecretString: string): Promise<boolean> => {
    try {
      await client.send(new PutSecretValueCommand({ SecretId: nameOf(provider), SecretString }));
      return true;
    } catch (error) {
      if (error instanceof Error && error.name === 'ResourceNotFoundException') return false;
      throw error;
    }
  };
  return {
    async read(provider) {
      const credentials = parseClientCredentials(await readSecret(client, nameOf(provider)));
      // An operator may have written the secret with AWS's own tools.
      await notes.note(provider, credentials?.clientId);
      return credentials;
    },
    async write(provider, { clientId, clientSecret }) {
      const SecretString = JSON.stringify({ client_id: clientId, client_secret: clientSecret });
      if (!(await put(provider, SecretString))) {
        const Description = `OAuth client for test connections of ${provider}`;
        await client.send(new CreateSecretCommand({ Name: nameOf(provider), Description, SecretString }));
      }
      await notes.note(provider, clientId);
    },
    // A deleted secret keeps its name reserved for a while, so it is emptied instead.
    async clear(provider) {
      await put(provider, '{}');
      await notes.note(provider, undefined);
    },
  };
}
