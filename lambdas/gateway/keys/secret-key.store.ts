import { GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { TABLE } from '../core/contract.ts';
import { REVOKED_KEY_RETENTION_SEC } from '../core/limits.ts';
import type { Whole } from '../core/whole.ts';
import { writeTransition } from '../events/event.store.ts';
import { batchGet } from '../platform/dynamodb/batch-get.ts';
import {
  type Item,
  isConditionFailure,
  isDone,
  oneOf,
  optionalMap,
  optionalNum,
  optionalStr,
  readable,
  str,
  strings,
  type Table,
} from '../platform/dynamodb/client.ts';
import { revokedKeyListKey, secretKeyItemKey, secretKeyListKey } from '../platform/dynamodb/keys.ts';
import { managedByOf } from '../platform/dynamodb/managed-by.ts';
import { isFirstKey, KEY_RIGHTS, type KeyRight, type SecretKeyRecord } from './credentials.rules.ts';
import type { SecretKeyStore } from './ports.ts';

/** Records of secret keys; the keys themselves are not stored. */
export function secretKeyStore(table: Table): SecretKeyStore {
  const { client, tableName } = table;
  return {
    async find(keyHash) {
      const { Item } = await client.send(
        new GetCommand({ TableName: tableName, Key: secretKeyItemKey(keyHash), ConsistentRead: true }),
      );
      return Item === undefined ? undefined : secretKeyFromItem(Item);
    },

    create: (record, event) =>
      writeTransition(
        table,
        {
          Put: {
            TableName: tableName,
            Item: secretKeyToItem(record),
            // A revoked role may be registered again; a key is never created twice.
            ConditionExpression:
              record.roleArn === undefined
                ? 'attribute_not_exists(pk)'
                : 'attribute_not_exists(pk) OR attribute_exists(revokedAt)',
          },
        },
        event,
      ),

    list: async (accountId) =>
      (await listed(table, secretKeyListKey(accountId))).filter(({ revokedAt }) => revokedAt === undefined),

    async listAll(accountId) {
      const lists = [secretKeyListKey(accountId), revokedKeyListKey(accountId)];
      const keys = (await Promise.all(lists.map((list) => listed(table, list)))).flat();
      return keys.sort(newestFirst);
    },

    revoke: (accountId, keyHash, { at, keepsRow }, event) =>
      writeTransition(
        table,
        {
          Update: {
            TableName: tableName,
            Key: secretKeyItemKey(keyHash),
            UpdateExpression: `SET revokedAt = :now, accountListKey = :list${keepsRow ? '' : `, ${TABLE.timeToLive} = :gone`}`,
            ConditionExpression: 'accountId = :account AND attribute_not_exists(revokedAt)',
            ExpressionAttributeValues: {
              ':now': at,
              ':list': revokedKeyListKey(accountId),
              ':account': accountId,
              ...(keepsRow ? {} : { ':gone': goneAt(at) }),
            },
          },
        },
        event,
      ),

    async retireRevoked(accountId) {
      const keys = await listed(table, secretKeyListKey(accountId));
      for (const { keyHash, revokedAt, createdBy } of keys) {
        if (revokedAt === undefined) continue;
        const isFirst = isFirstKey({ createdBy });
        await isDone(
          client.send(
            new UpdateCommand({
              TableName: tableName,
              Key: secretKeyItemKey(keyHash),
              UpdateExpression: `SET accountListKey = :list${isFirst ? '' : `, ${TABLE.timeToLive} = :gone`}`,
              // A role that was registered again is active.
              ConditionExpression: 'revokedAt = :revoked',
              ExpressionAttributeValues: {
                ':list': revokedKeyListKey(accountId),
                ':revoked': revokedAt,
                ...(isFirst ? {} : { ':gone': goneAt(revokedAt) }),
              },
            }),
          ),
        );
      }
    },

    setLimits: (accountId, keyHash, limits, event, managedBy) =>
      writeTransition(
        table,
        {
          Update: {
            TableName: tableName,
            Key: secretKeyItemKey(keyHash),
            UpdateExpression: `SET keyRight = :right${managedBy === undefined ? '' : ', managedBy = :managed'}${
              limits === undefined ? ' REMOVE limits' : ', limits = :limits'
            }`,
            ConditionExpression:
              'accountId = :account AND attribute_not_exists(revokedAt) AND keyRight IN (:proxy, :limited)',
            ExpressionAttributeValues: {
              ':right': limits === undefined ? 'proxy' : LIMITED,
              ':proxy': 'proxy',
              ':limited': LIMITED,
              ':account': accountId,
              ...(limits === undefined ? {} : { ':limits': limits }),
              ...(managedBy === undefined ? {} : { ':managed': managedBy }),
            },
          },
        },
        event,
      ),

    async noteUse({ keyHash }, nowEpochSec) {
      try {
        await client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: secretKeyItemKey(keyHash),
            UpdateExpression: 'SET lastUsedAtEpochSec = :now',
            ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(revokedAt)',
            ExpressionAttributeValues: { ':now': nowEpochSec },
          }),
        );
      } catch (error) {
        if (!isConditionFailure(error)) throw error;
      }
    },
  };
}

/** @param revokedAt ISO 8601 @returns epoch seconds */
function goneAt(revokedAt: string): number {
  return Math.floor(Date.parse(revokedAt) / 1000) + REVOKED_KEY_RETENTION_SEC;
}

/** The keys of a list, the newest first. */
async function listed(table: Table, list: string): Promise<SecretKeyRecord[]> {
  const hashes: string[] = [];
  let startKey: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.tableName,
        IndexName: TABLE.indexes.byAccount.name,
        KeyConditionExpression: 'accountListKey = :list',
        ExpressionAttributeValues: { ':list': list },
        ScanIndexForward: false,
        ExclusiveStartKey: startKey,
      }),
    );
    hashes.push(...readable(Items, (item) => str(item, 'keyHash'), table.onUnreadable));
    startKey = LastEvaluatedKey;
  } while (startKey !== undefined);
  // The index contains neither the last use nor the permission to read credentials.
  const items = await batchGet(table, hashes.map(secretKeyItemKey));
  return readable(items, secretKeyFromItem, table.onUnreadable).sort(newestFirst);
}

function newestFirst(a: SecretKeyRecord, b: SecretKeyRecord): number {
  return b.createdAt.localeCompare(a.createdAt);
}

/** Stored instead of the right of a key with limits. */
const LIMITED = 'limited';

/** A key record as its item. */
export function secretKeyToItem(record: SecretKeyRecord): Record<string, unknown> {
  return {
    ...secretKeyItemKey(record.keyHash),
    type: 'secret_key',
    accountId: record.accountId,
    keyHash: record.keyHash,
    name: record.name,
    // Versions without limits cannot read such a key, and refuse it (LK-17).
    keyRight: record.limits === undefined ? record.right : LIMITED,
    limits: record.limits,
    integrationIds: record.integrationIds,
    canReadCredentials: record.canReadCredentials,
    createdAt: record.createdAt,
    createdBy: record.createdBy,
    lastUsedAtEpochSec: record.lastUsedAtEpochSec,
    hint: record.hint,
    roleArn: record.roleArn,
    roleId: record.roleId,
    agent: record.agent,
    managedBy: record.managedBy,
    revokedAt: record.revokedAt,
    accountListKey:
      record.revokedAt === undefined ? secretKeyListKey(record.accountId) : revokedKeyListKey(record.accountId),
    listSortKey: `${record.createdAt}#${record.keyHash}`,
  };
}

/** An item as the key record it stores. */
export function secretKeyFromItem(item: Item): Whole<SecretKeyRecord> {
  const limits = optionalMap(item, 'limits');
  return {
    accountId: str(item, 'accountId'),
    keyHash: str(item, 'keyHash'),
    name: str(item, 'name'),
    right: limits === undefined ? oneOf<KeyRight>(item, 'keyRight', KEY_RIGHTS) : 'proxy',
    integrationIds: item.integrationIds === undefined ? undefined : strings(item, 'integrationIds'),
    // Absent on keys made before the permission existed.
    canReadCredentials: item.canReadCredentials === true,
    createdAt: str(item, 'createdAt'),
    createdBy: optionalStr(item, 'createdBy'),
    lastUsedAtEpochSec: optionalNum(item, 'lastUsedAtEpochSec'),
    hint: optionalStr(item, 'hint'),
    roleArn: optionalStr(item, 'roleArn'),
    roleId: optionalStr(item, 'roleId'),
    agent: optionalMap(item, 'agent'),
    managedBy: item.managedBy === undefined ? undefined : managedByOf(item),
    revokedAt: optionalStr(item, 'revokedAt'),
    limits,
  };
}
