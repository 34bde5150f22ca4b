/** Events of the table, put on the bus once more by the function that put them there the first time. */

import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { EVENT_ITEM_TYPE, TABLE } from '../../../lambdas/gateway/core/contract.ts';
import { firstUlidOf } from '../../../lambdas/gateway/core/identifiers.ts';
import { batchGet } from '../../../lambdas/gateway/platform/dynamodb/batch-get.ts';
import { type Item, str, type Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { eventListKey } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { CommandProblem, EXIT } from '../problems.ts';

/** Events per call of the function: with the largest ones still below the 6 MB of an invocation. */
const BATCH_SIZE = 50;
/** Calls for one batch: the bus accepts a throttled event soon. */
const ATTEMPTS = 5;

export interface ReplayInput {
  readonly table: Table;
  readonly lambda: LambdaClient;
  readonly functionName: string;
  readonly accountId: string;
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly onProgress: (count: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Puts every event of an account and a time on the bus, in the order in which they happened, under their own ids.
 *
 * @returns how many were handed over, and whether it was stopped before the end
 * @throws CommandProblem where the function fails, with the time to continue from
 */
export async function replayEvents(input: ReplayInput): Promise<{ readonly count: number; readonly stopped: boolean }> {
  let count = 0;
  for await (const items of eventsOf(input)) {
    if (input.signal.aborted) return { count, stopped: true };
    await handOver(input, items);
    count += items.length;
    input.onProgress(count);
  }
  return { count, stopped: false };
}

/** When the newest event before a moment happened; undefined where there is none. */
export async function newestEventBefore(
  table: Table,
  accountId: string,
  beforeMs: number,
): Promise<number | undefined> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({ ...listOf(table, accountId, 0, beforeMs), ScanIndexForward: false, Limit: 1 }),
  );
  const [newest] = Items;
  if (newest === undefined) return undefined;
  const [item] = await batchGet(table, [{ pk: str(newest, 'pk'), sk: str(newest, 'sk') }]);
  return item === undefined ? undefined : Date.parse(str(item, 'occurredAt'));
}

/** Pages of whole event items, oldest first. */
async function* eventsOf({ table, accountId, sinceMs, untilMs }: ReplayInput): AsyncGenerator<Item[]> {
  let position: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        ...listOf(table, accountId, sinceMs, untilMs),
        Limit: BATCH_SIZE,
        ...(position === undefined ? {} : { ExclusiveStartKey: position }),
      }),
    );
    const items = await batchGet(
      table,
      Items.map((item) => ({ pk: str(item, 'pk'), sk: str(item, 'sk') })),
    );
    const events = items.filter((item) => item.type === EVENT_ITEM_TYPE).sort(inOrder);
    if (events.length > 0) yield events;
    position = LastEvaluatedKey;
  } while (position !== undefined);
}

function listOf(table: Table, accountId: string, sinceMs: number, untilMs: number) {
  return {
    TableName: table.tableName,
    IndexName: TABLE.indexes.byAccount.name,
    KeyConditionExpression: 'accountListKey = :list AND listSortKey BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ':list': eventListKey(accountId),
      ':first': firstUlidOf(sinceMs),
      ':last': firstUlidOf(untilMs),
    },
  };
}

/** Ids sort by the millisecond; within one, the counter of the connection does. */
function inOrder(one: Item, other: Item): number {
  const [a, b] = [str(one, 'eventId'), str(other, 'eventId')];
  const [timeOfA, timeOfB] = [a.slice(0, 10), b.slice(0, 10)];
  if (timeOfA !== timeOfB) return timeOfA < timeOfB ? -1 : 1;
  return Number(one.sequence ?? 0) - Number(other.sequence ?? 0);
}

/** @throws CommandProblem */
async function handOver({ lambda, functionName }: ReplayInput, items: readonly Item[]): Promise<void> {
  let left = items;
  for (let attempt = 1; left.length > 0; attempt++) {
    const failed = await invoke(lambda, functionName, left);
    if (failed === undefined) return;
    if (attempt === ATTEMPTS) {
      const [first] = failed;
      throw new CommandProblem(
        `The bus does not take the events from ${first === undefined ? 'here' : str(first, 'occurredAt')} on: see the alarm failed-deliveries in docs/runbook.md, then run it again with --since ${first === undefined ? '' : str(first, 'occurredAt')}.`,
        EXIT.unfinished,
      );
    }
    left = failed;
  }
}

/** Hands items over as the stream does. @returns those that were not put on the bus; undefined where all were */
async function invoke(
  lambda: LambdaClient,
  FunctionName: string,
  items: readonly Item[],
): Promise<readonly Item[] | undefined> {
  const Records = items.map((item) => ({
    eventName: 'INSERT',
    dynamodb: {
      SequenceNumber: str(item, 'eventId'),
      Keys: marshall({ pk: item.pk, sk: item.sk }),
      NewImage: marshall(item, { removeUndefinedValues: true }),
    },
  }));
  const { Payload, FunctionError } = await lambda.send(
    new InvokeCommand({
      FunctionName,
      InvocationType: 'RequestResponse',
      Payload: Buffer.from(JSON.stringify({ Records })),
    }),
  );
  if (FunctionError !== undefined) return items;
  const answer: unknown = JSON.parse(Buffer.from(Payload ?? new Uint8Array()).toString('utf8') || '{}');
  const failures: unknown =
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'batchItemFailures') : undefined;
  const [first]: unknown[] = Array.isArray(failures) ? failures : [];
  if (first === undefined) return undefined;
  const identifier: unknown =
    typeof first === 'object' && first !== null ? Reflect.get(first, 'itemIdentifier') : undefined;
  return items.slice(
    Math.max(
      0,
      items.findIndex((item) => item.eventId === identifier),
    ),
  );
}
