import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { awsClient, reportOutages } from './aws-client.ts';

/** One client per process, made outside the handler. */
export function openSecretsManager(): SecretsManagerClient {
  const client = awsClient(SecretsManagerClient);
  reportOutages(client, 'its secrets');
  return client;
}

/** `InvalidRequestException` is the answer for a secret that is marked for deletion. */
const ABSENT: ReadonlySet<string> = new Set(['ResourceNotFoundException', 'InvalidRequestException']);

/**
 * A secret's text, or undefined when there is no such secret, it is being deleted, or it has no value yet.
 *
 * @param stage of the version; the current one without it
 */
export async function readSecret(
  client: SecretsManagerClient,
  secretId: string,
  stage?: 'AWSCURRENT' | 'AWSPREVIOUS',
): Promise<string | undefined> {
  try {
    const { SecretString } = await client.send(
      new GetSecretValueCommand({ SecretId: secretId, ...(stage === undefined ? {} : { VersionStage: stage }) }),
    );
    return SecretString === '' ? undefined : SecretString;
  } catch (error) {
    if (error instanceof Error && ABSENT.has(error.name)) return undefined;
    throw error;
  }
}
