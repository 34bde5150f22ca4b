import { type Attention, counted, hasWholeAccount, type Looked } from '../../management/overview/attention-row.ts';
import { webhookServices } from './services.ts';
import type { Webhook } from './webhook.rules.ts';

/** Rows about webhooks that fail, or were disabled because they did. */
export const attention = {
  async webhook({ reads, caller }: Looked): Promise<readonly Attention[]> {
    if (!hasWholeAccount(caller)) return [];
    const { webhooks } = webhookServices(reads.forFeatures);
    return (await webhooks.list(caller.accountId)).flatMap(failingWebhook);
  },
};

function failingWebhook(webhook: Webhook): Attention[] {
  const { status, disabledBecause, failuresInARow, url } = webhook;
  const host = URL.canParse(url) ? new URL(url).host : url;
  const row = {
    kind: 'webhook',
    who: 'developer',
    count: 1,
    id: webhook.webhookId,
  } as const;
  if (status === 'disabled' && disabledBecause !== 'requested') {
    const isGone = disabledBecause === 'gone';
    return [
      {
        ...row,
        severity: 'error',
        title: `The webhook to ${host} is disabled: ${isGone ? 'it answered 410 Gone' : 'it failed for five days'}`,
        explanation: 'It gets no events.',
        steps: ['Fix the endpoint, or change its address.', 'Enable the webhook, and replay the events since.'],
        sinceEpochSec: webhook.disabledAtEpochSec,
        reason: disabledBecause ?? 'failing',
      },
    ];
  }
  if (status !== 'enabled' || failuresInARow === 0) return [];
  return [
    {
      ...row,
      severity: 'error',
      title: `The webhook to ${host} fails: ${counted(failuresInARow, 'attempt')} in a row`,
      explanation: 'Its events wait and are sent again; after five days without a success it is disabled.',
      steps: ['See how the endpoint responded, and fix it.'],
      sinceEpochSec: webhook.lastSuccessAtEpochSec ?? webhook.enabledAtEpochSec,
      reason: 'failing',
    },
  ];
}
