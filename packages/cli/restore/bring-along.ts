import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { webhookSecretContext } from '../../../lambdas/features/webhooks/attempt-delivery.ts';
import { epochSecNow } from '../../../lambdas/gateway/core/clock.ts';
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

/**
 * A webhook, where it is missing and was not deleted here. What its deliveries had led to is forgotten: it starts without failures
 * and without rest, and only a failure of now can disable it.
 */
export async function bringWebhook(context: RestoreContext, webhook: Item, trails: AccountTrails): Promise<Outcome> {
  const { into, wishes, resealer } = context;
  if ((await readRow(into, webhook)) !== undefined) return present();
  const ref = { accountId: str(webhook, 'accountId'), webhookId: str(webhook, 'webhookId') };
  const isDeleted = (await trails.of(ref.accountId)).deletedWebhooks.has(ref.webhookId);
  if (isDeleted && !wishes.includeDeleted) return skipped('deleted_here');
  const [secret, previous, earlier] = [
    str(webhook, 'encryptedSecret'),
    optionalStr(webhook, 'encryptedPreviousSecret'),
    optionalStr(webhook, 'encryptedEarlierSecret'),
  ];
  if ([secret, previous, earlier].some((one) => resealer.isLost(ref.accountId, one))) return skipped('key_differs');
  if (context.dryRun) return restored(isDeleted ? 'deleted' : 'missing');
  const { restUntilEpochSec: _rest, ...kept } = webhook;
  const rested: Item = {
    ...kept,
    encryptedSecret: await resealer.sealed(webhookSecretContext(ref), secret),
    ...(previous === undefined
      ? {}
      : { encryptedPreviousSecret: await resealer.sealed(webhookSecretContext(ref), previous) }),
    ...(earlier === undefined
      ? {}
      : { encryptedEarlierSecret: await resealer.sealed(webhookSecretContext(ref), earlier) }),
    failuresInARow: 0,
    ...(webhook.status === 'enabled' ? { enabledAtEpochSec: epochSecNow(systemClock) } : {}),
    version: (typeof webhook.version === 'number' ? webhook.version : 0) + 1,
  };
  const facts = {
    subject: { accountId: ref.accountId },
    sequence: 0,
    says: { webhook_id: ref.webhookId, reason: 'restored' },
  };
  return putWithEvent(context, rested, 'WebhookCreated', facts, isDeleted ? 'deleted' : 'missing');
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

async function putWithEvent(
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
