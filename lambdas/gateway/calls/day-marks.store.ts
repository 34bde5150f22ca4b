import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../platform/dynamodb/client.ts';
import { accountPk } from '../platform/dynamodb/keys.ts';
import type { DayMarks } from './ports.ts';
import { quotaDay } from './quota.rules.ts';
import { markedQuota, thresholdMark } from './threshold.rules.ts';

/** Reads what the roll-up has told of the day, eventually consistent: it is minutes old anyway. */
export function dayMarks({ client, tableName }: Table): DayMarks {
  return {
    async isReached(accountId, { provider, cloudProject }, percent, nowMs) {
      const what = markedQuota(provider, cloudProject, 'units');
      const sk = thresholdMark({ what, day: quotaDay(nowMs).date, percent });
      const { Item } = await client.send(
        new GetCommand({ TableName: tableName, Key: { pk: accountPk(accountId), sk } }),
      );
      return Item !== undefined;
    },
  };
}
