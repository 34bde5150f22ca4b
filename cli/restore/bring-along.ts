import { GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { eventPut, writeTogether } from '../../lambdas/gateway/events/event.store.ts';
import { newEvent } from '../../lambdas/gateway/events/lifecycle-event.rules.ts';
import { systemClock, systemRandom } from '../../lambdas/gateway/platform/clock.ts';
import { isConditionFailure, type Table } from '../../lambdas/gateway/platform/dynamodb/client.ts';
import type { Item } from '../../lambdas/gateway/platform/dynamodb/item-reader.ts';
import { str } from '../../lambdas/gateway/platform/dynamodb/item-reader.ts';
import { accountPk, EVENT_SK_PREFIX } from '../../lambdas/gateway/platform/dynamodb/keys.ts';

/** What became of a row that connections need. */
export type Brought = 'restored' | 'present' | 'differs' | 'deleted_here';

/** A data key's row, where it is missing: without it nothing under it can be read. Never over another. */
export async function bringDataKey(into: Table, key: Item, dryRun: boolean): Promise<Brought> {
  const here = await read(into, key);
  if (here !== undefined) return sameBytes(here.wrappedKey, key.wrappedKey) ? 'present' : 'differs';
  if (dryRun) return 'restored';
  try {
    await into.client.send(
      new PutCommand({ TableName: into.tableName, Item: key, ConditionExpression: 'attribute_not_exists(pk)' }),
    );
    return 'restored';
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    return bringDataKey(into, key, dryRun);
  }
}

/** An integration, where it is missing and was not deleted here on purpose. */
export async function bringIntegration(
  into: Table,
  integration: Item,
  options: { readonly dryRun: boolean; readonly includeDeleted: boolean; readonly runName: string },
): Promise<Brought> {
  if ((await read(into, integration)) !== undefined) return 'present';
  const ref = { accountId: str(integration, 'accountId'), integrationId: str(integration, 'integrationId') };
  const trail = await integrationTrail(into, ref);
  if (trail.deleted && !options.includeDeleted) return 'deleted_here';
  if (options.dryRun) return 'restored';
  const before = typeof integration.sequence === 'number' ? integration.sequence : 0;
  const sequence = Math.max(before, trail.lastSequence) + 1;
  const facts = { subject: ref, sequence, cause: 'restored', requestId: options.runName };
  const event = newEvent(systemClock, systemRandom, 'IntegrationCreated', facts);
  const Item = { ...integration, sequence };
  const put = { Put: { TableName: into.tableName, Item, ConditionExpression: 'attribute_not_exists(pk)' } };
  const written = (await writeTogether(into, [put, eventPut(into.tableName, event)])) === undefined;
  return written ? 'restored' : 'present';
}

/** A secret key, where it is missing; whether it was revoked since the backup is not known then. */
export async function bringSecretKey(into: Table, key: Item, dryRun: boolean, runName: string): Promise<Brought> {
  if ((await read(into, key)) !== undefined) return 'present';
  if (dryRun) return 'restored';
  const facts = { subject: { accountId: str(key, 'accountId') }, sequence: 0, cause: 'restored', requestId: runName };
  const event = newEvent(systemClock, systemRandom, 'SecretKeyCreated', facts);
  const put = { Put: { TableName: into.tableName, Item: key, ConditionExpression: 'attribute_not_exists(pk)' } };
  const written = (await writeTogether(into, [put, eventPut(into.tableName, event)])) === undefined;
  return written ? 'restored' : 'present';
}

async function read(table: Table, { pk, sk }: Item): Promise<Item | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.tableName, Key: { pk, sk }, ConsistentRead: true }),
  );
  return Item;
}

/** What the account's trail in the table says of an integration. */
async function integrationTrail(
  table: Table,
  { accountId, integrationId }: { readonly accountId: string; readonly integrationId: string },
): Promise<{ readonly deleted: boolean; readonly lastSequence: number }> {
  let deleted: boolean | undefined;
  let lastSequence = 0;
  let position: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.tableName,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :events)',
        FilterExpression: 'integrationId = :integration',
        ExpressionAttributeValues: {
          ':pk': accountPk(accountId),
          ':events': EVENT_SK_PREFIX,
          ':integration': integrationId,
        },
        ConsistentRead: true,
        ScanIndexForward: false,
        ...(position === undefined ? {} : { ExclusiveStartKey: position }),
      }),
    );
    for (const { eventType, sequence } of Items) {
      if (eventType === 'IntegrationDeleted' || eventType === 'IntegrationCreated') {
        deleted ??= eventType === 'IntegrationDeleted';
      }
      lastSequence = Math.max(lastSequence, Number(sequence) || 0);
    }
    position = LastEvaluatedKey;
  } while (position !== undefined);
  return { deleted: deleted === true, lastSequence };
}

function sameBytes(one: unknown, other: unknown): boolean {
  return one instanceof Uint8Array && other instanceof Uint8Array && Buffer.compare(one, other) === 0;
}
