import { DeleteCommand, GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { CONNECTED_STATUSES, NOT_YET_CONNECTED } from '../connections/authorized-session.store.ts';
import { readEndUser } from '../connections/connection-item.store.ts';
import { TABLE } from '../core/contract.ts';
import { CONNECT_STARTS_MAX, TTL_GRACE_SEC } from '../core/limits.ts';
import type { Whole } from '../core/whole.ts';
import { eventPut, writeTogether, writeTransition } from '../events/event.store.ts';
import { languageOf } from '../languages/language.rules.ts';
import {
  bool,
  connectionRefFromItem,
  type Item,
  isConditionFailure,
  num,
  oneOf,
  optionalMap,
  optionalNum,
  optionalStr,
  str,
  stringMap,
  strings,
  type Table,
} from '../platform/dynamodb/client.ts';
import { authorizationItemKey, sessionItemKey, sessionPlaceItemKey, sessionsOfPk } from '../platform/dynamodb/keys.ts';
import {
  CONNECT_SESSION_STATUSES,
  type ConnectSession,
  type PendingAuthorization,
  type SessionIntegrationDefaults,
} from './connect-session.rules.ts';
import type { ConnectSessionStore, PendingAuthorizationStore, SessionPlace } from './ports.ts';

/** A connect session as its item. */
export function sessionToItem(session: ConnectSession): Record<string, unknown> {
  return {
    ...sessionItemKey(session.sessionHash),
    type: 'connect_session',
    ...session,
    // The table's TTL attribute has the end of the row, not of the session.
    endsAtEpochSec: session.expiresAtEpochSec,
    [TABLE.timeToLive]: session.expiresAtEpochSec + TTL_GRACE_SEC,
  };
}

/** Parses an item as a connect session. @throws UnreadableItemError for an unknown form */
export function sessionFromItem(item: Item): Whole<ConnectSession> {
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
    reusable: readReusable(item.reusable),
    allowAccountChange: bool(item, 'allowAccountChange'),
    returnUrl: optionalStr(item, 'returnUrl'),
    confirm: item.confirm === true,
    pick: readPick(optionalMap(item, 'pick')),
    admin: readAdmin(optionalMap(item, 'admin')),
    confirmationHash: optionalStr(item, 'confirmationHash'),
    confirmUntilEpochSec: optionalNum(item, 'confirmUntilEpochSec'),
    language: languageOf(optionalStr(item, 'language') ?? ''),
    status: oneOf(item, 'status', CONNECT_SESSION_STATUSES),
    outcome: readOutcome(optionalMap(item, 'outcome')),
    browserHash: optionalStr(item, 'browserHash'),
    startCount: optionalNum(item, 'startCount') ?? 0,
    authorizingUntilEpochSec: optionalNum(item, 'authorizingUntilEpochSec'),
    mayAskAgain: item.mayAskAgain === true,
    createdAtEpochSec: num(item, 'createdAtEpochSec'),
    expiresAtEpochSec: num(item, 'endsAtEpochSec'),
  };
}

function readReusable(rows: unknown): ConnectSession['reusable'] {
  if (!Array.isArray(rows)) return undefined;
  return rows.map((row: Item) => ({
    integrationId: str(row, 'integrationId'),
    connectionId: str(row, 'connectionId'),
  }));
}

function readOutcome(outcome: Item | undefined): ConnectSession['outcome'] {
  if (outcome === undefined) return undefined;
  return {
    integrationId: optionalStr(outcome, 'integrationId'),
    connectionId: optionalStr(outcome, 'connectionId'),
    errorType: optionalStr(outcome, 'errorType'),
    message: optionalStr(outcome, 'message'),
    failure: optionalStr(outcome, 'failure'),
    failureWords: outcome.failureWords === undefined ? undefined : stringMap(outcome, 'failureWords'),
    missingScopes: outcome.missingScopes === undefined ? [] : strings(outcome, 'missingScopes'),
    pickId: optionalStr(outcome, 'pickId'),
  };
}

function readPick(pick: Item | undefined): ConnectSession['pick'] {
  if (pick === undefined) return undefined;
  return {
    multiple: bool(pick, 'multiple'),
    mimeTypes: strings(pick, 'mimeTypes'),
    fileIds: strings(pick, 'fileIds'),
    folders: bool(pick, 'folders'),
  };
}

function readAdmin(admin: Item | undefined): ConnectSession['admin'] {
  const organization = admin === undefined ? undefined : optionalMap(admin, 'organization');
  if (organization === undefined) return undefined;
  return { organization: { id: str(organization, 'id'), displayName: optionalStr(organization, 'displayName') } };
}

function readDefaults(map: Item): SessionIntegrationDefaults {
  return {
    scopes: map.scopes === undefined ? undefined : strings(map, 'scopes'),
    authorizationParams: stringMap(map, 'authorizationParams'),
  };
}

/** Connect sessions by the hash of their token. */
export function connectSessionStore(table: Table): ConnectSessionStore {
  const { client, tableName } = table;
  return {
    async create(session, event, place) {
      const put = {
        Put: {
          TableName: tableName,
          Item: sessionToItem(session),
          ConditionExpression: 'attribute_not_exists(pk)',
        },
      };
      const others = place === undefined ? [] : [placePut(tableName, place, session)];
      if (!(await writeTransition(table, put, event, others)))
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
          ConditionExpression: `attribute_exists(pk) AND ${NOT_YET_CONNECTED}`,
          ExpressionAttributeNames: { '#status': 'status', '#outcome': 'outcome' },
          ExpressionAttributeValues: { ':status': status, ':outcome': outcome, ...CONNECTED_STATUSES },
        },
      };
      if (!(await writeTransition(table, end, event))) await writeTogether(table, [eventPut(tableName, event)]);
    },

    async delete(sessionHash) {
      await client.send(new DeleteCommand({ TableName: tableName, Key: sessionItemKey(sessionHash) }));
    },

    async madeFor(accountId, endUserId, limit, after) {
      const pk = sessionsOfPk(accountId, endUserId);
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName: tableName,
          ConsistentRead: true,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': pk },
          Limit: limit,
          ...(after === undefined ? {} : { ExclusiveStartKey: { pk, sk: after } }),
        }),
      );
      const places = Items.map((item) => ({
        accountId,
        endUserId,
        sessionHash: str(item, 'sk'),
        batchId: optionalStr(item, 'batchId'),
      }));
      return { places, next: LastEvaluatedKey === undefined ? undefined : places.at(-1)?.sessionHash };
    },

    async erase(place, status, event) {
      const session = {
        Delete: {
          TableName: tableName,
          Key: sessionItemKey(place.sessionHash),
          ...(status === undefined
            ? {}
            : {
                ConditionExpression: '#status = :status',
                ExpressionAttributeNames: { '#status': 'status' },
                ExpressionAttributeValues: { ':status': status },
              }),
        },
      };
      return writeTransition(table, session, event, [{ Delete: { TableName: tableName, Key: placeKey(place) } }]);
    },

    async forget(place) {
      await client.send(new DeleteCommand({ TableName: tableName, Key: placeKey(place) }));
    },
  };
}

function placeKey({ accountId, endUserId, sessionHash }: SessionPlace) {
  return sessionPlaceItemKey(accountId, endUserId, sessionHash);
}

/** The transaction's part that records the end user of a session; it is deleted with the session. */
function placePut(tableName: string, place: SessionPlace, session: ConnectSession) {
  const { batchId } = place;
  return {
    Put: {
      TableName: tableName,
      Item: {
        ...placeKey(place),
        type: 'session_place',
        ...(batchId === undefined ? {} : { batchId }),
        [TABLE.timeToLive]: session.expiresAtEpochSec + TTL_GRACE_SEC,
      },
    },
  };
}

const SAME_BROWSER = 'attribute_exists(pk) AND (attribute_not_exists(browserHash) OR browserHash = :browser)';
const HAS_STARTS_LEFT = '(attribute_not_exists(startCount) OR startCount < :most)';

/** A session with a connection keeps its status while it requests more scopes, because a refusal then changes nothing. */
function startOf(session: ConnectSession, pending: PendingAuthorization) {
  const asksAgain = session.status === 'connected';
  return {
    UpdateExpression:
      'SET browserHash = :browser, authorizingUntilEpochSec = :until' +
      (asksAgain ? '' : ', #status = :authorizing REMOVE #outcome') +
      ' ADD startCount :one',
    ConditionExpression:
      `${SAME_BROWSER} AND ${HAS_STARTS_LEFT} AND ` +
      (asksAgain ? '#status = :connected AND mayAskAgain = :true' : NOT_YET_CONNECTED),
    ExpressionAttributeNames: { '#status': 'status', ...(asksAgain ? {} : { '#outcome': 'outcome' }) },
    ExpressionAttributeValues: {
      ':browser': pending.browserHash,
      ':until': pending.expiresAtEpochSec,
      ':one': 1,
      ':most': CONNECT_STARTS_MAX,
      ...(asksAgain
        ? { ':connected': 'connected', ':true': true }
        : { ':authorizing': 'authorizing', ...CONNECTED_STATUSES }),
    },
  };
}

/** The transaction's part that keeps a pending authorization; a hash that is taken fails it. */
function authorizationPut(tableName: string, authorization: PendingAuthorization) {
  return {
    Put: {
      TableName: tableName,
      Item: {
        ...authorizationItemKey(authorization.stateHash),
        type: 'pending_authorization',
        kind: authorization.pick === undefined ? 'connect' : 'pick',
        ...authorization,
        // The table's TTL attribute has the end of the row, not of the authorization.
        endsAtEpochSec: authorization.expiresAtEpochSec,
        [TABLE.timeToLive]: authorization.expiresAtEpochSec + TTL_GRACE_SEC,
      },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

/** Pending authorizations by the hash of `state`. */
export function pendingAuthorizationStore(table: Table): PendingAuthorizationStore {
  const { client, tableName } = table;
  return {
    async spend(stateHash, requestId) {
      try {
        const { Attributes } = await client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: authorizationItemKey(stateHash),
            UpdateExpression: 'SET spentBy = :request',
            ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(spentBy)',
            ExpressionAttributeValues: { ':request': requestId },
            ReturnValues: 'ALL_NEW',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        );
        return Attributes === undefined ? undefined : authorizationFromItem(Attributes);
      } catch (error) {
        if (!isConditionFailure(error)) throw error;
        const raw: unknown = error instanceof Error && 'Item' in error ? error.Item : undefined;
        if (typeof raw !== 'object' || raw === null) return undefined;
        // After a lost reply the SDK repeats the write, which then fails because of our own success.
        const item = unmarshall({ ...raw });
        return item.spentBy === requestId ? authorizationFromItem(item) : undefined;
      }
    },
  };
}

/** An item as the pending authorization it stores. */
export function authorizationFromItem(item: Item): PendingAuthorization {
  const pick = optionalMap(item, 'pick');
  return {
    stateHash: str(item, 'stateHash'),
    ...connectionRefFromItem(item),
    sessionHash: str(item, 'sessionHash'),
    isReconnect: bool(item, 'isReconnect'),
    pick: pick === undefined ? undefined : { access: oneOf(pick, 'access', ['online', 'offline']) },
    clientId: str(item, 'clientId'),
    issuer: str(item, 'issuer'),
    redirectUri: str(item, 'redirectUri'),
    requestedScopes: strings(item, 'requestedScopes'),
    askedScopes: strings(item, 'askedScopes'),
    integrationScopes: strings(item, 'integrationScopes'),
    hostedDomain: optionalStr(item, 'hostedDomain'),
    encryptedCodeVerifier: str(item, 'encryptedCodeVerifier'),
    nonce: str(item, 'nonce'),
    browserHash: str(item, 'browserHash'),
    openerOrigin: optionalStr(item, 'openerOrigin'),
    language: languageOf(optionalStr(item, 'language') ?? ''),
    createdAtEpochSec: num(item, 'createdAtEpochSec'),
    expiresAtEpochSec: num(item, 'endsAtEpochSec'),
  };
}
