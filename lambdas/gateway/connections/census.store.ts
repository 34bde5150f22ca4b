import { GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { LISTED_HEALTH_ATTRIBUTES, TABLE } from '../core/contract.ts';
import {
  type Item,
  isConditionFailure,
  num,
  oneOf,
  optionalMap,
  optionalStr,
  readable,
  str,
  type Table,
  UnreadableItemError,
} from '../platform/dynamodb/client.ts';
import { censusItemKey, connectionListKey } from '../platform/dynamodb/keys.ts';
import {
  type Census,
  type CountedFrom,
  type CountedRow,
  type IntegrationTally,
  NOTHING_COUNTED,
  type Tally,
} from './census.rules.ts';
import { factsFromItem, listedCallFault } from './connection-item.store.ts';
import { INCIDENT_STATES } from './incidents.rules.ts';
import type { CensusStore } from './ports.ts';

const { byAccount } = TABLE.indexes;

/** The running count in one item of the account; pages of the index that lists use, of which what is counted comes back. */
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
    async page(accountId, position) {
      const { facts, callFault } = LISTED_HEALTH_ATTRIBUTES;
      const { Items = [], LastEvaluatedKey } = await table.client.send(
        new QueryCommand({
          TableName: table.tableName,
          IndexName: byAccount.name,
          KeyConditionExpression: `${byAccount.partitionKey} = :account${position === undefined ? '' : ` AND ${byAccount.sortKey} > :position`}`,
          ProjectionExpression: 'integrationId, connectionId, #status, cause, #facts, #callFault',
          ExpressionAttributeNames: { '#status': 'status', '#facts': facts, '#callFault': callFault },
          ExpressionAttributeValues: {
            ':account': connectionListKey(accountId),
            ...(position === undefined ? {} : { ':position': position }),
          },
        }),
      );
      return {
        rows: readable(Items, rowOf, table.onUnreadable),
        next: LastEvaluatedKey === undefined ? undefined : str(LastEvaluatedKey, byAccount.sortKey),
      };
    },
  };
}

function rowOf(item: Item): CountedRow {
  return {
    integrationId: str(item, 'integrationId'),
    connectionId: str(item, 'connectionId'),
    status: str(item, 'status'),
    cause: optionalStr(item, 'cause'),
    callFault: listedCallFault(item),
    facts: factsFromItem(item),
  };
}

/** The stored count; one of an earlier version without all members is started again. */
function censusFromItem(item: Item): Census {
  const accountId = str(item, 'accountId');
  const version = num(item, 'version');
  const sofar = tallyFromItem(optionalMap(item, 'sofar'));
  const from = fromItem(optionalMap(item, 'from'));
  const counted = optionalMap(item, 'counted');
  const tally = tallyFromItem(counted);
  const countedFrom = fromItem(optionalMap(counted ?? {}, 'from'));
  const isUnderWay = sofar !== undefined && from !== undefined;
  return {
    accountId,
    version,
    position: isUnderWay ? optionalStr(item, 'position') : undefined,
    sofar: isUnderWay ? sofar : NOTHING_COUNTED,
    from: isUnderWay ? from : undefined,
    counted:
      counted === undefined || tally === undefined || countedFrom === undefined
        ? undefined
        : { ...tally, from: countedFrom, countedAtEpochSec: num(counted, 'countedAtEpochSec') },
    changesSince: optionalStr(item, 'changesSince'),
  };
}

function tallyFromItem(item: Item | undefined): Tally | undefined {
  const integrations = item === undefined ? undefined : optionalMap(item, 'integrations');
  if (item === undefined || integrations === undefined) return undefined;
  return {
    active: num(item, 'active'),
    causes: countsIn(item, 'causes'),
    integrations: Object.fromEntries(
      Object.keys(integrations).map((id) => {
        const one = optionalMap(integrations, id) ?? {};
        const tally: IntegrationTally = {
          active: num(one, 'active'),
          failing: num(one, 'failing'),
          ...(one.refused === undefined ? {} : { refused: num(one, 'refused') }),
          ...(one.stopped === undefined ? {} : { stopped: num(one, 'stopped') }),
          ...(one.health === undefined ? {} : { health: countsIn(one, 'health') }),
          causes: countsIn(one, 'causes'),
          endsByDay: countsIn(one, 'endsByDay'),
        };
        return [id, tally];
      }),
    ),
    ends: mapsIn(item, 'ends').map((end) => ({ ...placeOf(end), atEpochSec: num(end, 'atEpochSec') })),
    crowded: mapsIn(item, 'crowded').map(placeOf),
    incidents: mapsIn(item, 'incidents').map((one) => ({
      integrationId: str(one, 'integrationId'),
      state: oneOf(one, 'state', INCIDENT_STATES),
      reason: str(one, 'reason'),
      certain: one.certain === true,
      count: num(one, 'count'),
      firstEpochSec: num(one, 'firstEpochSec'),
      lastEpochSec: num(one, 'lastEpochSec'),
    })),
  };
}

function placeOf(item: Item) {
  return { integrationId: str(item, 'integrationId'), connectionId: str(item, 'connectionId') };
}

function fromItem(item: Item | undefined): CountedFrom | undefined {
  if (item === undefined) return undefined;
  const changes = optionalMap(item, 'changes') ?? {};
  return {
    day: str(item, 'day'),
    changes: Object.fromEntries(Object.keys(changes).map((id) => [id, countsIn(changes, id)])),
  };
}

function mapsIn(item: Item, name: string): Item[] {
  const list: unknown = item[name];
  return Array.isArray(list) ? list : [];
}

function countsIn(item: Item, name: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [key, count] of Object.entries(optionalMap(item, name) ?? {})) {
    if (typeof count !== 'number') throw new UnreadableItemError(name);
    counts[key] = count;
  }
  return counts;
}
