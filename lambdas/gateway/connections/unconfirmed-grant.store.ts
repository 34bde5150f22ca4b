import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { DUE_SHARDS } from '../core/contract.ts';
import { cloudProjectOf, dueShardOf } from '../core/identifiers.ts';
import { eventPut, writeTogether } from '../events/event.store.ts';
import {
  bool,
  connectionRefFromItem,
  type Item,
  isDone,
  num,
  oneOf,
  optionalMap,
  optionalNum,
  optionalStr,
  str,
  stringMap,
  strings,
  type Table,
  UnreadableItemError,
} from '../platform/dynamodb/client.ts';
import { grantKey, type ItemKey, sessionItemKey, unconfirmedItemKey } from '../platform/dynamodb/keys.ts';
import { PROVIDER_IDS } from '../providers/provider.rules.ts';
import { CONNECTED_STATUSES, NOT_YET_CONNECTED } from './authorized-session.store.ts';
import { readEndUser } from './connection-item.store.ts';
import { revocationShard, revocationToItem } from './due.store.ts';
import type { UnconfirmedGrantStore } from './ports.ts';
import type { AuthorizedGrant, UnconfirmedGrant } from './unconfirmed-grant.rules.ts';

/** Grants that wait for the app's backend to confirm them; the schedule ends those that are not confirmed. */
export function unconfirmedGrantStore(table: Table): UnconfirmedGrantStore {
  const { client, tableName } = table;
  return {
    async save(grant, session, event) {
      const waits = {
        Update: {
          TableName: tableName,
          Key: sessionItemKey(grant.sessionHash),
          UpdateExpression:
            'SET #status = :waiting, #outcome = :outcome, confirmationHash = :hash, confirmUntilEpochSec = :until',
          ConditionExpression: `attribute_exists(pk) AND ${NOT_YET_CONNECTED}`,
          ExpressionAttributeNames: { '#status': 'status', '#outcome': 'outcome' },
          ExpressionAttributeValues: {
            ...CONNECTED_STATUSES,
            ':outcome': session.outcome,
            ':hash': session.confirmationHash,
            ':until': grant.confirmUntilEpochSec,
          },
        },
      };
      const put = {
        Put: { TableName: tableName, Item: toItem(grant), ConditionExpression: 'attribute_not_exists(pk)' },
      };
      return (await writeTogether(table, [waits, put, eventPut(tableName, event)])) === undefined;
    },

    async read(ref, reconnectSession) {
      const { Item } = await client.send(
        new GetCommand({ TableName: tableName, Key: unconfirmedItemKey(ref, reconnectSession), ConsistentRead: true }),
      );
      return Item === undefined ? undefined : fromItem(Item);
    },

    async end(grant, event, revocation) {
      const pending =
        revocation === undefined
          ? []
          : [
              {
                Put: {
                  TableName: tableName,
                  Item: revocationToItem(revocation),
                  // A pending revocation of a connection of the same name must not be overwritten.
                  ConditionExpression: 'attribute_not_exists(pk)',
                },
              },
            ];
      const failed = await writeTogether(table, [
        unconfirmedDelete(tableName, grant),
        eventPut(tableName, event),
        ...pending,
      ]);
      if (failed === undefined) return 'ended';
      return failed[0] === true ? 'gone' : 'revocation_pending';
    },

    async close(grant, retryAtEpochSec) {
      await isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: keyOf(grant),
            UpdateExpression:
              'SET confirmUntilEpochSec = :over, refreshAt = :retryAt, failureCount = :failures REMOVE grantKey, grantClientId',
            ConditionExpression: 'sessionHash = :session',
            ExpressionAttributeValues: {
              ':over': 0,
              ':retryAt': retryAtEpochSec,
              ':failures': grant.failureCount + 1,
              ':session': grant.sessionHash,
            },
          }),
        ),
      );
    },
  };
}

/** The transaction's part that removes a waiting grant; fails when it is confirmed, closed or ended. */
export function unconfirmedDelete(tableName: string, grant: UnconfirmedGrant) {
  return {
    Delete: {
      TableName: tableName,
      Key: keyOf(grant),
      ConditionExpression: 'sessionHash = :session AND confirmUntilEpochSec = :until',
      ExpressionAttributeValues: { ':session': grant.sessionHash, ':until': grant.confirmUntilEpochSec },
    },
  };
}

function keyOf({ ref, isReconnect, sessionHash }: UnconfirmedGrant): ItemKey {
  return unconfirmedItemKey(ref, isReconnect ? sessionHash : undefined);
}

function toItem(unconfirmed: UnconfirmedGrant): Record<string, unknown> {
  const { ref, grant } = unconfirmed;
  return {
    ...keyOf(unconfirmed),
    type: 'unconfirmed_grant',
    ...ref,
    ...grant,
    sessionHash: unconfirmed.sessionHash,
    isReconnect: unconfirmed.isReconnect,
    endUser: unconfirmed.endUser,
    tags: unconfirmed.tags,
    allowAccountChange: unconfirmed.allowAccountChange,
    numericId: unconfirmed.numericId,
    confirmUntilEpochSec: unconfirmed.confirmUntilEpochSec,
    failureCount: unconfirmed.failureCount,
    // Ending another grant of the account would end this one, too, so this index is checked before.
    grantKey: grantKey(cloudProjectOf(grant.clientId), grant.providerAccount.subject),
    grantClientId: grant.clientId,
    // Among the pending revocations: an unconfirmed grant becomes one.
    refreshAt: unconfirmed.confirmUntilEpochSec,
    dueShard: revocationShard(dueShardOf(ref, DUE_SHARDS)),
  };
}

function fromItem(item: Item): UnconfirmedGrant {
  return {
    ref: connectionRefFromItem(item),
    sessionHash: str(item, 'sessionHash'),
    isReconnect: bool(item, 'isReconnect'),
    endUser: readEndUser(optionalMap(item, 'endUser')),
    tags: stringMap(item, 'tags'),
    allowAccountChange: bool(item, 'allowAccountChange'),
    grant: readGrant(item),
    numericId: num(item, 'numericId'),
    confirmUntilEpochSec: num(item, 'confirmUntilEpochSec'),
    failureCount: num(item, 'failureCount'),
  };
}

function readGrant(item: Item): UnconfirmedGrant['grant'] {
  const account = optionalMap(item, 'providerAccount');
  if (account === undefined) throw new UnreadableItemError('providerAccount');
  const grant: AuthorizedGrant = {
    provider: oneOf(item, 'provider', PROVIDER_IDS),
    encryptedAccessToken: str(item, 'encryptedAccessToken'),
    encryptedRefreshToken: str(item, 'encryptedRefreshToken'),
    tokenPrints: optionalStr(item, 'tokenPrints'),
    accessTokenExpiresAtEpochSec: num(item, 'accessTokenExpiresAtEpochSec'),
    requestedScopes: strings(item, 'requestedScopes'),
    grantedScopes: strings(item, 'grantedScopes'),
    clientId: str(item, 'clientId'),
    providerAccount: undefined,
    consentedAtEpochSec: num(item, 'consentedAtEpochSec'),
    refreshTokenExpiresAtEpochSec: optionalNum(item, 'refreshTokenExpiresAtEpochSec'),
    testingAtConsent: bool(item, 'testingAtConsent'),
    language: optionalStr(item, 'language'),
  };
  return {
    ...grant,
    providerAccount: { subject: str(account, 'subject'), email: optionalStr(account, 'email') ?? null },
  };
}
