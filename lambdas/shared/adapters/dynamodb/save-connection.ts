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

/** Writes connection, event and the session's end together, so that one session yields at most one connection (CS-1). */
export async function saveAuthorized(
  table: Table,
  connection: Connection,
  replacing: Connection | undefined,
  event: LifecycleEvent,
  session: { readonly sessionHash: string; readonly outcome: SessionOutcome },
): Promise<'saved' | 'session_over' | 'conflict'> {
  const endSession = {
    Update: {
      TableName: table.tableName,
      Key: sessionItemKey(session.sessionHash),
      UpdateExpression: 'SET #status = :connected, #outcome = :outcome',
      ConditionExpression: 'attribute_exists(pk) AND #status <> :connected',
      ExpressionAttributeNames: { '#status': 'status', '#outcome': 'outcome' },
      ExpressionAttributeValues: { ':connected': 'connected', ':outcome': session.outcome },
    },
  };
  const failed = await writeTogether(table, [
    connectionPut(table.tableName, connection, replacing),
    eventPut(table.tableName, event),
    endSession,
  ]);
  if (failed === undefined) return 'saved';
  return failed[2] === true ? 'session_over' : 'conflict';
}
