import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

/** One client per process, made outside the handler. */
export function openSecretsManager(): SecretsManagerClient {
  return new SecretsManagerClient({
    maxAttempts: 4,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000 },
  });
}

/** A secret's text, or undefined when there is no such secret or it has no value yet. */
export async function readSecret(client: SecretsManagerClient, secretId: string): Promise<string | undefined> {
  try {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
    return SecretString === '' ? undefined : SecretString;
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}
