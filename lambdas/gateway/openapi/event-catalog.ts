import * as z from 'zod';
import { DESCRIBED_EVENTS } from '../../features/described-events.ts';
import { HEARTBEAT_SOURCE } from '../core/contract.ts';
import type { DeathCause } from '../core/grant-death.ts';
import { formerCause, type LifecycleEventType } from '../events/lifecycle-event.rules.ts';
import { FLOW_FAILURE_TEXTS } from '../languages/flow-failures.rules.ts';
import { documented } from './documented.ts';
import {
  aboutAccount,
  aboutConnection,
  actor,
  CONNECTION_EXAMPLE,
  type DescribedEvent,
  endUser,
  everyEvent,
  type Members,
  OPERATOR_ACTOR,
  ofConnection,
  ofIntegration,
  SEQUENCE,
  text,
  word,
} from './event-parts.ts';
import { INTEGRATION } from './sample.ts';

/** Why a grant died, in a few words each. */
export const DEATH_CAUSE_WORDS: Readonly<Record<DeathCause, string>> = {
  user_revoked: 'User removed the app',
  token_revoked: 'This one token was ended',
  shared_grant_ended: 'Grant ended with another connection',
  password_changed: 'Password changed',
  refresh_token_limit: 'Too many consents for one account',
  account_token_limit: 'Too many apps for one account',
  time_limited_access_over: 'Access was granted for a limited time',
  admin_restricted: 'Blocked by an administrator',
  context_aware_access: 'Refused by context-aware access',
  session_length_over: 'Workspace session ended',
  testing_mode_expired: 'App is in Testing: seven days are over',
  unused_six_months: 'Unused for six months',
  account_unavailable: 'Google account deleted or suspended',
  account_restricted: 'Google account temporarily restricted',
  advanced_protection: 'Blocked by Advanced Protection',
  rotation_lost: 'New token was lost',
  credentials_changed: 'OAuth client was changed',
  delegation_pending: 'Waiting for the domain’s administrator',
  delegation_missing: 'Not listed by the domain’s administrator',
  delegation_incomplete: 'A scope is not listed by the domain’s administrator',
  subject_unknown: 'Google knows no such user',
  subject_not_allowed: 'The integration may not act for this user',
  unknown: 'Google gave no reason',
};

/** What the health of a connection means. */
export const HEALTH_WORDS = {
  active: 'No known problem.',
  not_used_yet: 'No call has been made yet.',
  failing: 'Google refuses its calls.',
  ends_soon: 'Its grant ends within two days.',
  refused_by_provider: 'Google does not renew its access token.',
  client_refused: 'Google refuses the OAuth client of its integration.',
  dead: 'Its grant has ended.',
};
/** What the health of an integration means. */
export const CLIENT_HEALTH_WORDS = {
  working: 'Google accepts its OAuth client.',
  not_checked_yet: 'Its OAuth client has not been used yet.',
  refused: 'Google refuses its OAuth client.',
};

const ACCOUNT_REMARKS = {
  account_changed: 'A different account than before.',
  account_unknown: 'Google did not identify the account.',
  account_not_known_before: 'The account was not known before.',
};
const ENDS = {
  testing_mode: 'The app is in Testing: grants end seven days after consent.',
  time_limited_access: 'The user granted access for a limited time.',
};
const FEED_REASONS = {
  reauthorization_required: 'The connection needs a new authorization.',
  resource_refused: 'Google has refused its resource for a day.',
  cursor_expired_again: 'Google refused its position in the history twice within an hour.',
};
const NO_PUSH = {
  push_not_supported: 'Google sends no messages for this resource, so it is polled.',
  address_not_authorized: 'Google refuses to send messages to the gateway’s address, so the resource is polled.',
  address_not_https: 'Google sends messages to https addresses only, so the resource is polled.',
  watch_refused: 'Google refused to open a channel, so the resource is polled.',
};
const GAPS = {
  cursor_expired: 'Google no longer knew the position in the history.',
  account_changed: 'The connection belongs to another account now.',
  client_changed: 'The integration has another OAuth client.',
  restored: 'The feed came back from a backup, or rows were missing in which it keeps what it follows.',
  folder_moved: 'The folder of the feed was moved to a shared drive, or out of one.',
};

/** Types with a fixed list of reasons, and their meanings; the dashboard shows the same sentences. */
const REASONS = {
  ConnectionCreated: {
    imported: 'Its tokens were imported.',
    delegated: 'A service account acts for its user.',
    account_unknown: ACCOUNT_REMARKS.account_unknown,
  },
  ConnectionReauthorized: ACCOUNT_REMARKS,
  ConnectionScopesChanged: {
    scopes_gained: 'The user granted more than before.',
    scopes_lost: 'The user granted less than before.',
    scopes_gained_and_lost: 'The user granted some scopes more and some fewer than before.',
  },
  ConnectionExpiring: ENDS,
  ConnectionDeleted: {
    revocation_requested: 'Its grant is being revoked at Google.',
    record_unreadable: 'Its record could not be read, and was deleted.',
  },
  ConnectionUpdated: {
    calls_recorded: 'Every call is recorded for an hour.',
    calls_no_longer_recorded: 'Successful calls are no longer recorded.',
  },
  ConnectionRestored: {
    missing: 'It was missing here.',
    damaged: 'Its record here could not be read.',
    deleted: 'It had been deleted here.',
    overwritten: 'The record here was replaced on request.',
  },
  IntegrationCreated: { restored: 'It was restored from a backup.' },
  IntegrationUpdated: { renamed: 'It has a new id.' },
  SecretKeyCreated: { restored: 'It was restored from a backup.' },
  WebhookCreated: { restored: 'It was restored from a backup.' },
  AuthorizationFailed: Object.fromEntries(
    Object.entries(FLOW_FAILURE_TEXTS).map(([kind, { happened }]) => [kind, aboutProvider(happened)]),
  ),
  ConnectionNotConfirmed: {
    not_confirmed_in_time: 'The app did not confirm it within 15 minutes.',
    other_end_user: 'A different user came back than the one the link was created for.',
    withdrawn: 'It was deleted before it was confirmed.',
    integration_gone: 'Its integration was deleted before it was confirmed.',
    connection_deleted: 'The connection was deleted before the new grant was confirmed.',
  },
  WebhookDisabled: {
    gone: 'It answered 410 Gone.',
    failing: 'It failed for five days.',
    requested: 'Somebody disabled it.',
  },
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
    overdue: 'The gateway has not been able to read or save it for eight minutes after it was due.',
    consumer_behind: 'One of its consumers has fallen behind and will miss changes.',
  },
} as const satisfies Partial<Record<LifecycleEventType, Readonly<Record<string, string>>>>;

const OUTCOMES = {
  revoked: 'Google has ended the grant.',
  already_invalid: 'The grant had already ended.',
  superseded_by_new_consent: 'The grant was kept: the account has given new consent since.',
  client_gone: 'The grant could not be revoked: its OAuth client is no longer here.',
  no_revocation_endpoint: 'The grant could not be revoked: the provider offers no way to do so.',
};
const CREDENTIALS = {
  access_token: 'The access token.',
  refresh_token: 'The access token and the refresh token.',
};

const reason = (type: keyof typeof REASONS, description: string) => word(description, REASONS[type]);
const health = () => word('Health of the connection after the event.', HEALTH_WORDS);
const clientHealth = () => word('Health of the integration after the event.', CLIENT_HEALTH_WORDS);
const cause = (description: string) => word(description, DEATH_CAUSE_WORDS);
const remedy = (description = 'What to do about it, in sentences for people.') => text(description);
const feed = () => ({
  feed_id: text('Id of the feed.'),
  resource: text('What the feed watches, such as `drive` or `calendar:primary`.'),
});

const ofApproval = () => ({
  approval_id: text('Id of the approval.'),
  method: text('Google’s id of the method, such as `drive.files.delete`.'),
  key_id: text('The secret key that called: the first 12 characters of its `id`.'),
  object_kind: z
    .enum(['file', 'shared_drive', 'event', 'calendar'])
    .optional()
    .meta({ description: 'What the call is about; absent if it names no object.' }),
  object_id: text('Google’s id of it.').optional(),
});

const PERCENTS = { '50': 'Half of it.', '80': '80 % of it.', '100': 'All of it.' };
const WHEN_SPENT = {
  warn: 'They pass.',
  stop: 'They are refused until the next day.',
  observe: 'They pass, and are counted as refused: the key only observes.',
};
/** What happens to calls once a provider's daily quota is used up. */
const DAYS_LEFT = { '90': 'First notice.', '30': 'A month.', '7': 'The last week.' };
const DAY_LIMITS = { warn: WHEN_SPENT.warn, stop: WHEN_SPENT.stop };
const QUOTAS = { units: 'Units of its quota; for Calendar a call is one.', bytes_out: 'Bytes of answers.' };

const aboutIntegration = (own: Members, sequence = SEQUENCE.integration) =>
  z.object({ ...everyEvent(sequence), ...ofIntegration(), ...own });

/** A copy of another member, kept for earlier versions. */
const formerly = (name: string, form = '') =>
  z
    .string()
    .optional()
    .meta({ deprecated: true, description: `Deprecated, gone in 0.4.0: read \`${name}\`${form}.` });

const KEY_ACTOR = 'key:f3a1c5d2e4b6';
const SESSION_ACTOR = 'session:216a9fad5515';
const APPROVAL_EXAMPLE = {
  approval_id: 'apr_01KAMT0V5N7Z2Q4R8S6T1W3X5Yf3a1c5d2e4b6',
  method: 'drive.files.delete',
  key_id: 'f3a1c5d2e4b6',
  object_kind: 'file',
  object_id: '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms',
};
const WEBHOOK = 'wh_01KAMT0V5N7Z2Q4R8S6T1W3X5Y';
const FEED = { feed_id: '01JN8Z4H9V6Q3W2X1Y0ZFEED00', resource: 'drive' };

/** Webhooks all have the same members. */
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

/**
 * Every type of event, one row each: its meaning, members and audience. The API's document, docs/events.md, the clients' types and the
 * dashboard's texts are generated from these rows: `npm run generate` writes the page and the texts.
 */
export const EVENTS = documented(
  (): Readonly<Record<LifecycleEventType, DescribedEvent>> => ({
    ConnectionCreated: {
      audience: 'app',
      title: 'Connected',
      tone: 'success',
      when: 'An end user has connected an account, or its tokens were imported.',
      readBy: 'Your backend, to begin working with the account.',
      data: aboutConnection({
        reason: reason('ConnectionCreated', 'What was particular about it; absent for a usual consent.').optional(),
        health: health(),
        actor: actor('The connect session that it was made in, or who imported or confirmed it'),
        cause: formerly('reason'),
      }),
      example: { ...CONNECTION_EXAMPLE, sequence: '1', health: 'not_used_yet', actor: SESSION_ACTOR },
    },
    ConnectionReauthorized: {
      audience: 'app',
      title: 'Authorized again',
      tone: 'success',
      when: 'The end user of an existing connection has given a new consent. The connection works with the new grant, also if it was dead.',
      readBy: 'Your backend, to continue what it had stopped.',
      data: aboutConnection({
        reason: reason(
          'ConnectionReauthorized',
          'What is to be known of the account; absent if it is the same.',
        ).optional(),
        health: health(),
        actor: actor('The connect session of the consent, or who confirmed it'),
        cause: formerly('reason'),
      }),
      example: { ...CONNECTION_EXAMPLE, sequence: '4', health: 'active', actor: SESSION_ACTOR },
    },
    ConnectionScopesChanged: {
      audience: 'app',
      title: 'Granted scopes changed',
      tone: 'info',
      when: 'The granted scopes are others than before, after a new consent or as a refresh has shown. `GET /connections/{id}` lists them.',
      readBy: 'Your backend, if features depend on scopes.',
      data: aboutConnection({
        reason: reason('ConnectionScopesChanged', 'In which way.'),
        health: health(),
        actor: actor('The connect session of the consent, or who confirmed it; absent after a refresh').optional(),
        cause: formerly('reason'),
      }),
      example: {
        ...CONNECTION_EXAMPLE,
        sequence: '5',
        reason: 'scopes_gained',
        health: 'active',
        actor: SESSION_ACTOR,
      },
    },
    ConnectionExpiring: {
      audience: 'app',
      title: 'Will end soon',
      tone: 'warning',
      when: 'A grant will end by itself: two days ahead and one day ahead, once each.',
      readBy: 'Your backend, to ask the user for a new consent in time.',
      data: aboutConnection({
        reason: reason('ConnectionExpiring', 'Why it will end.'),
        ends_at: z.string().meta({ format: 'date-time', description: 'When it will end, ISO 8601 in UTC.' }),
        remedy: remedy(),
        health: health(),
        cause: formerly('reason'),
      }),
      example: {
        ...CONNECTION_EXAMPLE,
        sequence: '2',
        reason: 'time_limited_access',
        ends_at: '2026-03-03T11:50:00.000Z',
        remedy: 'The user granted access until 2026-03-03T11:50:00.000Z. Ask the user to connect again before that.',
        health: 'ends_soon',
      },
    },
    ConnectionReauthorizationRequired: {
      audience: 'app',
      title: 'Needs a new authorization',
      tone: 'error',
      when: 'A grant has ended. Calls on the connection are answered with 424 until the user reconnects.',
      readBy: 'Your backend, to stop calling and to invite the user to reconnect.',
      data: aboutConnection({
        cause: cause(
          'Why the grant died: the most likely cause. `remedy` begins with “Probably:” unless it is proven; `GET /connections/{id}` lists all that are likely.',
        ),
        remedy: remedy('What happened and what to do about it, in sentences for people.'),
        health: word('Health of the connection after the event.', { dead: HEALTH_WORDS.dead }),
      }),
      example: {
        ...CONNECTION_EXAMPLE,
        sequence: '3',
        cause: 'user_revoked',
        remedy: 'Probably: The user removed the app from their Google account. Ask the user to connect again.',
        health: 'dead',
      },
    },
    ConnectionCauseProven: {
      audience: 'app',
      title: 'Google stated why it ended',
      tone: 'info',
      when: 'A connection had died for a reason that was a guess, and a security event that Google has signed proves it, or another one. At most once per death.',
      readBy:
        'Anyone who explains to the user why to connect again, where ConnectionReauthorizationRequired had said “Probably:”.',
      data: aboutConnection({
        cause: cause('Why the grant ended, beyond doubt.'),
        remedy: remedy('What happened and what to do about it, in sentences for people.'),
        health: word('Health of the connection after the event.', { dead: HEALTH_WORDS.dead }),
      }),
      example: {
        ...CONNECTION_EXAMPLE,
        sequence: '4',
        cause: 'account_unavailable',
        remedy:
          'The Google account was deleted or suspended. Ask the user to connect another account, or their administrator to restore this one.',
        health: 'dead',
      },
    },
    ConnectionRecovered: {
      audience: 'app',
      title: 'Works again',
      tone: 'success',
      when: 'A dead connection works again without a new consent: an administrator has lifted a restriction, or Google has taken its refusal back.',
      readBy: 'Your backend, to continue what it had stopped.',
      data: aboutConnection({ cause: cause('Why the grant had been taken for dead.'), health: health() }),
      example: { ...CONNECTION_EXAMPLE, sequence: '4', cause: 'admin_restricted', health: 'active' },
    },
    ConnectionRefreshRefused: {
      audience: 'app',
      title: 'Google does not renew its token',
      tone: 'error',
      when: 'Google has refused three times in a row to renew the access token of a connection, or has given no new one for a day. Once, until a refresh succeeds; calls are answered with 503 once the last token has expired.',
      readBy:
        'Your backend, to stop calling; anyone who looks after the integration, because the remedy is seldom the user’s.',
      data: aboutConnection({
        provider_error: text('Google’s error code, or the kind of its answer, such as `http_403`.'),
        remedy: remedy('What Google answers and what to do about it, in sentences for people.'),
        health: word('Health of the connection after the event.', {
          refused_by_provider: HEALTH_WORDS.refused_by_provider,
          client_refused: HEALTH_WORDS.client_refused,
        }),
      }),
      example: {
        ...CONNECTION_EXAMPLE,
        sequence: '3',
        provider_error: 'unauthorized_client',
        remedy:
          'Google does not renew the token of this connection (unauthorized_client): the refresh token was probably issued to another OAuth client. Restore the OAuth client that the user consented to, or ask the user to connect again.',
        health: 'refused_by_provider',
      },
    },
    ConnectionRefreshRecovered: {
      audience: 'app',
      title: 'Google renews its token again',
      tone: 'success',
      when: 'A refresh has succeeded after a `ConnectionRefreshRefused`.',
      readBy: 'Your backend, to continue what it had stopped.',
      data: aboutConnection({
        provider_error: text('How Google had answered before.'),
        health: health(),
      }),
      example: { ...CONNECTION_EXAMPLE, sequence: '4', provider_error: 'unauthorized_client', health: 'active' },
    },
    ConnectionDeleted: {
      audience: 'app',
      title: 'Deleted',
      tone: 'info',
      when: 'A connection was deleted, alone or with its integration. Its tokens are erased.',
      readBy: 'Your backend, to forget what it stores for the connection.',
      data: aboutConnection({
        reason: reason(
          'ConnectionDeleted',
          'What else is to be known; absent if the grant is left as it is.',
        ).optional(),
        actor: actor('Who deleted it'),
        cause: formerly('reason'),
      }),
      example: { ...CONNECTION_EXAMPLE, sequence: '6', reason: 'revocation_requested', actor: KEY_ACTOR },
    },
    ConnectionUpdated: {
      audience: 'app',
      title: 'Details changed',
      tone: 'info',
      when: 'The end user, the tags or the metadata of a connection were changed, or the recording of its calls was.',
      readBy: 'Your backend, if other systems change connections too.',
      data: aboutConnection({
        reason: reason('ConnectionUpdated', 'What was changed; absent for end user, tags and metadata.').optional(),
        health: health(),
        actor: actor('Who changed it'),
        cause: formerly('reason'),
      }),
      example: { ...CONNECTION_EXAMPLE, sequence: '3', health: 'active', actor: KEY_ACTOR },
    },
    ConnectionRestored: {
      audience: 'app',
      title: 'Restored from a backup',
      tone: 'warning',
      when: 'An operator has restored a connection from a backup of the table.',
      readBy: 'Your backend: what happened to the connection since the backup is undone.',
      data: aboutConnection({
        reason: reason('ConnectionRestored', 'Why it was restored.'),
        health: health(),
        cause: formerly('reason'),
      }),
      example: { ...CONNECTION_EXAMPLE, sequence: '9', reason: 'missing', health: 'active' },
    },
    IntegrationCredentialsRejected: {
      audience: 'app',
      title: 'An OAuth client was refused',
      tone: 'error',
      when: 'Google refuses the OAuth client of an integration. All its connections wait; none of them is at fault.',
      readBy: 'Anyone who keeps the OAuth client. Do not ask users to reconnect.',
      data: aboutIntegration({
        provider_error: text('Google’s own code, such as `invalid_client` or `deleted_client`.'),
        remedy: remedy('What happened and what to do about it, in sentences for people.'),
        health: word('Health of the integration after the event.', { refused: CLIENT_HEALTH_WORDS.refused }),
        cause: formerly('provider_error'),
      }),
      example: {
        integration_id: INTEGRATION,
        sequence: '2',
        provider_error: 'invalid_client',
        remedy:
          'Google does not accept the client secret. Enter the current one at the integration. The connections are not at fault.',
        health: 'refused',
      },
    },
    IntegrationRecovered: {
      audience: 'app',
      title: 'An OAuth client works again',
      tone: 'success',
      when: 'Google accepts the OAuth client of an integration again.',
      readBy: 'Anyone who keeps the OAuth client.',
      data: aboutIntegration({
        provider_error: text('Google’s code while it refused the client.'),
        health: word('Health of the integration after the event.', { working: CLIENT_HEALTH_WORDS.working }),
        cause: formerly('provider_error'),
      }),
      example: { integration_id: INTEGRATION, sequence: '3', provider_error: 'invalid_client', health: 'working' },
    },
    IntegrationGrantsFailing: {
      audience: 'app',
      title: 'Many grants of an integration are ending',
      tone: 'error',
      when: 'Five connections of one integration died within ten minutes, which points at its OAuth client or at an administrator rather than at users.',
      readBy: 'Anyone who keeps the OAuth client, before users are asked to reconnect.',
      data: aboutIntegration(
        { cause: cause('Why the latest of the grants died: the most likely cause.'), remedy: remedy() },
        SEQUENCE.none,
      ),
      example: {
        integration_id: INTEGRATION,
        sequence: '0',
        cause: 'admin_restricted',
        remedy:
          "5 connections of this integration ended within 10 minutes, the latest of them probably with cause admin_restricted. Check its OAuth client, its publishing status and Workspace administrators' policies before you ask the users.",
      },
    },
    DelegationGranted: {
      audience: 'app',
      title: 'A domain lets the service account in',
      tone: 'success',
      when: 'Google gave the first token for a user of a Workspace domain, or the first one again after DelegationLost: all connections of the domain work.',
      readBy: 'Your backend, to continue with the users of the domain.',
      data: aboutIntegration({ domain: text('The Workspace domain.') }, SEQUENCE.none),
      example: { integration_id: INTEGRATION, sequence: '0', domain: 'workspace.example' },
    },
    DelegationLost: {
      audience: 'app',
      title: 'A domain does not let the service account in',
      tone: 'error',
      when: 'Google answers that the administrator of a Workspace domain does not list the service account: no connection of the domain works. Sent once, until DelegationGranted.',
      readBy: 'Anyone who talks to the administrator of the domain.',
      data: aboutIntegration(
        {
          domain: text('The Workspace domain.'),
          provider_error: text('Google’s error code.'),
          remedy: remedy(),
        },
        SEQUENCE.none,
      ),
      example: {
        integration_id: INTEGRATION,
        sequence: '0',
        domain: 'workspace.example',
        provider_error: 'unauthorized_client',
        remedy: 'Ask the administrator to list the service account in the Admin console.',
      },
    },
    RefreshTokenLimitNear: {
      audience: 'app',
      title: "Near Google's limit of refresh tokens",
      tone: 'warning',
      when: 'An account has so many live refresh tokens under one OAuth client that Google will soon end the oldest without a notice; sent once for each consent from 90 of 100 on.',
      readBy: 'Your backend, to reconnect connections instead of making more.',
      data: aboutConnection({
        live_tokens: text('How many refresh tokens of the account may be live.'),
        token_limit: text('How many may be live at most.'),
        remedy: remedy(),
        health: health(),
        cause: formerly('live_tokens', ' and `token_limit`'),
      }),
      example: {
        ...CONNECTION_EXAMPLE,
        sequence: '2',
        live_tokens: '95',
        token_limit: '100',
        remedy: 'This Google account has up to 95 live refresh tokens under one OAuth client, one per consent.',
        health: 'active',
      },
    },
    IntegrationCreated: {
      audience: 'audit',
      title: 'An integration was created',
      tone: 'info',
      when: 'An integration was created, or restored from a backup.',
      readBy: 'Anyone who reviews changes of the configuration.',
      data: aboutIntegration({
        reason: reason('IntegrationCreated', 'How it came; absent for one that is new.').optional(),
        health: clientHealth(),
        actor: actor('Who created it; absent for a restored one').optional(),
        cause: formerly('reason'),
      }),
      example: { integration_id: INTEGRATION, sequence: '1', health: 'not_checked_yet', actor: OPERATOR_ACTOR },
    },
    IntegrationUpdated: {
      audience: 'audit',
      title: 'An integration was changed',
      tone: 'info',
      when: 'Settings, scopes or the OAuth client of an integration were changed.',
      readBy: 'Anyone who reviews changes of the configuration.',
      data: aboutIntegration({
        reason: reason(
          'IntegrationUpdated',
          'What was changed, for a new id; `integration_id` is the new one.',
        ).optional(),
        health: clientHealth(),
        actor: actor('Who changed it'),
        cause: formerly('reason'),
      }),
      example: { integration_id: INTEGRATION, sequence: '2', health: 'working', actor: OPERATOR_ACTOR },
    },
    IntegrationDeleted: {
      audience: 'audit',
      title: 'An integration was deleted',
      tone: 'info',
      when: 'An integration was deleted, after all its connections.',
      readBy: 'Anyone who reviews changes of the configuration.',
      data: aboutIntegration({ actor: actor('Who deleted it') }),
      example: { integration_id: INTEGRATION, sequence: '5', actor: OPERATOR_ACTOR },
    },
    SecretKeyCreated: {
      audience: 'audit',
      title: 'A secret key was created',
      tone: 'info',
      when: 'A secret key was created: by somebody, by a new deployment (its first key), or from a backup.',
      readBy: 'Anyone who watches over access.',
      data: z.object({
        ...everyEvent('`0`; `1` for the first key of a deployment.'),
        key_id: text('Which key: the first 12 characters of its `id` in `GET /account/keys`.'),
        reason: reason('SecretKeyCreated', 'How it came; absent for one that is new.').optional(),
        actor: actor('Who created it; absent for the first key and for a restored one').optional(),
        cause: formerly('key_id', ', which stands behind `key:` here'),
      }),
      example: { sequence: '0', key_id: 'f3a1c5d2e4b6', actor: OPERATOR_ACTOR },
    },
    SecretKeyRevoked: {
      audience: 'audit',
      title: 'A secret key was revoked',
      tone: 'info',
      when: 'A secret key was revoked.',
      readBy: 'Anyone who watches over access.',
      data: aboutAccount({
        key_id: text('Which key: the first 12 characters of its `id` in `GET /account/keys`.'),
        actor: actor('Who revoked it').optional(),
        cause: formerly('key_id', ', which stands behind `key:` here'),
      }),
      example: { key_id: 'f3a1c5d2e4b6', actor: OPERATOR_ACTOR },
    },
    SecretKeyLimitsChanged: {
      audience: 'audit',
      title: 'The limits of a secret key changed',
      tone: 'info',
      when: 'Limits of a secret key were set, changed or taken away.',
      readBy: 'Anyone who watches over access.',
      data: aboutAccount({
        key_id: text('Which key: the first 12 characters of its `id` in `GET /account/keys`.'),
        actor: actor('Who changed them').optional(),
        cause: formerly('key_id', ', which stands behind `key:` here'),
      }),
      example: { key_id: 'f3a1c5d2e4b6', actor: OPERATOR_ACTOR },
    },
    BudgetReached: {
      audience: 'app',
      title: 'A day’s budget is running out',
      tone: 'warning',
      when: 'Calls have used 50, 80 or 100 % of what a secret key, an integration or a connection may take in a day, each once a day.',
      readBy: 'Your backend, to hold back what can wait; the people who set budgets.',
      data: aboutAccount({
        ...Object.fromEntries(Object.entries(ofConnection()).map(([name, type]) => [name, type.optional()])),
        key_id: text(
          'The secret key whose budget it is: the first 12 characters of its `id`; absent for others.',
        ).optional(),
        budget: text('Whose budget it is, and of what, such as `integration.day.units` or `key.day.calls`.'),
        percent: word('How much of it is used, in percent.', PERCENTS),
        used: text('What was used when the event was sent.'),
        most: text('The whole budget.'),
        when_spent: word('What becomes of calls that no longer fit.', WHEN_SPENT),
        day: text('The day, UTC.'),
        resets_at: text('When all of it is free again.'),
      }),
      example: {
        integration_id: INTEGRATION,
        budget: 'integration.day.units',
        percent: '80',
        used: '40120000',
        most: '50000000',
        when_spent: 'warn',
        day: '2026-03-01',
        resets_at: '2026-03-02T00:00:00.000Z',
      },
    },
    QuotaReached: {
      audience: 'app',
      title: 'Calls near Google’s daily threshold',
      tone: 'warning',
      when: 'Calls have used 50, 80 or 100 % of a Cloud project’s daily threshold for an API; once a day for each share.',
      readBy: 'Your backend, to hold back what can wait until Google’s next day.',
      data: aboutAccount({
        provider: text('The provider, such as `google-drive`.'),
        cloud_project: text('Number of the Google Cloud project of the OAuth client.'),
        quota: word('What Google counts.', QUOTAS),
        percent: word('How much of it is used, in percent.', PERCENTS),
        used: text('What was used when the event was sent.'),
        most: text('The daily threshold: that of new projects, or `quota` of the integration.'),
        when_spent: word('What becomes of calls once all of it is used.', DAY_LIMITS),
        day: text('Google’s day, which begins at midnight Pacific Time.'),
        resets_at: text('When the next one begins.'),
      }),
      example: {
        provider: 'google-drive',
        cloud_project: '123456789012',
        quota: 'units',
        percent: '80',
        used: '320410000',
        most: '400000000',
        when_spent: 'warn',
        day: '2026-03-01',
        resets_at: '2026-03-02T08:00:00.000Z',
      },
    },
    HigherLimitsEnding: {
      audience: 'app',
      title: 'Higher limits of a Cloud project end',
      tone: 'warning',
      when: 'The limits in `quota` of an integration end in 90, 30 or 7 days; once each, with the next count of calls. From `ends_at` on the gateway counts Google’s Standard tier.',
      readBy: 'Developers, to enroll the project in another tier or to need less.',
      data: aboutAccount({
        provider: text('The provider, such as `google-drive`.'),
        cloud_project: text('Number of the Google Cloud project of the OAuth client.'),
        ends_at: text('When the limits end: `until`, or the day on which Google ends them.'),
        days_left: word('How many days are left at most.', DAYS_LEFT),
      }),
      example: {
        provider: 'google-calendar',
        cloud_project: '123456789012',
        ends_at: '2027-04-01T00:00:00.000Z',
        days_left: '30',
      },
    },
    ServerToolsChanged: {
      audience: 'app',
      title: 'Tools of an MCP server changed',
      tone: 'warning',
      when: 'A provider’s MCP server describes tools in another way, or has new ones that the gateway knows. They are hidden from assistants until an operator accepts them.',
      readBy: 'Operators, who compare and accept them.',
      data: aboutAccount({
        provider: text('The provider, such as `google-calendar`.'),
        tools: text('Names of the tools, as the server has them, separated by commas.'),
      }),
      example: { provider: 'google-calendar', tools: 'create_event,update_event' },
    },
    ServerToolsAccepted: {
      audience: 'audit',
      title: 'Tools of an MCP server were accepted',
      tone: 'info',
      when: 'An operator or a key accepted tools of a provider’s MCP server as they are now.',
      readBy: 'Anyone who watches over what assistants can do.',
      data: aboutAccount({
        provider: text('The provider, such as `google-calendar`.'),
        tools: text('Names of the tools, as the server has them, separated by commas.'),
        actor: actor('Who accepted them'),
      }),
      example: { provider: 'google-calendar', tools: 'create_event', actor: OPERATOR_ACTOR },
    },
    TestCredentialsChanged: {
      audience: 'audit',
      title: 'Test credentials were set',
      tone: 'info',
      when: 'The OAuth client that test connections of a provider use was set.',
      readBy: 'Anyone who reviews changes of the configuration.',
      data: aboutAccount({
        provider: text('The provider, such as `google-drive`.'),
        actor: actor('Who set it'),
        cause: formerly('provider'),
      }),
      example: { provider: 'google-drive', actor: OPERATOR_ACTOR },
    },
    TestCredentialsRemoved: {
      audience: 'audit',
      title: 'Test credentials were removed',
      tone: 'info',
      when: 'The OAuth client that test connections of a provider use was removed.',
      readBy: 'Anyone who reviews changes of the configuration.',
      data: aboutAccount({
        provider: text('The provider, such as `google-drive`.'),
        actor: actor('Who removed it'),
        cause: formerly('provider'),
      }),
      example: { provider: 'google-drive', actor: OPERATOR_ACTOR },
    },
    ConnectSessionCreated: {
      audience: 'audit',
      title: 'A connect link was created',
      tone: 'info',
      when: 'A connect session was created, for a new connection or to reconnect one.',
      readBy: 'Anyone who follows how users connect.',
      data: aboutAccount({
        integration_id: text('The integration, if the session allows only one.').optional(),
        connection_id: text('Id of the connection that is to be reconnected; absent for a new one.').optional(),
        end_user_id: text(
          'Your id of the end user that the session is for, if it or its connection names one.',
        ).optional(),
        session_id: text('Which session: the text behind `session:` in `actor` of what comes of it.'),
        actor: actor('Who created it'),
        cause: formerly('session_id', ', which stands behind `session:` here'),
      }),
      example: { end_user_id: 'user-42', session_id: '216a9fad5515', actor: KEY_ACTOR },
    },
    ConnectSessionDeleted: {
      audience: 'audit',
      title: 'A connect link was deleted',
      tone: 'info',
      when: 'A connect session was deleted with the others of its end user (`DELETE /connect/sessions`). Its link no longer opens anything.',
      readBy: 'Anyone who has to show that a person was erased.',
      data: aboutAccount({
        integration_id: text('The integration, if the session allowed only one.').optional(),
        connection_id: text('Id of the connection that was to be reconnected; absent for a new one.').optional(),
        end_user_id: text('Your id of the end user.'),
        session_id: text('Which session: the text behind `session:` in `actor` of what came of it.'),
        actor: actor('Who deleted it'),
      }),
      example: { end_user_id: 'user-42', session_id: '216a9fad5515', actor: KEY_ACTOR },
    },
    AuthorizationStarted: {
      audience: 'audit',
      title: 'Authorization started',
      tone: 'info',
      when: 'An end user was sent to Google for consent.',
      readBy: 'Anyone who follows how users connect.',
      data: aboutIntegration(
        {
          connection_id: text('Id of the connection that is reconnected; absent for a new one.').optional(),
          end_user_id: endUser(),
          actor: actor('The connect session'),
        },
        SEQUENCE.none,
      ),
      example: { integration_id: INTEGRATION, end_user_id: 'user-42', actor: SESSION_ACTOR },
    },
    AuthorizationFailed: {
      audience: 'app',
      title: 'Authorization failed',
      tone: 'error',
      when: 'An end user came back from Google, and nothing was connected.',
      readBy: 'Your support, or your backend if it follows up with the user.',
      data: aboutIntegration(
        {
          connection_id: text('Id of the connection that was to be reconnected; absent for a new one.').optional(),
          end_user_id: endUser(),
          reason: reason('AuthorizationFailed', 'What happened.'),
          remedy: remedy(),
          actor: actor('The connect session'),
          cause: formerly('reason'),
        },
        SEQUENCE.none,
      ),
      example: {
        integration_id: INTEGRATION,
        end_user_id: 'user-42',
        reason: 'refused',
        remedy: aboutProvider(FLOW_FAILURE_TEXTS.refused.next),
        actor: SESSION_ACTOR,
      },
    },
    ConnectionConfirmationPending: {
      audience: 'app',
      title: 'Waiting for the app to confirm it',
      tone: 'info',
      when: 'The end user of a connect session with `confirm` has given consent. There is no connection before your backend confirms.',
      readBy: 'Anyone who follows how users connect.',
      data: aboutConnection({ actor: actor('The connect session') }, SEQUENCE.none),
      example: { ...CONNECTION_EXAMPLE, actor: SESSION_ACTOR },
    },
    ConnectionNotConfirmed: {
      audience: 'app',
      title: 'Was not confirmed',
      tone: 'warning',
      when: 'A consent that waited for confirmation was not confirmed. Its tokens are erased and the grant is revoked, unless a living connection shares it.',
      readBy: 'Your backend, if it waits for the user.',
      data: aboutConnection(
        {
          reason: reason('ConnectionNotConfirmed', 'Why not.'),
          actor: actor('Who ended it; absent when time ran out').optional(),
          cause: formerly('reason'),
        },
        SEQUENCE.none,
      ),
      example: { ...CONNECTION_EXAMPLE, reason: 'not_confirmed_in_time' },
    },
    FilesPicked: {
      audience: 'app',
      title: 'Files were selected',
      tone: 'success',
      when: 'An end user has selected files in Google’s picker. `GET /connect/session` lists them; no event names them.',
      readBy: 'Your backend, to work with the files.',
      data: aboutConnection(
        {
          files: text('How many files.'),
          actor: actor('The connect session'),
          cause: formerly('files'),
        },
        SEQUENCE.none,
      ),
      example: { ...CONNECTION_EXAMPLE, files: '2', actor: SESSION_ACTOR },
    },
    ConnectionCredentialsRead: {
      audience: 'audit',
      title: 'Tokens were read through the API',
      tone: 'warning',
      when: 'Tokens of a connection were read with `GET /connections/{id}`.',
      readBy: 'Anyone who watches over access.',
      data: aboutConnection(
        {
          credentials: word('Which tokens.', CREDENTIALS),
          actor: actor('Who read them'),
          cause: formerly('credentials'),
        },
        SEQUENCE.none,
      ),
      example: { ...CONNECTION_EXAMPLE, credentials: 'access_token', actor: KEY_ACTOR },
    },
    ...DESCRIBED_EVENTS(),
    ConnectionTried: {
      audience: 'audit',
      title: 'A call was tried manually',
      tone: 'info',
      when: 'Somebody tried a call on a connection, such as an operator in the dashboard.',
      readBy: 'Anyone who watches over access.',
      data: aboutConnection({ actor: actor('Who tried it') }, SEQUENCE.none),
      example: { ...CONNECTION_EXAMPLE, actor: OPERATOR_ACTOR },
    },
    ApprovalRequested: {
      audience: 'app',
      title: 'A call waits for approval',
      tone: 'warning',
      when: 'A call that a person has to approve, by the limits of its secret key, was kept. Nothing of it was sent.',
      readBy: 'Your backend, to bring the person who decides to the page of the approval.',
      data: aboutConnection(
        { ...ofApproval(), ends_at: text('Until when it waits.'), actor: actor('The key that called') },
        SEQUENCE.none,
      ),
      example: { ...CONNECTION_EXAMPLE, ...APPROVAL_EXAMPLE, ends_at: '2026-03-02T10:00:00.000Z', actor: KEY_ACTOR },
    },
    ApprovalLinkCreated: {
      audience: 'app',
      title: 'A link to decide on a call was created',
      tone: 'warning',
      when: 'A full key, or an operator, created a link whose first browser decides on a waiting call as the end user.',
      readBy: 'Anyone who watches over access: a link lets its holder approve.',
      data: aboutConnection(
        { ...ofApproval(), ends_at: text('Until when the link works.'), actor: actor('The key or the operator') },
        SEQUENCE.none,
      ),
      example: { ...CONNECTION_EXAMPLE, ...APPROVAL_EXAMPLE, ends_at: '2026-03-01T10:10:00.000Z', actor: KEY_ACTOR },
    },
    ApprovalDecided: {
      audience: 'app',
      title: 'A person decided on a call',
      tone: 'info',
      when: 'A person approved or refused a call that was waiting. What is approved is sent within seconds.',
      readBy: 'Your backend; anyone who watches over access.',
      data: aboutConnection(
        {
          ...ofApproval(),
          outcome: word('What was decided.', { approved: 'it may be sent', refused: 'it is never sent' }),
          actor: text(
            'Who decided: `operator:…`, `end_user:…` after a sign-in, or `link:…` with the key or operator that created the link.',
          ),
        },
        SEQUENCE.none,
      ),
      example: { ...CONNECTION_EXAMPLE, ...APPROVAL_EXAMPLE, outcome: 'approved', actor: OPERATOR_ACTOR },
    },
    ApprovalEnded: {
      audience: 'app',
      title: 'A call that asked for approval has ended',
      tone: 'info',
      when: 'A call that a person approved was carried out, could not be, or it is not known whether it was; or nobody decided on it in time.',
      readBy: 'Your backend, which can fetch the answer with the key that called.',
      data: aboutConnection(
        {
          ...ofApproval(),
          outcome: word('How it ended.', {
            done: 'Google carried it out',
            failed: 'nothing was changed',
            stale: 'what it was about had changed since the person saw it, and nothing was sent',
            unknown: 'it may have been carried out; reading the object did not show it',
            expired: 'nobody decided within a day, or what was approved did not begin within an hour; nothing was sent',
          }),
        },
        SEQUENCE.none,
      ),
      example: { ...CONNECTION_EXAMPLE, ...APPROVAL_EXAMPLE, outcome: 'done' },
    },
    ConnectionGrantRevoked: {
      audience: 'app',
      title: 'Revocation at Google is complete',
      tone: 'info',
      when: 'The revocation of a deleted connection’s grant has ended: at once, or later when Google could not be reached.',
      readBy: 'Anyone who has to prove that access has ended.',
      data: aboutConnection(
        { outcome: word('What became of the grant.', OUTCOMES), cause: formerly('outcome') },
        SEQUENCE.none,
      ),
      example: { ...CONNECTION_EXAMPLE, outcome: 'revoked' },
    },
    WebhookCreated: webhookEvent({
      title: 'A webhook was created',
      tone: 'info',
      when: 'A webhook was created, or restored from a backup. A new one gets nothing before it is enabled.',
      own: {
        reason: reason('WebhookCreated', 'How it came; absent for one that is new.').optional(),
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
      when: 'A webhook was enabled: its endpoint has answered `endpoint.test` with 2xx.',
    }),
    WebhookDisabled: {
      ...webhookEvent(
        {
          title: 'A webhook was disabled',
          tone: 'warning',
          when: 'A webhook was disabled, by somebody or because its endpoint fails. Its events wait for 14 days.',
          own: {
            reason: reason('WebhookDisabled', 'Why.'),
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
    FeedCreated: feedEvent({
      title: 'A feed was created',
      when: 'A feed was created, by hand or by the stack that declares it.',
      data: { actor: actor('Who asked for it') },
    }),
    FeedUpdated: feedEvent({
      title: 'Settings of a feed were changed',
      when: 'Delivery, intervals, meanings or reminders of a feed were set, by hand or by the stack that declares it.',
      data: { actor: actor('Who asked for it') },
    }),
    FeedDeleted: feedEvent({
      title: 'A feed was deleted',
      when: 'A feed was deleted, by hand, by the stack that declared it, or because its connection is deleted.',
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
            starts: 'Events in `changes` start soon: a reminder of each is due.',
          }),
          changes: text(
            'The changes as JSON text: a list of `{"id", "kind", "removed", "time", "mime_type", "what", "subtree", "minutes_before"}`, empty for a gap ([meaning](changes.md#reading-changes)).',
          ),
          reason: reason('FeedChanged', 'Of a gap: why there is one.').optional(),
          remedy: remedy().optional().meta({ description: 'Of a gap: what to do.' }),
          cause: formerly('reason'),
        },
        'Number of the batch in its feed, counting up by one from 1. If one is missing, read it with `GET /feeds/{id}/changes`.',
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
      when: 'A feed waits because its connection needs a new authorization: within a second or so of `ConnectionReauthorizationRequired`. It continues at its position.',
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
      when: 'A feed that was paused or failing continues: a paused one as soon as its connection works again. It then reads what it has missed.',
      readBy: 'Your backend, if it shows users how current their data is.',
      data: aboutConnection(
        {
          ...feed(),
          reason: reason(
            'FeedResumed',
            'Why it is polled; absent if Google sends messages, or if that is still to be seen.',
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
      when: 'Google has refused what a feed watches for a day, or its position twice within an hour. Or the gateway could not read or save the feed for eight minutes after it was due. Or a consumer has fallen behind while the feed itself works.',
      readBy: 'Anyone who keeps the consumer of the feed.',
      data: aboutConnection(
        { ...feed(), reason: reason('FeedFailing', 'Which of them.'), remedy: remedy(), cause: formerly('reason') },
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
    Heartbeat: {
      audience: 'operator',
      title: 'The path of events works',
      tone: 'info',
      source: HEARTBEAT_SOURCE,
      when: 'Every ten minutes, as long as the path of events works: table, stream, bus. It is in no list.',
      readBy: 'The gateway’s own alarms; your monitoring, if a missing event is to be noticed there.',
      data: aboutAccount({}),
      example: {},
    },
  }),
);

/** The test message with which a webhook is proven, in the form of an event; it is not on the bus. */
export const ENDPOINT_TEST = documented(
  (): Pick<DescribedEvent, 'when' | 'data' | 'example'> => ({
    when: 'A webhook is enabled or tested.',
    data: z.object({
      event_id: everyEvent('').event_id,
      time: everyEvent('').time,
      account_id: everyEvent('').account_id,
      webhook_id: text('Id of the webhook.'),
    }),
    example: { webhook_id: WEBHOOK },
  }),
);

const SAMPLE = {
  event_id: '01JN8Z4H9V6Q3W2X1Y0ZABCDEF',
  sequence: '0',
  time: '2026-03-01T12:00:00.000Z',
  account_id: 'default',
};

/** An example with the members of every event and those kept for earlier versions; its members in the order of the schema. */
export function wholeExample(
  type: LifecycleEventType | undefined,
  { data, example }: Pick<DescribedEvent, 'data' | 'example'>,
): Record<string, string> {
  const former = type === undefined ? undefined : formerCause(type, example);
  const values: Readonly<Record<string, string>> = {
    ...SAMPLE,
    ...(former === undefined ? {} : { cause: former }),
    ...example,
  };
  return Object.fromEntries(
    Object.keys(data.shape).flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])),
  );
}

function aboutProvider(sentence: string): string {
  const filled = sentence.replaceAll('{provider}', 'Google');
  return filled.charAt(0).toUpperCase() + filled.slice(1);
}
