import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { TABLE } from '../../contract.ts';
import type { ConnectSession, ConnectSessionStatus, SessionIntegrationDefaults } from '../../domain/connect-session.ts';
import { TTL_GRACE_SEC } from '../../domain/limits.ts';
import type { ConnectSessionStore } from '../../ports.ts';
import { isConditionFailure, type Table } from './client.ts';
import { readEndUser } from './connection-item.ts';
import { bool, type Item, num, oneOf, optionalMap, optionalStr, str, stringMap, strings } from './item-reader.ts';
import { sessionItemKey } from './keys.ts';

/** Connect sessions by the hash of their token. */
export function connectSessionStore(table: Table): ConnectSessionStore {
  const { client, tableName } = table;
  const update = async (sessionHash: string, expression: object): Promise<boolean> => {
    try {
      await client.send(
        new UpdateCommand({ TableName: tableName, Key: sessionItemKey(sessionHash), ...expression }),
      );
      return true;
    } catch (error) {
      if (isConditionFailure(error)) return false;
      throw error;
    }
  };
  return {
    async create(session) {
      await client.send(
        new PutCommand({
          TableName: tableName,
          Item: {
            ...sessionItemKey(session.sessionHash),
            type: 'connect_session',
            ...session,
            // The table's TTL attribute carries the end of the row, not of the session.
            endsAtEpochSec: session.expiresAtEpochSec,
            [TABLE.timeToLive]: session.expiresAtEpochSec + TTL_GRACE_SEC,
          },
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      );
    },

    async find(sessionHash) {
      const { Item } = await client.send(
        new GetCommand({ TableName: tableName, Key: sessionItemKey(sessionHash), ConsistentRead: true }),
      );
      return Item === undefined ? undefined : sessionFromItem(Item);
    },

    start: (sessionHash, browserHash) =>
      update(sessionHash, {
        UpdateExpression: 'SET #status = :authorizing, browserHash = :browser REMOVE #outcome',
        ConditionExpression:
          'attribute_exists(pk) AND #status <> :connected AND (attribute_not_exists(browserHash) OR browserHash = :browser)',
        ExpressionAttributeNames: { '#status': 'status', '#outcome': 'outcome' },
        ExpressionAttributeValues: { ':authorizing': 'authorizing', ':connected': 'connected', ':browser': browserHash },
      }),

    finish: (sessionHash, status, outcome) =>
      update(sessionHash, {
        UpdateExpression: 'SET #status = :status, #outcome = :outcome',
        ConditionExpression: 'attribute_exists(pk) AND #status <> :connected',
        ExpressionAttributeNames: { '#status': 'status', '#outcome': 'outcome' },
        ExpressionAttributeValues: { ':status': status, ':outcome': outcome, ':connected': 'connected' },
      }),

    async delete(sessionHash) {
      await client.send(new DeleteCommand({ TableName: tableName, Key: sessionItemKey(sessionHash) }));
    },
  };
}

function sessionFromItem(item: Item): ConnectSession {
  const outcome = optionalMap(item, 'outcome');
  const reconnect = optionalMap(item, 'reconnect');
  const defaults = optionalMap(item, 'defaults') ?? {};
  return {
    sessionHash: str(item, 'sessionHash'),
    accountId: str(item, 'accountId'),
    endUser: readEndUser(optionalMap(item, 'endUser')),
    tags: stringMap(item, 'tags'),
    allowedIntegrations: strings(item, 'allowedIntegrations'),
    defaults: Object.fromEntries(
      Object.keys(defaults).map((key) => [key, readDefaults(optionalMap(defaults, key) ?? {})]),
    ),
    reconnect:
      reconnect === undefined
        ? undefined
        : { integrationId: str(reconnect, 'integrationId'), connectionId: str(reconnect, 'connectionId') },
    allowAccountChange: bool(item, 'allowAccountChange'),
    returnUrl: optionalStr(item, 'returnUrl'),
    status: oneOf<ConnectSessionStatus>(item, 'status', ['pending', 'authorizing', 'connected', 'refused', 'failed']),
    outcome:
      outcome === undefined
        ? undefined
        : {
            integrationId: optionalStr(outcome, 'integrationId'),
            connectionId: optionalStr(outcome, 'connectionId'),
            errorType: optionalStr(outcome, 'errorType'),
            message: optionalStr(outcome, 'message'),
          },
    browserHash: optionalStr(item, 'browserHash'),
    createdAtEpochSec: num(item, 'createdAtEpochSec'),
    expiresAtEpochSec: num(item, 'endsAtEpochSec'),
  };
}

function readDefaults(map: Item): SessionIntegrationDefaults {
  return {
    scopes: map.scopes === undefined ? undefined : strings(map, 'scopes'),
    authorizationParams: stringMap(map, 'authorizationParams'),
  };
}
