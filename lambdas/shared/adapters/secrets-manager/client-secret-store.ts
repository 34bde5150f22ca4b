import {
  CreateSecretCommand,
  DeleteSecretCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { sha256Hex } from '../../domain/digest.ts';
import type { ClientCredentials } from '../../domain/integration.ts';
import type { ClientSecretStore } from '../../ports.ts';
import { parseClientCredentials } from './client-credentials.ts';
import { readSecret } from './secret-reader.ts';

/** Leaves room for prefix and account inside the 512 characters of a secret's name. */
const NAME_PART_MAX_LENGTH = 300;

/**
 * Client secrets of integrations, one secret each: `<prefix>/integration/<account>/<integration>` with
 * `{client_id, current, previous?}`.
 */
export function clientSecretStore(client: SecretsManagerClient, prefix: string): ClientSecretStore {
  return {
    nameOf: (ref) => `${prefix}/integration/${ref.accountId}/${secretNamePart(ref.integrationId)}`,

    read: async (secretId) => parseClientCredentials(await readSecret(client, secretId)),

    async write(secretId, credentials) {
      const SecretString = JSON.stringify(toJson(credentials));
      try {
        await client.send(new PutSecretValueCommand({ SecretId: secretId, SecretString }));
      } catch (error) {
        if (!isNamed(error, 'ResourceNotFoundException')) throw error;
        await client.send(
          new CreateSecretCommand({ Name: secretId, Description: 'OAuth client of an integration', SecretString }),
        );
      }
    },

    async delete(secretId) {
      try {
        // No recovery window: what an operator deletes is to be gone, and the name may be used again.
        await client.send(new DeleteSecretCommand({ SecretId: secretId, ForceDeleteWithoutRecovery: true }));
      } catch (error) {
        if (!isNamed(error, 'ResourceNotFoundException')) throw error;
      }
    },
  };
}

/**
 * An integration id in the characters a secret's name may have: others become `=` and their hex code, and what gets too
 * long is named by its digest. No two ids share a name, because no id contains `=`.
 */
export function secretNamePart(integrationId: string): string {
  const name = integrationId.replace(
    /[^A-Za-z0-9.@_-]/g,
    (character) => `=${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return name.length <= NAME_PART_MAX_LENGTH ? name : `=sha256=${sha256Hex(integrationId)}`;
}

function toJson(credentials: ClientCredentials): Record<string, string> {
  const { clientId, clientSecret, previousClientSecret } = credentials;
  return {
    client_id: clientId,
    current: clientSecret,
    ...(previousClientSecret === undefined ? {} : { previous: previousClientSecret }),
  };
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}
