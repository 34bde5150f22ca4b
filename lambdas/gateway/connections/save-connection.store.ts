import { pickPut } from '../authorization/pick.store.ts';
import { YIELDED, YIELDED_NOTHING } from '../authorization/session.store.ts';
import { eventPut, writeTogether } from '../events/event.store.ts';
import type { LifecycleEvent } from '../events/lifecycle-event.rules.ts';
import type { Table } from '../platform/dynamodb/client.ts';
import { sessionItemKey } from '../platform/dynamodb/keys.ts';
import type { Connection } from './connection.rules.ts';
import { connectionToItem } from './connection-item.store.ts';
import type { AuthorizedSession } from './ports.ts';
import { unconfirmedDelete } from './unconfirmed-grant.store.ts';

/** The transaction's part that writes a connection, fenced by epoch and sequence of the row it replaces. */
export function connectionPut(tableName: string, connection: Connection, replacing: Connection | undefined) {
  return {
    Put: {
      TableName: tableName,
      Item: connectionToItem(connection),
      ...(replacing === undefined
        ? { ConditionExpression: 'attribute_not_exists(pk)' }
        : {
            ConditionExpression: 'epoch = :epoch AND #sequence = :sequence',
            ExpressionAttributeNames: { '#sequence': 'sequence' },
            ExpressionAttributeValues: { ':epoch': replacing.epoch, ':sequence': replacing.sequence },
          }),
    },
  };
}

/**
 * Writes connection, events and the session's end together, so that one session yields at most one connection (CS-1).
 * A session whose connection lacks scopes may write that one connection again.
 */
export async function saveAuthorized(
  table: Table,
  connection: Connection,
  replacing: Connection | undefined,
  events: readonly LifecycleEvent[],
  session: AuthorizedSession,
): Promise<'saved' | 'session_over' | 'conflict'> {
  const endSession = {
    Update: {
      TableName: table.tableName,
      Key: sessionItemKey(session.sessionHash),
      UpdateExpression: 'SET #status = :connected, #outcome = :outcome, mayAskAgain = :again',
      ...endCondition(session, connection),
    },
  };
  const failed = await writeTogether(table, [
    endSession,
    connectionPut(table.tableName, connection, replacing),
    ...(session.unconfirmed === undefined ? [] : [unconfirmedDelete(table.tableName, session.unconfirmed)]),
    ...(session.pick === undefined ? [] : [pickPut(table.tableName, connection, session.pick)]),
    ...events.map((event) => eventPut(table.tableName, event)),
  ]);
  if (failed === undefined) return 'saved';
  const isOver = failed[0] === true || (session.unconfirmed !== undefined && failed[2] === true);
  return isOver ? 'session_over' : 'conflict';
}

/** A session ends once: with its connection, or with the confirmation of what waits for it. */
function endCondition(session: AuthorizedSession, connection: Connection) {
  const names = { '#status': 'status', '#outcome': 'outcome' };
  const values = { ':connected': 'connected', ':outcome': session.outcome, ':again': session.mayAskAgain };
  if (session.unconfirmed !== undefined) {
    return {
      ConditionExpression: 'attribute_exists(pk) AND #status = :waiting',
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ...values, ':waiting': YIELDED[':waiting'] },
    };
  }
  return {
    ConditionExpression: `attribute_exists(pk) AND ((${YIELDED_NOTHING}) OR (mayAskAgain = :true AND #outcome.connectionId = :connection))`,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: { ...values, ...YIELDED, ':true': true, ':connection': connection.connectionId },
  };
}
