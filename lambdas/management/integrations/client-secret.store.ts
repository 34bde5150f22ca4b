import {
  CreateSecretCommand,
  DeleteSecretCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { sha256Hex } from '../../gateway/core/identifiers.ts';
import type { Random } from '../../gateway/core/ports.ts';
import { parseClientCredentials } from '../../gateway/integrations/client-credentials.store.ts';
import type { ClientCredentials } from '../../gateway/integrations/integration.rules.ts';
import type { ClientSecretStore } from '../../gateway/integrations/ports.ts';
import { readSecret } from '../../gateway/platform/secret-reader.ts';

/** Leaves room for prefix, account and suffix inside the 512 characters of a secret's name. */
const NAME_PART_MAX_LENGTH = 300;
const NAME_SUFFIX_BYTES = 8;

/**
 * Client secrets of integrations, one secret each: `<prefix>/integration/<account>/<integration>/<random>` with
 * `{client_id, current, previous?}`.
 *
 * Secrets Manager deletes in the background, even "without recovery", and refuses the name meanwhile (API reference,
 * DeleteSecret): no name is used twice, so an integration may reuse an id at once.
 */
export function clientSecretStore(client: SecretsManagerClient, prefix: string, random: Random): ClientSecretStore {
  const create = async (secretId: string, credentials: ClientCredentials): Promise<void> => {
    const SecretString = JSON.stringify(toJson(credentials));
    await client.send(
      new CreateSecretCommand({ Name: secretId, Description: 'OAuth client of an integration', SecretString }),
    );
  };
  const isOwn = (secretId: string) => secretId.startsWith(`${prefix}/integration/`);
  return {
    isOwn,

    newName({ accountId, integrationId }) {
      const suffix = Buffer.from(random.bytes(NAME_SUFFIX_BYTES)).toString('hex');
      return `${prefix}/integration/${accountId}/${secretNamePart(integrationId)}/${suffix}`;
    },

    create,

    read: async (secretId) =>
      isOwn(secretId) ? parseClientCredentials(await readSecret(client, secretId)) : undefined,

    async write(secretId, credentials) {
      const SecretString = JSON.stringify(toJson(credentials));
      try {
        await client.send(new PutSecretValueCommand({ SecretId: secretId, SecretString }));
      } catch (error) {
        if (!isNamed(error, 'ResourceNotFoundException')) throw error;
        await create(secretId, credentials);
      }
    },

    async delete(secretId) {
      if (!isOwn(secretId)) return;
      try {
        // No recovery window, because an operator's deletion is final.
        await client.send(new DeleteSecretCommand({ SecretId: secretId, ForceDeleteWithoutRecovery: true }));
      } catch (error) {
        if (!isNamed(error, 'ResourceNotFoundException')) throw error;
      }
    },
  };
}

/**
 * An integration id in the characters of a secret's name: others become `=` and their hex code, and longer ids are replaced by their
 * digest. No two ids share a name, because no id contains `=`.
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
