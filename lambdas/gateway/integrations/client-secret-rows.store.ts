import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { TokenCipher } from '../core/ports.ts';
import { str, type Table } from '../platform/dynamodb/client.ts';
import { clientSecretItemKey } from '../platform/dynamodb/keys.ts';
import { placeOfRow as placeOf } from './integration.rules.ts';

/** Client secrets that are rows of the table, encrypted under data keys of their own purpose. */
export interface ReadableSecretRows {
  /** Undefined for a missing one, and for one of another stack, whose key this one does not have. */
  read(name: string): Promise<string | undefined>;
}

/** The same for the function that makes and removes them. */
export interface ClientSecretRows extends ReadableSecretRows {
  write(name: string, text: string): Promise<void>;
  delete(name: string): Promise<void>;
}

/** Rows of client secrets in the main table, for functions that only read them. */
export function readableSecretRows({ client, tableName: TableName }: Table, cipher: TokenCipher): ReadableSecretRows {
  return {
    async read(name) {
      const { accountId, id, context } = placeOf(name);
      const Key = clientSecretItemKey(accountId, id);
      // A reader must find what another function has just moved here.
      const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
      if (Item === undefined) return undefined;
      try {
        return await cipher.decrypt(context, str(Item, 'sealed'));
      } catch (error) {
        if (error instanceof Error && error.name === 'CipherError') return undefined;
        throw error;
      }
    },
  };
}

/** The same, for the function that makes and removes them. */
export function clientSecretRows(table: Table, cipher: TokenCipher): ClientSecretRows {
  const { client, tableName: TableName } = table;
  return {
    ...readableSecretRows(table, cipher),

    async write(name, text) {
      const { accountId, id, context } = placeOf(name);
      const sealed = await cipher.encrypt(context, text);
      const Item = { ...clientSecretItemKey(accountId, id), type: 'client_secret', accountId, sealed };
      await client.send(new PutCommand({ TableName, Item }));
    },

    async delete(name) {
      const { accountId, id } = placeOf(name);
      await client.send(new DeleteCommand({ TableName, Key: clientSecretItemKey(accountId, id) }));
    },
  };
}
