import type { Webhook } from '../../gateway/library.ts';
import { PageLink } from '../../ui/link.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { webhookHref } from './webhook-href.ts';
import { disabledText } from './webhook-texts.ts';

/** Whether a webhook gets events, and if not, why. */
export function WebhookStatus({ webhook }: { webhook: Webhook }) {
  const failed = `${webhookHref(webhook.id)}?state=pending`;
  const { status, disabledBecause, restingUntil, failuresInARow } = webhook;
  if (status === 'unproven') return <Status type="pending">Not verified yet</Status>;
  if (status === 'disabled') return <Status type="stopped">{disabledText(disabledBecause)}</Status>;
  if (restingUntil !== undefined) {
    return (
      <Status type="error">
        Failed <PageLink href={failed}>{failuresInARow} times in a row</PageLink>; next attempt{' '}
        <Time iso={restingUntil} />
      </Status>
    );
  }
  if (failuresInARow > 0) {
    return (
      <Status type="warning">
        Failing: <PageLink href={failed}>{failuresInARow} in a row</PageLink>
      </Status>
    );
  }
  return <Status type="success">Enabled</Status>;
}
