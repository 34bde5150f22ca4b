import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { optionalStr, type Table } from '../platform/dynamodb/client.ts';
import { testClientItemKey } from '../platform/dynamodb/keys.ts';
import type { ProviderId } from '../providers/provider.rules.ts';
import type { Integration } from './integration.rules.ts';
import type { ClientIdSource, TestClientNotes } from './ports.ts';

/**
 * OAuth client ids for functions that read no secret: an integration's own is in its row, that of test credentials in a row that those
 * who read the secret keep. Strongly consistent.
 */
export function clientIdSource(table: Table): ClientIdSource {
  return {
    clientIdOf: async ({ credentialsSource, secretId, clientId, provider }: Integration) =>
      credentialsSource === 'test' ? readNoted(table, provider) : secretId === undefined ? undefined : clientId,
  };
}

/** Keeps the client ids of test credentials in rows: reads one, and writes it only where it has changed. */
export function testClientNotes(table: Table): TestClientNotes {
  const { client, tableName: TableName } = table;
  return {
    async note(provider, clientId) {
      if ((await readNoted(table, provider)) === clientId) return;
      const Item = { ...testClientItemKey(provider), type: 'test_client', provider, clientId };
      await client.send(new PutCommand({ TableName, Item }));
    },
  };
}

async function readNoted({ client, tableName }: Table, provider: ProviderId): Promise<string | undefined> {
  const Key = testClientItemKey(provider);
  const { Item } = await client.send(new GetCommand({ TableName: tableName, Key, ConsistentRead: true }));
  return Item === undefined ? undefined : optionalStr(Item, 'clientId');
}
