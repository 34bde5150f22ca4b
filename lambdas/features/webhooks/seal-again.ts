/** Secrets of webhooks that 0.2.0 stored under data keys of tokens, sealed again under keys that the delivering function may use. */
import type { Clock, Logger, TokenCipher } from '../../gateway/core/ports.ts';
import { isUnderKeyOfTokens } from '../../gateway/core/sealed-fields.ts';
import { webhookSecretContext } from './attempt-delivery.ts';
import { WEBHOOK_SEAL_CHECK_MS } from './limits.rules.ts';
import type { SealedSecrets, SecretSeals, WebhookStore } from './ports.ts';
import type { Webhook } from './webhook.rules.ts';

export interface SealAgainDependencies {
  readonly webhooks: Pick<WebhookStore, 'list'> & SecretSeals;
  readonly cipher: TokenCipher;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Looks at the first call and then every five minutes: a restore and a rollback can bring older rows back. A failure is logged, and
 * the next call looks again.
 *
 * @returns the function to call at each tick
 */
export function webhookSealer(deps: SealAgainDependencies): (accountId: string, requestId: string) => Promise<void> {
  let lookAtMs = 0;
  return async (accountId, requestId) => {
    if (deps.clock.nowMs() < lookAtMs) return;
    try {
      const older = (await deps.webhooks.list(accountId)).filter((webhook) =>
        storedBy(webhook).some(([, stored]) => isUnderKeyOfTokens(stored)),
      );
      const done = await Promise.all(older.map((webhook) => sealAgain(deps, webhook)));
      if (older.length > 0)
        deps.logger.info('secrets of webhooks were sealed again', { requestId, accountId, count: older.length });
      // One that changed meanwhile is looked at again at the next tick.
      if (done.every((isDone) => isDone)) lookAtMs = deps.clock.nowMs() + WEBHOOK_SEAL_CHECK_MS;
    } catch (error) {
      deps.logger.error('secrets of webhooks could not be sealed again', { requestId, accountId }, error);
    }
  };
}

function storedBy(webhook: Webhook): (readonly [keyof SealedSecrets, string])[] {
  const { encryptedSecret, encryptedPreviousSecret: previous, encryptedEarlierSecret: earlier } = webhook;
  return [
    ['encryptedSecret', encryptedSecret],
    ...(previous === undefined ? [] : [['encryptedPreviousSecret', previous] as const]),
    ...(earlier === undefined ? [] : [['encryptedEarlierSecret', earlier] as const]),
  ];
}

async function sealAgain({ cipher, webhooks }: SealAgainDependencies, webhook: Webhook): Promise<boolean> {
  const context = webhookSecretContext(webhook);
  const sealed: [string, string][] = [];
  for (const [name, stored] of storedBy(webhook)) {
    sealed.push([name, await cipher.encrypt(context, await cipher.decrypt(context, stored))]);
  }
  return webhooks.resealSecrets(webhook, Object.fromEntries(sealed));
}
