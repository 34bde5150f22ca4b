import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { PickedFile, PickRecord } from '../connections/authorized-session.rules.ts';
import { CONNECTED_STATUSES, NOT_YET_CONNECTED, pickPut } from '../connections/authorized-session.store.ts';
import { eventPut, writeTogether } from '../events/event.store.ts';
import {
  bool,
  type Item,
  num,
  optionalMap,
  optionalStr,
  str,
  type Table,
  UnreadableItemError,
} from '../platform/dynamodb/client.ts';
import { connectionItemKey, pickItemKey, sessionItemKey } from '../platform/dynamodb/keys.ts';
import type { PickStore } from './ports.ts';

/** Picked files, under their connections. */
export function pickStore(table: Table): PickStore {
  const { client, tableName } = table;
  return {
    async save(ref, pick, session, event) {
      const failed = await writeTogether(table, [
        {
          Update: {
            TableName: tableName,
            Key: sessionItemKey(session.sessionHash),
            UpdateExpression: 'SET #status = :connected, #outcome = :outcome',
            ConditionExpression: `attribute_exists(pk) AND ${NOT_YET_CONNECTED}`,
            ExpressionAttributeNames: { '#status': 'status', '#outcome': 'outcome' },
            ExpressionAttributeValues: { ...CONNECTED_STATUSES, ':outcome': session.outcome },
          },
        },
        {
          ConditionCheck: {
            TableName: tableName,
            Key: connectionItemKey(ref),
            ConditionExpression: '#status = :active',
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: { ':active': 'active' },
          },
        },
        pickPut(tableName, ref, pick),
        eventPut(tableName, event),
      ]);
      if (failed === undefined) return 'saved';
      return failed[0] === true ? 'session_over' : 'connection_ended';
    },

    async read(ref, pickId) {
      const { Item } = await client.send(
        new GetCommand({ TableName: tableName, Key: pickItemKey(ref, pickId), ConsistentRead: true }),
      );
      return Item === undefined ? undefined : pickFromItem(Item);
    },
  };
}

/** An item as the pick it stores. */
export function pickFromItem(item: Item): PickRecord {
  const account = optionalMap(item, 'account');
  const { files } = item;
  if (account === undefined || !Array.isArray(files)) throw new UnreadableItemError('pick');
  return {
    pickId: str(item, 'pickId'),
    files: files.map(
      (file: Item): PickedFile => ({
        id: str(file, 'id'),
        mimeType: optionalStr(file, 'mimeType'),
        confirmed: bool(file, 'confirmed'),
      }),
    ),
    account: { permissionId: str(account, 'permissionId'), email: optionalStr(account, 'email') ?? null },
    actor: str(item, 'actor'),
    pickedAtEpochSec: num(item, 'pickedAtEpochSec'),
  };
}
