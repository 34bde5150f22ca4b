import { PutSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { FirstSecretKey } from '../gateway/keys/ports.ts';
import { readSecret } from '../gateway/platform/secret-reader.ts';

/** One version id for every process that may write the first key: the second writer gets a conflict, and uses the first's. */
const FIRST_VERSION = 'first-secret-key-000000000000000000000';

/** The secret that holds the first key in clear, for the deployer. */
export function firstSecretKey(client: SecretsManagerClient, secretId: string): FirstSecretKey {
  return {
    read: () => readSecret(client, secretId),
    async writeOnce(secretKey) {
      try {
        await client.send(
          new PutSecretValueCommand({
            SecretId: secretId,
            SecretString: secretKey,
            ClientRequestToken: FIRST_VERSION,
          }),
        );
        return secretKey;
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'ResourceExistsException') throw error;
        const stored = await readSecret(client, secretId);
        if (stored === undefined) throw new Error('The first secret key was written but cannot be read');
        return stored;
      }
    },
  };
}
