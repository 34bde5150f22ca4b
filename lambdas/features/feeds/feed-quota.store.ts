import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { TABLE } from '../../gateway/core/contract.ts';
import { sha256Hex } from '../../gateway/core/identifiers.ts';
import { TTL_GRACE_SEC } from '../../gateway/core/limits.ts';
import { isDone, optionalNum, type Table } from '../../gateway/platform/dynamodb/client.ts';
import type { ItemKey } from '../../gateway/platform/dynamodb/keys.ts';
import { projectQuota, type StoredQuota, unitsOfList } from '../../gateway/providers/project-quota.rules.ts';
import type { Providers } from '../../gateway/providers/provider.rules.ts';
import { feedQuotaItemKey, feedRestItemKey } from './feed-keys.store.ts';
import { FEED_BACKOFF_MAX_SEC } from './limits.rules.ts';
import type { FeedQuota } from './ports.ts';

/** Turns a minute, where a provider names no quota. */
const TURNS_WITHOUT_QUOTA = 10_000;

/**
 * Counts the turns that the feeds of a Cloud project take of one API in a minute, in one item by one conditional write each, so that
 * concurrent processes cannot exceed the share together.
 *
 * @param sharePercent share of the project's quota per minute; each turn counts as one list, and each log of a shared drive as one more
 */
export function feedQuota({ client, tableName }: Table, providers: Providers, sharePercent: number): FeedQuota {
  const update = (key: ItemKey, expression: string, condition: string, values: Record<string, unknown>) =>
    isDone(
      client.send(
        new UpdateCommand({
          TableName: tableName,
          Key: key,
          UpdateExpression: expression,
          ConditionExpression: condition,
          ...(expression.includes('#minute') || condition.includes('#minute')
            ? { ExpressionAttributeNames: { '#minute': 'minute' } }
            : {}),
          ExpressionAttributeValues: values,
        }),
      ),
    );
  const blockedUntilOf = async (
    key: ItemKey,
    nowEpochSec: number,
    consistent: boolean,
  ): Promise<number | undefined> => {
    const { Item } = await client.send(new GetCommand({ TableName: tableName, Key: key, ConsistentRead: consistent }));
    const until = Item === undefined ? undefined : optionalNum(Item, 'blockedUntil');
    return until !== undefined && until > nowEpochSec && until <= nowEpochSec + LONGEST_REST_SEC ? until : undefined;
  };
  // A block written by a process whose clock was ahead must not hold a project for longer than a refusal may.
  const free = '(attribute_not_exists(blockedUntil) OR blockedUntil <= :now OR blockedUntil > :impossible)';
  return {
    async admit({ cloudProject, provider, user, own }, nowEpochSec, lists = 1) {
      const resting = await blockedUntilOf(feedRestItemKey(cloudProject, provider, nameOf(user)), nowEpochSec, false);
      if (resting !== undefined) return { reason: 'rate_limited', untilEpochSec: resting };
      const key = feedQuotaItemKey(cloudProject, provider);
      const minute = Math.floor(nowEpochSec / 60);
      const more = {
        ':now': nowEpochSec,
        ':minute': minute,
        // Processes whose clocks differ by seconds count in one minute; a minute further ahead comes from a wrong clock and is void.
        ':next': minute + 1,
        ':impossible': nowEpochSec + LONGEST_REST_SEC,
        // The last admitted turns may exceed the share by what they take at once, at most twenty lists.
        ':lists': lists,
      };
      const most = Math.max(1, Math.floor((turnsAMinute(providers[provider], own, nowEpochSec) * sharePercent) / 100));
      const count = () =>
        update(key, 'SET turns = turns + :lists', `#minute BETWEEN :minute AND :next AND turns < :most AND ${free}`, {
          ...more,
          ':most': most,
        });
      if (await count()) return undefined;
      const begun = await update(
        key,
        `SET #minute = :minute, turns = :lists, ${TABLE.timeToLive} = :gone`,
        `(attribute_not_exists(#minute) OR #minute < :minute OR #minute > :next) AND ${free}`,
        { ...more, ':gone': nowEpochSec + TTL_GRACE_SEC },
      );
      // Of several processes in a new minute one begins it, and the others count in it.
      if (begun || (await count())) return undefined;
      const blockedUntil = await blockedUntilOf(key, nowEpochSec, true);
      return blockedUntil === undefined
        ? { reason: 'quota_share_used', untilEpochSec: (minute + 1) * 60 }
        : { reason: 'rate_limited', untilEpochSec: blockedUntil };
    },

    async block({ cloudProject, provider, user }, level, untilEpochSec) {
      const key =
        level === 'user'
          ? feedRestItemKey(cloudProject, provider, nameOf(user))
          : feedQuotaItemKey(cloudProject, provider);
      await update(
        key,
        `SET blockedUntil = :until, ${TABLE.timeToLive} = :gone`,
        'attribute_not_exists(blockedUntil) OR blockedUntil < :until',
        { ':until': untilEpochSec, ':gone': untilEpochSec + TTL_GRACE_SEC },
      );
    },
  };
}

const LONGEST_REST_SEC = FEED_BACKOFF_MAX_SEC + 60;

/** Lists that the provider lets a project make in a minute. */
function turnsAMinute(provider: Providers[keyof Providers], own: StoredQuota | undefined, nowEpochSec: number): number {
  const quota = projectQuota(provider.quota, own, nowEpochSec * 1000);
  if (quota === undefined) return TURNS_WITHOUT_QUOTA;
  return quota.perMinute / (quota.countsRequests ? 1 : unitsOfList(provider));
}

/** No account is named in a key. */
function nameOf(user: string): string {
  return sha256Hex(user).slice(0, 32);
}
