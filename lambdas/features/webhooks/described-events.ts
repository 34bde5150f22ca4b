import { documented } from '../../gateway/openapi/documented.ts';
import {
  aboutAccount,
  actor,
  type DescribedEvent,
  formerly,
  type Members,
  OPERATOR_ACTOR,
  remedy,
  text,
  word,
} from '../../gateway/openapi/event-parts.ts';
import type { feature } from './feature.ts';

const WEBHOOK = 'wh_01KAMT0V5N7Z2Q4R8S6T1W3X5Y';
const DISABLED_REASONS = {
  gone: 'It answered 410 Gone.',
  failing: 'It failed for five days.',
  requested: 'Somebody disabled it.',
};

/** They all have the same members. */
const webhookEvent = (
  { own = {}, ...row }: Omit<DescribedEvent, 'audience' | 'data' | 'example' | 'readBy'> & { readonly own?: Members },
  example: Readonly<Record<string, string>> = {},
): DescribedEvent => ({
  audience: 'audit',
  readBy: 'Anyone who keeps track of where events are sent.',
  ...row,
  data: aboutAccount({
    webhook_id: text('Id of the webhook.'),
    ...own,
    ...('actor' in own ? {} : { actor: actor('Who asked for it') }),
    cause: formerly('webhook_id'),
  }),
  example: { webhook_id: WEBHOOK, ...(Object.keys(example).length === 0 ? { actor: OPERATOR_ACTOR } : example) },
});

/** Rows of the catalogue of events. */
export const describedEvents = documented(
  (): Readonly<Record<(typeof feature.events)[number], DescribedEvent>> => ({
    WebhookCreated: webhookEvent({
      title: 'A webhook was created',
      tone: 'info',
      when: 'A webhook was created, or restored from a backup.',
      own: {
        reason: word('Absent for a new one.', {
          restored: 'It was restored from a backup.',
        }).optional(),
        actor: actor('Who created it; absent for a restored one').optional(),
      },
    }),
    WebhookUpdated: webhookEvent({
      title: 'A webhook was changed',
      tone: 'info',
      when: 'Address, description or filters of a webhook were changed.',
    }),
    WebhookDeleted: webhookEvent({ title: 'A webhook was deleted', tone: 'info', when: 'A webhook was deleted.' }),
    WebhookSecretRotated: webhookEvent({
      title: 'A webhook got a new secret',
      tone: 'info',
      when: 'A webhook got a new secret. For 24 hours messages carry both signatures.',
    }),
    WebhookEnabled: webhookEvent({
      title: 'A webhook was enabled',
      tone: 'success',
      when: 'A webhook was enabled: its endpoint returned 2xx for `endpoint.test`.',
    }),
    WebhookDisabled: {
      ...webhookEvent(
        {
          title: 'A webhook was disabled',
          tone: 'warning',
          when: 'A webhook was disabled. Its events are kept for 14 days.',
          own: {
            reason: word('Why.', DISABLED_REASONS),
            remedy: remedy().optional().meta({ description: 'What to do about it; absent if somebody disabled it.' }),
            actor: actor('Who disabled it; absent if its endpoint fails').optional(),
          },
        },
        {
          reason: 'failing',
          remedy:
            'The endpoint did not answer with 2xx for five days. Fix it, enable it again, then replay from the time when it was disabled. Deliveries are kept for 14 days.',
        },
      ),
      audience: 'app',
      readBy: 'Anyone who keeps the receiver; the other webhooks get it.',
    },
  }),
);
