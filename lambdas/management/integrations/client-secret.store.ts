import { CreateSecretCommand, DeleteSecretCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import type { ClientSecretPlace } from '../../gateway/core/contract.ts';
import { sha256Hex } from '../../gateway/core/identifiers.ts';
import type { Random } from '../../gateway/core/ports.ts';
import {
  type ClientSecretPlaces,
  parseClientCredentials,
  readClientSecret,
} from '../../gateway/integrations/client-credentials.store.ts';
import type { ClientSecretRows } from '../../gateway/integrations/client-secret-rows.store.ts';
import {
  type ClientCredentials,
  isRowName,
  isRowNameOf,
  newRowName,
} from '../../gateway/integrations/integration.rules.ts';
import type { ClientSecretStore } from '../../gateway/integrations/ports.ts';

/** Leaves room for prefix, account and suffix inside the 512 characters of a secret's name. */
const NAME_PART_MAX_LENGTH = 300;
const NAME_SUFFIX_BYTES = 8;

/**
 * Client secrets of integrations with `{client_id, current, previous?}`: one secret each,
 * `<prefix>/integration/<account>/<integration>/<random>`, or one row each. Both are read, changed and deleted wherever they are; only new
 * ones go where the deployment keeps them.
 *
 * Secrets Manager deletes in the background, even "without recovery", and refuses the name meanwhile (API reference,
 * DeleteSecret): no name is used twice, so an integration may reuse an id at once.
 */
export function clientSecretStore(
  { newIn, ...places }: ClientSecretPlaces & { readonly rows: ClientSecretRows; readonly newIn: ClientSecretPlace },
  prefix: string,
  random: Random,
): ClientSecretStore {
  const { client, rows } = places;
  const create = async (secretId: string, credentials: ClientCredentials): Promise<void> => {
    const SecretString = JSON.stringify(toJson(credentials));
    if (isRowName(secretId)) return rows.write(secretId, SecretString);
    await client.send(
      new CreateSecretCommand({ Name: secretId, Description: 'OAuth client of an integration', SecretString }),
    );
  };
  // A row is in this stack's table; one that a restore brought from another stack cannot be read.
  const isOwn = (accountId: string, secretId: string) =>
    isRowName(secretId) ? isRowNameOf(secretId, accountId) : secretId.startsWith(`${prefix}/integration/${accountId}/`);
  return {
    isOwn,

    isInPlace: (secretId) => isRowName(secretId) === (newIn === 'table'),

    newName({ accountId, integrationId }) {
      if (newIn === 'table') return newRowName(accountId, random);
      const suffix = Buffer.from(random.bytes(NAME_SUFFIX_BYTES)).toString('hex');
      return `${prefix}/integration/${accountId}/${secretNamePart(integrationId)}/${suffix}`;
    },

    create,

    read: async (accountId, secretId) =>
      isOwn(accountId, secretId) ? parseClientCredentials(await readClientSecret(places, secretId)) : undefined,

    async write(accountId, secretId, credentials) {
      if (!isOwn(accountId, secretId)) throw new Error('A client secret of another account or stack');
      const SecretString = JSON.stringify(toJson(credentials));
      if (isRowName(secretId)) return rows.write(secretId, SecretString);
      try {
        await client.send(new PutSecretValueCommand({ SecretId: secretId, SecretString }));
      } catch (error) {
        if (!isNamed(error, 'ResourceNotFoundException')) throw error;
        await create(secretId, credentials);
      }
    },

    async delete(accountId, secretId) {
      if (!isOwn(accountId, secretId)) return;
      if (isRowName(secretId)) return rows.delete(secretId);
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
