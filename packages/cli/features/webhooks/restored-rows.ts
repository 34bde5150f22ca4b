import { webhookSecretContext } from '../../../../lambdas/features/webhooks/attempt-delivery.ts';
import { epochSecNow } from '../../../../lambdas/gateway/core/clock.ts';
import { systemClock } from '../../../../lambdas/gateway/platform/clock.ts';
import { type Item, optionalStr, str } from '../../../../lambdas/gateway/platform/dynamodb/client.ts';
import type { AccountTrails } from '../../restore/account-trail.ts';
import { putWithEvent, readRow } from '../../restore/bring-along.ts';
import { type Outcome, present, type RestoreContext, restored, skipped } from '../../restore/restore-context.ts';

/**
 * A webhook, where it is missing and was not deleted here. What its deliveries had led to is forgotten: it starts without failures
 * and without rest, and only a failure of now can disable it.
 */
async function bringWebhook(context: RestoreContext, webhook: Item, trails: AccountTrails): Promise<Outcome> {
  const { into, wishes, resealer } = context;
  if ((await readRow(into, webhook)) !== undefined) return present();
  const ref = { accountId: str(webhook, 'accountId'), webhookId: str(webhook, 'webhookId') };
  const isDeleted = (await trails.of(ref.accountId)).deleted.has(ref.webhookId);
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

export const restoredRows = { webhook: bringWebhook };
