import { DeleteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { CONNECT_STARTS_MAX } from '../core/limits.ts';
import { eventPut, writeTogether, writeTransition } from '../events/event.store.ts';
import type { Table } from '../platform/dynamodb/client.ts';
import { sessionItemKey } from '../platform/dynamodb/keys.ts';
import type { ConnectSession, PendingAuthorization } from './connect-session.rules.ts';
import { authorizationPut } from './pending-authorization.store.ts';
import type { ConnectSessionStore } from './ports.ts';
import { sessionFromItem, sessionToItem } from './session-item.store.ts';

/** Connect sessions by the hash of their token. */
export function connectSessionStore(table: Table): ConnectSessionStore {
  const { client, tableName } = table;
  return {
    async create(session, event) {
      const put = {
        Put: {
          TableName: tableName,
          Item: sessionToItem(session),
          ConditionExpression: 'attribute_not_exists(pk)',
        },
      };
      if (!(await writeTransition(table, put, event)))
        throw new Error('A new connect session had the digest of another');
    },

    async find(sessionHash) {
      const { Item } = await client.send(
        new GetCommand({ TableName: tableName, Key: sessionItemKey(sessionHash), ConsistentRead: true }),
      );
      return Item === undefined ? undefined : sessionFromItem(Item);
    },

    async start(session, pending, event) {
      const failed = await writeTogether(table, [
        { Update: { TableName: tableName, Key: sessionItemKey(session.sessionHash), ...startOf(session, pending) } },
        authorizationPut(tableName, pending),
        eventPut(tableName, event),
      ]);
      return failed === undefined;
    },

    async finish(sessionHash, status, outcome, event) {
      const end = {
        Update: {
          TableName: tableName,
          Key: sessionItemKey(sessionHash),
          UpdateExpression: 'SET #status = :status, #outcome = :outcome',
          ConditionExpression: `attribute_exists(pk) AND ${YIELDED_NOTHING}`,
          ExpressionAttributeNames: { '#status': 'status', '#outcome': 'outcome' },
          ExpressionAttributeValues: { ':status': status, ':outcome': outcome, ...YIELDED },
        },
      };
      if (!(await writeTransition(table, end, event))) await writeTogether(table, [eventPut(tableName, event)]);
    },

    async delete(sessionHash) {
      await client.send(new DeleteCommand({ TableName: tableName, Key: sessionItemKey(sessionHash) }));
    },
  };
}

/** A session whose flow has brought a grant is over, confirmed or not. */
export const YIELDED_NOTHING = '#status <> :connected AND #status <> :waiting';
/** The values of `YIELDED_NOTHING`. */
export const YIELDED = { ':connected': 'connected', ':waiting': 'pending_confirmation' } as const;

const SAME_BROWSER = 'attribute_exists(pk) AND (attribute_not_exists(browserHash) OR browserHash = :browser)';
const NOT_TOO_OFTEN = '(attribute_not_exists(startCount) OR startCount < :most)';

/**
 * A session that has its connection keeps saying so while it asks for more, because a refusal then changes nothing.
 */
function startOf(session: ConnectSession, pending: PendingAuthorization) {
  const asksAgain = session.status === 'connected';
  return {
    UpdateExpression:
      'SET browserHash = :browser, authorizingUntilEpochSec = :until' +
      (asksAgain ? '' : ', #status = :authorizing REMOVE #outcome') +
      ' ADD startCount :one',
    ConditionExpression:
      `${SAME_BROWSER} AND ${NOT_TOO_OFTEN} AND ` +
      (asksAgain ? '#status = :connected AND mayAskAgain = :true' : YIELDED_NOTHING),
    ExpressionAttributeNames: { '#status': 'status', ...(asksAgain ? {} : { '#outcome': 'outcome' }) },
    ExpressionAttributeValues: {
      ':browser': pending.browserHash,
      ':until': pending.expiresAtEpochSec,
      ':one': 1,
      ':most': CONNECT_STARTS_MAX,
      ...(asksAgain ? { ':connected': 'connected', ':true': true } : { ':authorizing': 'authorizing', ...YIELDED }),
    },
  };
}
