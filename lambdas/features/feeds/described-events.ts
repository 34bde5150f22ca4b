import { documented } from '../../gateway/openapi/documented.ts';
import {
  aboutConnection,
  actor,
  CONNECTION_EXAMPLE,
  type DescribedEvent,
  formerly,
  type Members,
  OPERATOR_ACTOR,
  remedy,
  text,
  word,
} from '../../gateway/openapi/event-parts.ts';
import type { feature } from './feature.ts';

const FEED_REASONS = {
  reauthorization_required: 'The connection needs a new authorization.',
  resource_refused: 'Google has refused its resource for a day.',
  cursor_expired_again: 'Google refused its position twice within an hour.',
};
const NO_PUSH = {
  push_not_supported: 'It is polled: Google sends no messages for this resource.',
  address_not_authorized: 'It is polled: Google refuses to send messages to the gateway’s address.',
  address_not_https: 'It is polled: Google sends messages to https addresses only.',
  watch_refused: 'It is polled: Google refused to open a channel.',
};
const GAPS = {
  cursor_expired: 'Google no longer knew the position in the history.',
  account_changed: 'The connection belongs to another account now.',
  client_changed: 'The integration has another OAuth client.',
  restored: 'The feed came back from a backup, or rows of it were missing.',
  folder_moved: 'Its folder was moved to a shared drive, or out of one.',
};

/** Why events happen, by their type; the dashboard shows the same sentences. */
const REASONS = {
  FeedCreated: { restored: 'It was restored from a backup.' },
  FeedDeleted: {
    connection_deleted: 'Its connection was deleted.',
    resource_refused: 'Google refused its resource when it was created.',
  },
  FeedChanged: GAPS,
  FeedPaused: { reauthorization_required: FEED_REASONS.reauthorization_required },
  FeedResumed: NO_PUSH,
  FeedFailing: {
    resource_refused: FEED_REASONS.resource_refused,
    cursor_expired_again: FEED_REASONS.cursor_expired_again,
    overdue: 'The gateway could not read or save it for eight minutes after it was due.',
    consumer_behind: 'The feed works, but a consumer has fallen behind and will miss changes.',
  },
} as const satisfies Partial<Record<(typeof feature.events)[number], Readonly<Record<string, string>>>>;

const reason = (type: keyof typeof REASONS, description: string) => word(description, REASONS[type]);
const feed = () => ({
  feed_id: text('Id of the feed.'),
  resource: text('What the feed watches, such as `drive` or `calendar:primary`.'),
});

const FEED = { feed_id: '01JN8Z4H9V6Q3W2X1Y0ZFEED00', resource: 'drive' };

/** What happened to a feed itself, for the audit trail. */
const feedEvent = ({
  data,
  ...row
}: Pick<DescribedEvent, 'title' | 'when'> & { readonly data: Members }): DescribedEvent => ({
  audience: 'audit',
  tone: 'info',
  readBy: 'Anyone who keeps track of what is watched.',
  ...row,
  data: aboutConnection({ ...feed(), ...data }, 'Number of the last batch of the feed.'),
  example: { ...CONNECTION_EXAMPLE, ...FEED, sequence: '17', actor: OPERATOR_ACTOR },
});

/** Rows of the catalogue of events. */
export const describedEvents = documented(
  (): Readonly<Record<(typeof feature.events)[number], DescribedEvent>> => ({
    FeedCreated: feedEvent({
      title: 'A feed was created',
      when: 'A feed was created, or restored from a backup.',
      data: {
        reason: reason('FeedCreated', 'Absent for a new one.').optional(),
        actor: actor('Who asked for it; absent for a restored one').optional(),
        cause: formerly('reason'),
      },
    }),
    FeedUpdated: feedEvent({
      title: 'Settings of a feed were changed',
      when: 'Delivery, intervals, meanings or reminders of a feed were set.',
      data: { actor: actor('Who asked for it') },
    }),
    FeedDeleted: feedEvent({
      title: 'A feed was deleted',
      when: 'A feed was deleted.',
      data: {
        reason: reason('FeedDeleted', 'Why; absent if somebody asked for it.').optional(),
        actor: actor(
          'Who asked for it; absent where the gateway found that its connection no longer exists',
        ).optional(),
        cause: formerly('reason'),
      },
    }),
    FeedChanged: {
      audience: 'app',
      title: 'A feed has changes',
      tone: 'info',
      when: 'A [feed](changes.md) has a new batch. Feeds with `"delivery": "pull"` send none.',
      readBy: 'Your backend, to fetch what has changed.',
      data: aboutConnection(
        {
          ...feed(),
          kind: word('What the batch is.', {
            changes: 'Its changes are in `changes`.',
            gap: 'Changes may have been missed: list everything again.',
            starts: 'Events in `changes` start soon.',
          }),
          changes: text('A list of [changes](changes.md#reading-changes) as JSON text, empty for a gap.'),
          reason: reason('FeedChanged', 'Why there is a gap.').optional(),
          remedy: remedy().optional().meta({ description: 'Of a gap: what to do.' }),
          cause: formerly('reason'),
        },
        'Number of the batch in its feed, counting up by one from 1. Read a missing one with `GET /feeds/{id}/changes`.',
      ),
      example: {
        ...CONNECTION_EXAMPLE,
        ...FEED,
        sequence: '17',
        kind: 'changes',
        changes:
          '[{"id":"1AbC","kind":"file","removed":false,"time":"2026-03-01T11:59:58.000Z","mime_type":"text/plain"}]',
      },
    },
    FeedPaused: {
      audience: 'app',
      title: 'A feed was paused',
      tone: 'warning',
      when: 'A feed waits for a new authorization of its connection, and then continues at its position.',
      readBy: 'Your backend; `ConnectionReauthorizationRequired` says what to do.',
      data: aboutConnection(
        { ...feed(), reason: reason('FeedPaused', 'Why.'), remedy: remedy(), cause: formerly('reason') },
        'Number of the last batch of the feed.',
      ),
      example: {
        ...CONNECTION_EXAMPLE,
        ...FEED,
        sequence: '17',
        reason: 'reauthorization_required',
        remedy: 'Have the end user reconnect. The feed then continues where it stopped.',
      },
    },
    FeedResumed: {
      audience: 'app',
      title: 'A feed resumed',
      tone: 'success',
      when: 'A feed that was paused or failing continues, and reads what it has missed.',
      readBy: 'Your backend, if it shows users how current their data is.',
      data: aboutConnection(
        {
          ...feed(),
          reason: reason(
            'FeedResumed',
            'Why it is polled; absent if Google sends messages, or if that is not known yet.',
          ).optional(),
          remedy: remedy().optional().meta({ description: 'What would end the polling.' }),
          cause: formerly('reason'),
        },
        'Number of the last batch of the feed.',
      ),
      example: { ...CONNECTION_EXAMPLE, ...FEED, sequence: '17' },
    },
    FeedFailing: {
      audience: 'app',
      title: 'A feed fails',
      tone: 'error',
      when: 'A feed fails, or a consumer of it has fallen behind.',
      readBy: 'Anyone who keeps the consumer of the feed.',
      data: aboutConnection(
        { ...feed(), reason: reason('FeedFailing', 'Why.'), remedy: remedy(), cause: formerly('reason') },
        'Number of the last batch of the feed.',
      ),
      example: {
        ...CONNECTION_EXAMPLE,
        ...FEED,
        sequence: '17',
        reason: 'resource_refused',
        remedy: 'Give the account access again, or delete the feed. The gateway tries again once an hour.',
      },
    },
  }),
);
