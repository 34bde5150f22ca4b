import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { TABLE } from '../contract.ts';
import { TTL_GRACE_SEC } from '../core/limits.ts';
import { isConditionFailure, type Table } from '../platform/dynamodb/client.ts';
import {
  bool,
  type Item,
  num,
  oneOf,
  optionalMap,
  optionalStr,
  str,
  strings,
} from '../platform/dynamodb/item-reader.ts';
import { authorizationItemKey } from '../platform/dynamodb/keys.ts';
import type { PendingAuthorization } from './connect-session.rules.ts';
import type { PendingAuthorizationStore } from './ports.ts';

/** The transaction's part that keeps a pending authorization; a hash that is taken fails it. */
export function authorizationPut(tableName: string, authorization: PendingAuthorization) {
  return {
    Put: {
      TableName: tableName,
      Item: {
        ...authorizationItemKey(authorization.stateHash),
        type: 'pending_authorization',
        kind: authorization.pick === undefined ? 'connect' : 'pick',
        ...authorization,
        // The table's TTL attribute carries the end of the row, not of the authorization.
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
        // A lost reply makes the SDK repeat the write, which then fails on our own success.
        const item = unmarshall({ ...raw });
        return item.spentBy === requestId ? authorizationFromItem(item) : undefined;
      }
    },
  };
}

function authorizationFromItem(item: Item): PendingAuthorization {
  const pick = optionalMap(item, 'pick');
  return {
    stateHash: str(item, 'stateHash'),
    accountId: str(item, 'accountId'),
    integrationId: str(item, 'integrationId'),
    connectionId: str(item, 'connectionId'),
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
    createdAtEpochSec: num(item, 'createdAtEpochSec'),
    expiresAtEpochSec: num(item, 'endsAtEpochSec'),
  };
}
