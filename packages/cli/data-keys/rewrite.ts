import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { epochSecNow } from '../../../lambdas/gateway/core/clock.ts';
import { systemClock } from '../../../lambdas/gateway/platform/clock.ts';
import { type Item, isConditionFailure, num, type Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { inParallel } from '../bulk/in-parallel.ts';
import { scanTable } from '../table/scan.ts';
import { keysOf } from './read-usage.ts';

const AT_A_TIME = 8;

/** Progress of values under older keys. */
export interface RewriteRound {
  /** Live connections that still have a value under an older key. */
  readonly waiting: number;
  /** Of them: made due in this round. */
  readonly madeDue: number;
}

/**
 * Makes every live connection with a value under another key than the current one due now, spread over some seconds: the
 * schedule refreshes it, and a refresh encrypts again. No token is read here.
 */
export async function makeRewritesDue(
  table: Table,
  options: {
    readonly accountId: string;
    readonly current: number;
    readonly spreadSec: number;
    readonly stop: AbortSignal;
  },
): Promise<RewriteRound> {
  const { accountId, current, spreadSec, stop } = options;
  const nowSec = epochSecNow(systemClock);
  let waiting = 0;
  let madeDue = 0;
  await inParallel(
    scanTable(table, { types: ['connection'], equal: { accountId, status: 'active' } }),
    AT_A_TIME,
    async (item) => {
      if (keysOf(item).every(({ keyNumber }) => keyNumber === current)) return;
      waiting++;
      // Due already, or soon: it has its place in the queue, or waits out a back-off.
      if (typeof item.refreshAt === 'number' && item.refreshAt <= nowSec + spreadSec) return;
      if (typeof item.retryAt === 'number' && item.retryAt > nowSec) return;
      if (await makeDue(table, item, nowSec + Math.floor(Math.random() * spreadSec))) madeDue++;
    },
    stop,
  );
  return { waiting, madeDue };
}

async function makeDue(table: Table, item: Item, refreshAt: number): Promise<boolean> {
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.tableName,
        Key: { pk: item.pk, sk: item.sk },
        UpdateExpression: 'SET refreshAt = :at',
        // A row that was refreshed meanwhile has a due time of its own; one outside the index has no integration.
        ConditionExpression: 'tokenEpoch = :tokenEpoch AND #status = :active AND attribute_exists(dueShard)',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':at': refreshAt, ':tokenEpoch': num(item, 'tokenEpoch'), ':active': 'active' },
      }),
    );
    return true;
  } catch (error) {
    if (isConditionFailure(error)) return false;
    throw error;
  }
}
