import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
// In a project of your own: '@integration-gateway/client'.
import { GatewayClient } from '../../packages/client/src/index.ts';

/** A file as the index has it. */
export interface IndexedFile {
  readonly connectionId: string;
  readonly fileId: string;
  readonly name: string;
  readonly modifiedTime: string;
}

interface DriveFile {
  readonly id: string;
  readonly name: string;
  readonly modifiedTime: string;
}

/** Reads all files of a connection, page by page. @param keep takes each of them @returns how many there were */
export async function indexFiles(
  gateway: Pick<GatewayClient, 'items'>,
  connectionId: string,
  keep: (file: IndexedFile) => Promise<void>,
): Promise<number> {
  const files = gateway.items<DriveFile>({
    ...{ providerConfigKey: 'drive-index', connectionId, endpoint: '/drive/v3/files' },
    params: { fields: 'nextPageToken,files(id,name,modifiedTime)', pageSize: 100 },
  });
  let count = 0;
  for await (const { id, name, modifiedTime } of files) {
    await keep({ connectionId, fileId: id, name, modifiedTime });
    count++;
  }
  return count;
}

/** Invoke it with `{"connectionId": "…"}`; the address and the right to call come from `grantCall`. */
export async function handler({
  connectionId,
}: {
  readonly connectionId: string;
}): Promise<{ readonly indexed: number }> {
  const table = DynamoDBDocumentClient.from(new DynamoDBClient());
  const indexed = await indexFiles(new GatewayClient(), connectionId, async (Item) => {
    await table.send(new PutCommand({ TableName: process.env.INDEX_TABLE, Item }));
  });
  return { indexed };
}
