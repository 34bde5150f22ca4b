import { GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { TABLE } from '../contract.ts';
import { isConditionFailure, type Table } from '../platform/dynamodb/client.ts';
import {
  type Item,
  num,
  optionalMap,
  optionalStr,
  str,
  UnreadableItemError,
} from '../platform/dynamodb/item-reader.ts';
import { censusItemKey, connectionListKey } from '../platform/dynamodb/keys.ts';
import type { Census, Tally } from './census.rules.ts';
import type { CensusStore } from './ports.ts';

const { byAccount } = TABLE.indexes;

/** The running count in one item of the account; pages of the index that lists use, of which two attributes come back. */
export function censusStore(table: Table): CensusStore {
  return {
    async read(accountId) {
      const { Item } = await table.client.send(
        new GetCommand({ TableName: table.tableName, Key: censusItemKey(accountId), ConsistentRead: true }),
      );
      return Item === undefined ? undefined : censusFromItem(Item);
    },
    async save(census) {
      const { version, ...rest } = census;
      try {
        await table.client.send(
          new PutCommand({
            TableName: table.tableName,
            Item: { ...censusItemKey(census.accountId), type: 'census', ...rest, version: version + 1 },
            ConditionExpression: 'attribute_not_exists(version) OR version = :version',
            ExpressionAttributeValues: { ':version': version },
          }),
        );
        return true;
      } catch (error) {
        if (isConditionFailure(error)) return false;
        throw error;
      }
    },
    async countPage(accountId, position) {
      const { Items = [], LastEvaluatedKey } = await table.client.send(
        new QueryCommand({
          TableName: table.tableName,
          IndexName: byAccount.name,
          KeyConditionExpression: `${byAccount.partitionKey} = :account${position === undefined ? '' : ` AND ${byAccount.sortKey} > :position`}`,
          ProjectionExpression: '#status, cause',
          ExpressionAttributeNames: { '#status': 'status' },
          ExpressionAttributeValues: {
            ':account': connectionListKey(accountId),
            ...(position === undefined ? {} : { ':position': position }),
          },
        }),
      );
      return {
        tally: tallyOf(Items),
        next: LastEvaluatedKey === undefined ? undefined : str(LastEvaluatedKey, byAccount.sortKey),
      };
    },
  };
}

function tallyOf(items: readonly Item[]): Tally {
  let active = 0;
  const causes: Record<string, number> = {};
  for (const item of items) {
    if (item.status === 'active') active++;
    else {
      const cause = typeof item.cause === 'string' ? item.cause : 'unknown';
      causes[cause] = (causes[cause] ?? 0) + 1;
    }
  }
  return { active, causes };
}

function censusFromItem(item: Item): Census {
  const counted = optionalMap(item, 'counted');
  return {
    accountId: str(item, 'accountId'),
    version: num(item, 'version'),
    position: optionalStr(item, 'position'),
    sofar: tallyFromItem(optionalMap(item, 'sofar') ?? {}),
    counted:
      counted === undefined
        ? undefined
        : { ...tallyFromItem(counted), countedAtEpochSec: num(counted, 'countedAtEpochSec') },
  };
}

function tallyFromItem(item: Item): Tally {
  const causes: Record<string, number> = {};
  for (const [cause, count] of Object.entries(optionalMap(item, 'causes') ?? {})) {
    if (typeof count !== 'number') throw new UnreadableItemError('causes');
    causes[cause] = count;
  }
  return { active: num(item, 'active'), causes };
}
