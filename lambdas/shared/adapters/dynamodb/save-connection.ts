import type { SessionOutcome } from '../../domain/connect-session.ts';
import type { Connection } from '../../domain/connection.ts';
import type { LifecycleEvent } from '../../domain/lifecycle-event.ts';
import type { Table } from './client.ts';
import { connectionToItem } from './connection-item.ts';
import { eventPut } from './event-item.ts';
import { sessionItemKey } from './keys.ts';
import { writeTogether } from './transition.ts';

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
  session: { readonly sessionHash: string; readonly outcome: SessionOutcome; readonly mayAskAgain: boolean },
): Promise<'saved' | 'session_over' | 'conflict'> {
  const endSession = {
    Update: {
      TableName: table.tableName,
      Key: sessionItemKey(session.sessionHash),
      UpdateExpression: 'SET #status = :connected, #outcome = :outcome, mayAskAgain = :again',
      ConditionExpression:
        'attribute_exists(pk) AND (#status <> :connected OR (mayAskAgain = :true AND #outcome.connectionId = :connection))',
      ExpressionAttributeNames: { '#status': 'status', '#outcome': 'outcome' },
      ExpressionAttributeValues: {
        ':connected': 'connected',
        ':outcome': session.outcome,
        ':again': session.mayAskAgain,
        ':true': true,
        ':connection': connection.connectionId,
      },
    },
  };
  const failed = await writeTogether(table, [
    endSession,
    connectionPut(table.tableName, connection, replacing),
    ...events.map((event) => eventPut(table.tableName, event)),
  ]);
  if (failed === undefined) return 'saved';
  return failed[0] === true ? 'session_over' : 'conflict';
}
