/** Answers the AWS calls a cold proxy makes, from memory and at once, and counts them. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { marshall } from '@aws-sdk/util-dynamodb';
import { connectionToItem } from '../../lambdas/gateway/connections/connection-item.store.ts';
import { integrationToItem } from '../../lambdas/gateway/integrations/integration-item.store.ts';
import { dataKeyItemKey, secretKeyItemKey } from '../../lambdas/gateway/platform/dynamodb/keys.ts';
import { periodKeyNumber } from '../../lambdas/gateway/platform/kms/token-cipher.ts';
import { DATA_KEY, type SampleRecords } from './sample.ts';

/** The server, not yet listening, and how often each operation was called. */
export interface EmulatedAws {
  readonly server: Server;
  readonly calls: ReadonlyMap<string, number>;
}

/** DynamoDB and KMS for one table with the sample's records, JSON 1.0 and 1.1. */
export function emulatedAws(tableName: string, records: SampleRecords): EmulatedAws {
  const calls = new Map<string, number>();
  const answers = answersFor(tableName, records);
  const server = createServer((request, response) => {
    const operation = operationOf(request);
    calls.set(operation, (calls.get(operation) ?? 0) + 1);
    const answer = answers[operation];
    request.resume();
    response.writeHead(answer === undefined ? 501 : 200, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(
      answer ?? JSON.stringify({ __type: 'NotEmulated', message: `${operation} is not part of a proxied call` }),
    );
  });
  server.keepAliveTimeout = 600_000;
  return { server, calls };
}

/** `DynamoDB_20120810.BatchGetItem` -> `BatchGetItem`. */
function operationOf(request: IncomingMessage): string {
  const target = request.headers['x-amz-target'];
  return (typeof target === 'string' ? target.split('.')[1] : undefined) ?? 'unknown';
}

function answersFor(tableName: string, { key, integration, connection }: SampleRecords): Record<string, string> {
  const { right, ...rest } = key;
  const keyItem = { ...secretKeyItemKey(key.keyHash), type: 'secret_key', ...rest, keyRight: right };
  const item = (value: Record<string, unknown>) => marshall(value, { removeUndefinedValues: true });
  const dataKeyItem = {
    ...item({ ...dataKeyItemKey({ accountId: connection.accountId, purpose: 'tokens' }, periodKeyNumber(Date.now())) }),
    // What a data key looks like when wrapped is known to KMS alone.
    wrappedKey: { B: DATA_KEY.toString('base64') },
  };
  return {
    BatchGetItem: JSON.stringify({
      Responses: {
        [tableName]: [
          ...[keyItem, integrationToItem(integration), connectionToItem(connection)].map(item),
          dataKeyItem,
        ],
      },
      UnprocessedKeys: {},
    }),
    GetItem: JSON.stringify({ Item: dataKeyItem }),
    UpdateItem: JSON.stringify({ Attributes: { callCount: { N: '0' } } }),
    Decrypt: JSON.stringify({ KeyId: 'bench', Plaintext: DATA_KEY.toString('base64') }),
  };
}
