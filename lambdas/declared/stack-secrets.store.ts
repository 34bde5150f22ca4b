import { PutSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { readSecret } from '../gateway/platform/secret-reader.ts';
import type { StackSecrets } from './ports.ts';

/** Secrets of stacks, each by its ARN and by a grant of its stack. */
export function stackSecrets(client: SecretsManagerClient): StackSecrets {
  return {
    read: (arn, stage) => readSecret(client, arn, stage),
    async write(arn, value) {
      await client.send(new PutSecretValueCommand({ SecretId: arn, SecretString: value }));
    },
  };
}
