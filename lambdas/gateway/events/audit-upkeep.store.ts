import { PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { TABLE } from '../core/contract.ts';
import { firstUlidOf, timeOfUlid } from '../core/identifiers.ts';
import { AUDIT_CONNECTIONS_PER_TICK, AUDIT_EVENTS_PER_TICK, AUDIT_WRITES_AT_ONCE } from '../core/limits.ts';
import { type Item, isDone, str, type Table } from '../platform/dynamodb/client.ts';
import {
  accountPk,
  auditWalkItemKey,
  connectionListKey,
  EVENT_SK_PREFIX,
  eventListKey,
} from '../platform/dynamodb/keys.ts';
import type { AuditWalk } from './audit-walk.rules.ts';
import { readAuditWalk } from './event.store.ts';
import type { AuditUpkeep } from './ports.ts';

const { byAccount } = TABLE.indexes;

/** Adds events of an earlier version, which lack a place in the account's list, to it. */
export function auditUpkeep(table: Table): AuditUpkeep {
  const { client, tableName } = table;

  /** Time of the first event in the list; now where it has none. */
  const listedSinceMs = async (accountId: string, nowMs: number): Promise<number> => {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: tableName,
        IndexName: byAccount.name,
        KeyConditionExpression: `${byAccount.partitionKey} = :list`,
        ExpressionAttributeValues: { ':list': eventListKey(accountId) },
        Limit: 1,
      }),
    );
    const [first] = Items;
    return (first === undefined ? undefined : timeOfUlid(str(first, byAccount.sortKey))) ?? nowMs;
  };

  /** Gives events of a partition without a place one in the list. @returns how many, and where it stopped */
  const listEvents = async (pk: string, accountId: string, position: string | undefined, walk: AuditWalk) => {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new QueryCommand({
        TableName: tableName,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
        FilterExpression: `attribute_not_exists(${byAccount.partitionKey})`,
        ProjectionExpression: 'pk, sk, eventId',
        ExpressionAttributeValues: {
          ':pk': pk,
          ':first': position ?? EVENT_SK_PREFIX,
          // Later events were listed when they were written.
          ':last': EVENT_SK_PREFIX + firstUlidOf(walk.sinceMs + 1),
        },
        Limit: AUDIT_EVENTS_PER_TICK,
      }),
    );
    const waiting = [...Items];
    const listNext = async () => {
      for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await listOne(item, accountId);
    };
    await Promise.all(Array.from({ length: AUDIT_WRITES_AT_ONCE }, listNext));
    return { count: Items.length, next: LastEvaluatedKey === undefined ? undefined : str(LastEvaluatedKey, 'sk') };
  };

  const listOne = ({ pk, sk, eventId }: Item, accountId: string) =>
    isDone(
      client.send(
        new UpdateCommand({
          TableName: tableName,
          Key: { pk, sk },
          UpdateExpression: `SET ${byAccount.partitionKey} = :list, ${byAccount.sortKey} = :id`,
          ConditionExpression: `attribute_exists(pk) AND attribute_not_exists(${byAccount.partitionKey})`,
          ExpressionAttributeValues: { ':list': eventListKey(accountId), ':id': eventId },
        }),
      ),
    );

  /** Events of some connections that were there before the list was. */
  const listOfConnections = async (accountId: string, walk: AuditWalk) => {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new QueryCommand({
        TableName: tableName,
        IndexName: byAccount.name,
        // Sorted by creation time: newer connections have only listed events.
        KeyConditionExpression: `${byAccount.partitionKey} = :list AND ${byAccount.sortKey} BETWEEN :from AND :to`,
        ProjectionExpression: `pk, ${byAccount.sortKey}`,
        ExpressionAttributeValues: {
          ':list': connectionListKey(accountId),
          ':from': walk.position ?? '0',
          ':to': `${new Date(walk.sinceMs).toISOString()}~`,
        },
        Limit: AUDIT_CONNECTIONS_PER_TICK,
      }),
    );
    const waiting = Items.map((item) => str(item, 'pk'));
    let count = 0;
    const listNext = async () => {
      for (let pk = waiting.pop(); pk !== undefined; pk = waiting.pop()) {
        let position: string | undefined;
        do {
          const listed = await listEvents(pk, accountId, position, walk);
          count += listed.count;
          position = listed.next;
        } while (position !== undefined);
      }
    };
    await Promise.all(Array.from({ length: AUDIT_WRITES_AT_ONCE }, listNext));
    return { count, next: LastEvaluatedKey === undefined ? undefined : str(LastEvaluatedKey, byAccount.sortKey) };
  };

  /** A part of the walk. @returns where it stands then */
  const walkOn = async (accountId: string, walk: AuditWalk): Promise<AuditWalk> => {
    const isOfAccount = walk.phase === 'account';
    const { count, next } = isOfAccount
      ? await listEvents(accountPk(accountId), accountId, walk.position, walk)
      : await listOfConnections(accountId, walk);
    return {
      ...walk,
      phase: next !== undefined ? walk.phase : isOfAccount ? 'connections' : 'complete',
      position: next,
      found: walk.found + count,
    };
  };

  return {
    read: (accountId) => readAuditWalk(table, accountId),

    async goOn(accountId, known, nowMs) {
      const walk: AuditWalk = known ?? {
        phase: 'account',
        position: undefined,
        sinceMs: await listedSinceMs(accountId, nowMs),
        found: 0,
      };
      let after = await walkOn(accountId, walk);
      // A gateway without an earlier version is through in its first tick, and never reports that events may be missing.
      if (after.phase === 'connections' && after.found === 0 && walk.phase === 'account') {
        after = await walkOn(accountId, after);
      }
      const Item = { ...auditWalkItemKey(accountId), type: 'audit_walk', ...after };
      await client.send(new PutCommand({ TableName: tableName, Item }));
      return { added: after.found - walk.found, walk: after };
    },
  };
}
