import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { BatchWriteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { systemRandom } from '../../../lambdas/gateway/platform/clock.ts';
import { dataKeyItemKey } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { tokenCipher } from '../../../lambdas/gateway/platform/kms/token-cipher.ts';
import { accessTokenContext, refreshTokenContext } from '../../../lambdas/gateway/tokens/ciphertexts.rules.ts';
import { connectionKey, tableClient } from '../../support/table.ts';
import type { FaultWorld, Subject } from './fault-world.ts';

const ACCOUNT_ID = 'default';
/** Most puts or deletes DynamoDB takes in one call. */
const WRITES_PER_CALL = 25;
const CALLS_AT_ONCE = 4;

/** Copies of one connection under other ids, with the same tokens, each encrypted for its own place. */
export interface Bulk {
  readonly connectionIds: readonly string[];
  remove(): Promise<void>;
}

/**
 * Writes copies of a connection straight into the table, as if so many users had connected.
 *
 * @param attributesOf what differs from the original, by connection id
 */
export async function writeCopies(
  world: FaultWorld,
  original: Subject,
  connectionIds: readonly string[],
  attributesOf: (connectionId: string) => Record<string, unknown>,
): Promise<Bulk> {
  const row = await original.row();
  const { integrationId } = original;
  const [accessToken] = world.ledger.accessTokens(original.key);
  const refreshToken = world.ledger.issued.get(accessToken?.parentSha256 ?? '');
  if (accessToken === undefined || refreshToken === undefined) throw new Error('The original has no tokens');
  const cipher = await openCipher(world, String(row.encryptedRefreshToken));
  const items = await Promise.all(
    connectionIds.map(async (connectionId, i) => {
      const ref = { accountId: ACCOUNT_ID, integrationId, connectionId };
      const { grantKey: _grant, grantClientId: _client, ...rest } = row;
      return {
        ...rest,
        ...connectionKey(integrationId, connectionId),
        connectionId,
        listSortKey: `${row.createdAt}#${i}`,
        encryptedAccessToken: await cipher.encrypt(accessTokenContext(ref), accessToken.token),
        encryptedRefreshToken: await cipher.encrypt(refreshTokenContext(ref), refreshToken.token),
        ...attributesOf(connectionId),
      };
    }),
  );
  await writeAll(
    world,
    items.map((Item) => ({ PutRequest: { Item } })),
  );
  return {
    connectionIds,
    remove: () =>
      writeAll(
        world,
        connectionIds.map((id) => ({ DeleteRequest: { Key: connectionKey(integrationId, id) } })),
      ),
  };
}

/** The product's own cipher, with the account's data key as the key service unwraps it. */
async function openCipher(world: FaultWorld, sample: string) {
  const keyNumber = Number(sample.split('.')[1]);
  const { gateway } = world.gateway;
  const { Item } = await tableClient(world.gateway).send(
    new GetCommand({
      TableName: gateway.tableName,
      Key: dataKeyItemKey({ accountId: ACCOUNT_ID, purpose: 'tokens' }, keyNumber),
    }),
  );
  const credentials = gateway.credentials.operator;
  const kms = new KMSClient({ endpoint: gateway.awsEndpoint, region: 'us-east-1', credentials });
  const { Plaintext: key } = await kms.send(
    new DecryptCommand({
      KeyId: gateway.tokenKeyArn,
      CiphertextBlob: Item?.wrappedKey,
      EncryptionContext: { account: ACCOUNT_ID, purpose: 'tokens' },
    }),
  );
  if (key === undefined) throw new Error('The data key could not be unwrapped');
  return tokenCipher({ current: async () => ({ keyNumber, key }), byNumber: async () => key }, systemRandom);
}

async function writeAll(world: FaultWorld, writes: readonly Record<string, unknown>[]): Promise<void> {
  const client = tableClient(world.gateway);
  const { tableName } = world.gateway.gateway;
  const batches = Array.from({ length: Math.ceil(writes.length / WRITES_PER_CALL) }, (_, i) =>
    writes.slice(i * WRITES_PER_CALL, (i + 1) * WRITES_PER_CALL),
  );
  await Promise.all(
    Array.from({ length: CALLS_AT_ONCE }, async () => {
      for (let batch = batches.pop(); batch !== undefined; batch = batches.pop()) {
        await client.send(new BatchWriteCommand({ RequestItems: { [tableName]: [...batch] } }));
      }
    }),
  );
}
