import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { keyIdOf } from '../../../lambdas/gateway/core/identifiers.ts';
import { eventPut, writeTogether } from '../../../lambdas/gateway/events/event.store.ts';
import {
  type EventFacts,
  type LifecycleEventType,
  newEvent,
} from '../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import { clientHealthWord } from '../../../lambdas/gateway/integrations/integration.rules.ts';
import { systemClock, systemRandom } from '../../../lambdas/gateway/platform/clock.ts';
import { type Item, isDone, optionalStr, str, type Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import type { AccountTrails } from './account-trail.ts';
import { type Outcome, present, type RestoreContext, restored, skipped } from './restore-context.ts';

/** A data key's row, where it is missing: without it nothing under it can be read. Never over another. */
export async function bringDataKey(context: RestoreContext, key: Item): Promise<Outcome> {
  const { into, dryRun, resealer } = context;
  if (!resealer.keysComeAlong) return skipped('other_kms_key');
  const here = await readRow(into, key);
  if (here !== undefined) {
    if (sameBytes(here.wrappedKey, key.wrappedKey)) return present();
    resealer.noteDiffering(key);
    return skipped('key_differs');
  }
  if (dryRun || (await putMissing(into, key))) return restored();
  return bringDataKey(context, key);
}

/** An integration, where it is missing and was not deleted here on purpose. */
export async function bringIntegration(
  context: RestoreContext,
  integration: Item,
  trails: AccountTrails,
): Promise<Outcome> {
  const { into, wishes } = context;
  if ((await readRow(into, integration)) !== undefined) return present();
  const ref = { accountId: str(integration, 'accountId'), integrationId: str(integration, 'integrationId') };
  const trail = (await trails.of(ref.accountId)).integrations.get(ref.integrationId);
  if (trail?.deleted === true && !wishes.includeDeleted) return skipped('deleted_here');
  const before = typeof integration.sequence === 'number' ? integration.sequence : 0;
  const sequence = Math.max(before, trail?.lastSequence ?? 0) + 1;
  const facts = { subject: ref, sequence, says: { reason: 'restored' }, health: clientHealthWord(integration) };
  return putWithEvent(context, { ...integration, sequence }, 'IntegrationCreated', facts);
}

/** A secret key, where it is missing and was not revoked here; a revocation that was lost with the row is not known. */
export async function bringSecretKey(context: RestoreContext, key: Item, trails: AccountTrails): Promise<Outcome> {
  if ((await readRow(context.into, key)) !== undefined) return present();
  const accountId = str(key, 'accountId');
  const isRevoked = optionalStr(key, 'revokedAt') !== undefined;
  if (!isRevoked && (await trails.of(accountId)).revokedKeys.has(keyIdOf({ keyHash: str(key, 'keyHash') }))) {
    return skipped('revoked_here');
  }
  const says = { reason: 'restored', key_id: keyIdOf({ keyHash: str(key, 'keyHash') }) };
  return putWithEvent(context, key, 'SecretKeyCreated', { subject: { accountId }, sequence: 0, says });
}

/** A row by its own key, strongly consistent. */
export async function readRow(table: Table, { pk, sk }: Item): Promise<Item | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.tableName, Key: { pk, sk }, ConsistentRead: true }),
  );
  return Item;
}

/** Writes a row that is not there; false where there is one by now. */
export function putMissing({ client, tableName }: Table, item: Item): Promise<boolean> {
  return isDone(
    client.send(new PutCommand({ TableName: tableName, Item: item, ConditionExpression: 'attribute_not_exists(pk)' })),
  );
}

/** Writes a row that is not there, with its event. */
export async function putWithEvent(
  { into, dryRun, runName }: RestoreContext,
  item: Item,
  eventType: LifecycleEventType,
  facts: Omit<EventFacts, 'requestId'>,
  why = 'missing',
): Promise<Outcome> {
  if (dryRun) return restored(why);
  const event = newEvent(systemClock, systemRandom, eventType, { ...facts, requestId: runName });
  const put = { Put: { TableName: into.tableName, Item: item, ConditionExpression: 'attribute_not_exists(pk)' } };
  const failed = await writeTogether(into, [put, eventPut(into.tableName, event)]);
  return failed === undefined ? restored(why) : present();
}

function sameBytes(one: unknown, other: unknown): boolean {
  return one instanceof Uint8Array && other instanceof Uint8Array && Buffer.compare(one, other) === 0;
}
