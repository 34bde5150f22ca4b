import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { TABLE } from '../core/contract.ts';
import { FEED_BACKOFF_MAX_SEC, GOOGLE_CALLS_PER_MINUTE, TTL_GRACE_SEC } from '../core/limits.ts';
import { isDone, optionalNum, type Table } from '../platform/dynamodb/client.ts';
import { feedQuotaItemKey } from '../platform/dynamodb/keys.ts';
import type { FeedQuota } from './ports.ts';

/**
 * Turns that the feeds of a Cloud project take in a minute, counted in one item by one conditional write each, so that
 * processes side by side cannot pass the share together.
 *
 * @param sharePercent of the project's calls a minute
 */
export function feedQuota({ client, tableName }: Table, sharePercent: number): FeedQuota {
  const most = Math.max(1, Math.floor((GOOGLE_CALLS_PER_MINUTE * sharePercent) / 100));
  const update = (cloudProject: string, expression: string, condition: string, values: Record<string, unknown>) =>
    isDone(
      client.send(
        new UpdateCommand({
          TableName: tableName,
          Key: feedQuotaItemKey(cloudProject),
          UpdateExpression: expression,
          ConditionExpression: condition,
          ...(expression.includes('#minute') || condition.includes('#minute')
            ? { ExpressionAttributeNames: { '#minute': 'minute' } }
            : {}),
          ExpressionAttributeValues: values,
        }),
      ),
    );
  // A process whose clock was ahead must not hold a project for longer than a refusal may.
  const free = '(attribute_not_exists(blockedUntil) OR blockedUntil <= :now OR blockedUntil > :impossible)';
  return {
    async admit(cloudProject, nowEpochSec) {
      const minute = Math.floor(nowEpochSec / 60);
      const more = {
        ':now': nowEpochSec,
        ':minute': minute,
        // Clocks that are seconds apart count in one minute; one further ahead is wrong, and its minute is void.
        ':next': minute + 1,
        ':impossible': nowEpochSec + FEED_BACKOFF_MAX_SEC + 60,
        ':one': 1,
      };
      const count = () =>
        update(
          cloudProject,
          'SET turns = turns + :one',
          `#minute BETWEEN :minute AND :next AND turns < :most AND ${free}`,
          { ...more, ':most': most },
        );
      if (await count()) return undefined;
      const begun = await update(
        cloudProject,
        `SET #minute = :minute, turns = :one, ${TABLE.timeToLive} = :gone`,
        `(attribute_not_exists(#minute) OR #minute < :minute OR #minute > :next) AND ${free}`,
        { ...more, ':gone': nowEpochSec + TTL_GRACE_SEC },
      );
      // Of several that meet a new minute one begins it, and the others count in it.
      if (begun || (await count())) return undefined;
      const { Item } = await client.send(
        new GetCommand({ TableName: tableName, Key: feedQuotaItemKey(cloudProject), ConsistentRead: true }),
      );
      const blockedUntil = Item === undefined ? undefined : optionalNum(Item, 'blockedUntil');
      return blockedUntil !== undefined && blockedUntil > nowEpochSec && blockedUntil <= more[':impossible']
        ? { reason: 'rate_limited', untilEpochSec: blockedUntil }
        : { reason: 'quota_share_used', untilEpochSec: (minute + 1) * 60 };
    },

    async block(cloudProject, untilEpochSec) {
      await update(
        cloudProject,
        `SET blockedUntil = :until, ${TABLE.timeToLive} = :gone`,
        'attribute_not_exists(blockedUntil) OR blockedUntil < :until',
        { ':until': untilEpochSec, ':gone': untilEpochSec + TTL_GRACE_SEC },
      );
    },
  };
}
