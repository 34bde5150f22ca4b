import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { ReachedShare, ReachedShares } from '../../gateway/calls/ports.ts';
import { THRESHOLD_MARKS } from '../../gateway/calls/threshold.rules.ts';
import { readable, str, type Table } from '../../gateway/platform/dynamodb/client.ts';
import { accountPk } from '../../gateway/platform/dynamodb/keys.ts';

/** Most marks that are read: a day has few, unless thousands of connections have budgets. */
const MARKS_MAX = 1000;

/** Reported shares of daily budgets and quotas. */
export function reachedShares({ client, tableName, onUnreadable }: Table): ReachedShares {
  return {
    async ofAccount(accountId) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: tableName,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
          // Marks of earlier versions lack the subject.
          FilterExpression: 'attribute_exists(says)',
          ExpressionAttributeValues: { ':pk': accountPk(accountId), ':prefix': THRESHOLD_MARKS },
          Limit: MARKS_MAX,
        }),
      );
      return readable(
        Items,
        (item): ReachedShare => {
          const about = textsOf(item.about);
          return {
            says: textsOf(item.says),
            integrationId: about.integrationId,
            connectionId: about.connectionId,
            reportedAtEpochSec: Math.floor(Date.parse(str(item, 'toldAt')) / 1000),
          };
        },
        onUnreadable,
      );
    },
  };
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(value ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
