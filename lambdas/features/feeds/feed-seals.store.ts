import { GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { isUnderKeyOfTokens } from '../../gateway/core/sealed-fields.ts';
import { type Item, isDone, str, type Table } from '../../gateway/platform/dynamodb/client.ts';
import type { FeedRef } from './feed.rules.ts';
import { FEED_LOG_SK_PREFIX, FEED_STATE_SK_PREFIX, feedItemKey } from './feed-keys.store.ts';
import { folderName } from './folder.rules.ts';
import type { FeedSeals, SealedAttribute } from './ports.ts';

const ATTRIBUTES: readonly SealedAttribute[] = ['encryptedCursor', 'listing', 'encryptedKey'];

/** Sealed values in the rows of a feed, strongly consistent. */
export function feedSeals({ client, tableName: TableName }: Table): FeedSeals {
  const below = async (pk: string, prefix: string): Promise<Item[]> => {
    const found: Item[] = [];
    let position: Record<string, unknown> | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
          ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
          ConsistentRead: true,
          ExclusiveStartKey: position,
        }),
      );
      found.push(...Items);
      position = LastEvaluatedKey;
    } while (position !== undefined);
    return found;
  };
  const one = async (Key: { readonly pk: string; readonly sk: string }): Promise<Item[]> => {
    const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
    return Item === undefined ? [] : [Item];
  };

  return {
    async underKeysOfTokens(ref: FeedRef) {
      const key = feedItemKey(ref);
      const [feed] = await one(key);
      if (feed === undefined) return undefined;
      const rows = [
        feed,
        ...(await one({ pk: key.pk, sk: FEED_STATE_SK_PREFIX })),
        ...(await below(key.pk, FEED_LOG_SK_PREFIX)),
        ...(await below(key.pk, FEED_STATE_SK_PREFIX + folderName(''))),
      ];
      const values = rows.flatMap((row) =>
        ATTRIBUTES.flatMap((attribute) => {
          const sealed = row[attribute];
          const isFormer = typeof sealed === 'string' && isUnderKeyOfTokens(sealed);
          return isFormer ? [{ pk: key.pk, sk: str(row, 'sk'), attribute, sealed }] : [];
        }),
      );
      return { integrationId: str(feed, 'integrationId'), values };
    },

    replace({ pk, sk, attribute, sealed }, resealed) {
      return isDone(
        client.send(
          new UpdateCommand({
            TableName,
            Key: { pk, sk },
            UpdateExpression: 'SET #sealed = :new',
            ConditionExpression: '#sealed = :old',
            ExpressionAttributeNames: { '#sealed': attribute },
            ExpressionAttributeValues: { ':old': sealed, ':new': resealed },
          }),
        ),
      );
    },
  };
}
