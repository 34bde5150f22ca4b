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
  formerly,
  type Members,
  OPERATOR_ACTOR,
  ofConnection,
  ofIntegration,
  remedy,
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
  testing_mode: 'In Testing, grants end seven days after consent.',
  time_limited_access: 'The user granted access for a limited time.',
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
    scopes_gained_and_lost: 'The user granted some more and some fewer.',
  },
  ConnectionExpiring: ENDS,
  ConnectionDeleted: {
    revocation_requested: 'Its grant is being revoked at Google.',
    record_unreadable: 'Its record could not be read.',
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
  AuthorizationFailed: Object.fromEntries(
    Object.entries(FLOW_FAILURE_TEXTS).map(([kind, { happened }]) => [kind, aboutProvider(happened)]),
  ),
  ConnectionNotConfirmed: {
    not_confirmed_in_time: 'The app did not confirm it within 15 minutes.',
    other_end_user: 'A different user came back than the link was for.',
    withdrawn: 'It was deleted first.',
    integration_gone: 'Its integration was deleted first.',
    connection_deleted: 'Its connection was deleted first.',
  },
} as const satisfies Partial<Record<LifecycleEventType, Readonly<Record<string, string>>>>;

const OUTCOMES = {
  revoked: 'Google has ended the grant.',
  already_invalid: 'The grant had already ended.',
  superseded_by_new_consent: 'It was kept: the account has given new consent since.',
  client_gone: 'It could not be revoked: its OAuth client is no longer here.',
  no_revocation_endpoint: 'It could not be revoked: the provider has no way to do so.',
};
const CREDENTIALS = {
  access_token: 'The access token.',
  refresh_token: 'The access token and the refresh token.',
};

const reason = (type: keyof typeof REASONS, description: string) => word(description, REASONS[type]);
const health = () => word('Health of the connection after the event.', HEALTH_WORDS);
const clientHealth = () => word('Health of the integration after the event.', CLIENT_HEALTH_WORDS);
const cause = (description: string) => word(description, DEATH_CAUSE_WORDS);

const PERCENTS = { '50': 'Half of it.', '80': '80 % of it.', '100': 'All of it.' };
const WHEN_SPENT = {
  warn: 'They pass.',
  stop: 'They are refused until the next day.',
  observe: 'They pass and are counted as refused.',
};
/** What happens to calls once a provider's daily quota is used up. */
const DAYS_LEFT = { '90': 'First notice.', '30': 'A month.', '7': 'The last week.' };
const DAY_LIMITS = { warn: WHEN_SPENT.warn, stop: WHEN_SPENT.stop };
const QUOTAS = { units: 'Units of quota (a Calendar call is one).', bytes_out: 'Bytes of responses.' };

const aboutIntegration = (own: Members, sequence = SEQUENCE.integration) =>
  z.object({ ...everyEvent(sequence), ...ofIntegration(), ...own });

const KEY_ACTOR = 'key:f3a1c5d2e4b6';
const SESSION_ACTOR = 'session:216a9fad5515';

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
        reason: reason('ConnectionCreated', 'Absent for a usual consent.').optional(),
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
      when: 'The end user of a connection has given a new consent. The connection works with the new grant, even if it was dead.',
      readBy: 'Your backend, to continue its work.',
      data: aboutConnection({
        reason: reason('ConnectionReauthorized', 'Absent if the account is the same.').optional(),
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
      when: 'A new consent or a refresh has changed the granted scopes, which `GET /connections/{id}` lists.',
      readBy: 'Your backend, if features depend on scopes.',
      data: aboutConnection({
        reason: reason('ConnectionScopesChanged', 'What changed.'),
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
      when: 'A grant will end by itself in two days, or in one: sent once each.',
      readBy: 'Your backend, to ask the user for a new consent in time.',
      data: aboutConnection({
        reason: reason('ConnectionExpiring', 'Why it will end.'),
        ends_at: z.string().meta({ format: 'date-time', description: 'When it will end.' }),
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
      when: 'A grant has ended. Calls on the connection get 424 until the user reconnects.',
      readBy: 'Your backend, to stop calling and to invite the user to reconnect.',
      data: aboutConnection({
        cause: cause(
          'The most likely cause. `remedy` begins with “Probably:” unless it is proven; `GET /connections/{id}` lists all likely causes.',
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
      when: 'A signed security event from Google proves why a connection died, or shows another cause than the guess. At most once per death.',
      readBy:
        'Anyone who explains to the user why to connect again, where ConnectionReauthorizationRequired had said “Probably:”.',
      data: aboutConnection({
        cause: cause('The proven cause.'),
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
      when: 'A dead connection works again without a new consent: an administrator lifted a restriction, or Google withdrew its refusal.',
      readBy: 'Your backend, to continue its work.',
      data: aboutConnection({ cause: cause('The former cause of death.'), health: health() }),
      example: { ...CONNECTION_EXAMPLE, sequence: '4', cause: 'admin_restricted', health: 'active' },
    },
    ConnectionRefreshRefused: {
      audience: 'app',
      title: 'Google does not renew its token',
      tone: 'error',
      when: 'Google refused three times in a row to renew an access token, or gave no new one for a day. Sent once, until a refresh succeeds. Calls get 503 once the last token has expired.',
      readBy: 'Your backend, to stop calling. The remedy is seldom the user’s.',
      data: aboutConnection({
        provider_error: text('Google’s error code, or the kind of its response, such as `http_403`.'),
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
      readBy: 'Your backend, to continue its work.',
      data: aboutConnection({
        provider_error: text('Google’s former error code.'),
        health: health(),
      }),
      example: { ...CONNECTION_EXAMPLE, sequence: '4', provider_error: 'unauthorized_client', health: 'active' },
    },
    ConnectionDeleted: {
      audience: 'app',
      title: 'Deleted',
      tone: 'info',
      when: 'A connection was deleted, alone or with its integration. Its tokens are erased.',
      readBy: 'Your backend, to forget what is stored for the connection.',
      data: aboutConnection({
        reason: reason('ConnectionDeleted', 'Absent if the grant is left as it is.').optional(),
        actor: actor('Who deleted it'),
        cause: formerly('reason'),
      }),
      example: { ...CONNECTION_EXAMPLE, sequence: '6', reason: 'revocation_requested', actor: KEY_ACTOR },
    },
    ConnectionUpdated: {
      audience: 'app',
      title: 'Details changed',
      tone: 'info',
      when: 'The end user, tags, metadata or call recording of a connection were changed.',
      readBy: 'Your backend, if other systems change connections too.',
      data: aboutConnection({
        reason: reason('ConnectionUpdated', 'Absent for end user, tags and metadata.').optional(),
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
      when: 'An operator restored a connection from a backup. What happened to it since the backup is undone.',
      readBy: 'Your backend, to compare what is stored for the connection.',
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
      when: 'Google refuses the OAuth client of an integration. All its connections wait. Do not ask users to reconnect.',
      readBy: 'Anyone who keeps the OAuth client.',
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
      when: 'Five connections of one integration died within ten minutes. Check its OAuth client and administrators before you ask users to reconnect.',
      readBy: 'Anyone who keeps the OAuth client, before users are asked to reconnect.',
      data: aboutIntegration(
        { cause: cause('The most likely cause of the latest death.'), remedy: remedy() },
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
      when: 'Google gave the first token for a user of a Workspace domain, or the first after `DelegationLost`. All connections of the domain work.',
      readBy: 'Your backend, to continue with the users of the domain.',
      data: aboutIntegration({ domain: text('The Workspace domain.') }, SEQUENCE.none),
      example: { integration_id: INTEGRATION, sequence: '0', domain: 'workspace.example' },
    },
    DelegationLost: {
      audience: 'app',
      title: 'A domain does not let the service account in',
      tone: 'error',
      when: 'The administrator of a Workspace domain does not list the service account, so no connection of the domain works. Sent once, until `DelegationGranted`.',
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
      when: 'An account has 90 or more live refresh tokens under one OAuth client. Above 100, Google ends the oldest without notice. Sent once per consent.',
      readBy: 'Your backend, to reconnect connections instead of making more.',
      data: aboutConnection({
        live_tokens: text('Refresh tokens of the account that may be live.'),
        token_limit: text('Google’s limit.'),
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
        reason: reason('IntegrationCreated', 'Absent for a new one.').optional(),
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
        reason: reason('IntegrationUpdated', 'Present for a new id, which is `integration_id`.').optional(),
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
      when: 'A secret key was created, by a person, by a new deployment or from a backup.',
      readBy: 'Anyone who watches over access.',
      data: z.object({
        ...everyEvent('`0`; `1` for the first key of a deployment.'),
        key_id: text('First 12 characters of the key’s `id` in `GET /account/keys`.'),
        reason: reason('SecretKeyCreated', 'Absent for a new one.').optional(),
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
        key_id: text('First 12 characters of the key’s `id` in `GET /account/keys`.'),
        actor: actor('Who revoked it').optional(),
        cause: formerly('key_id', ', which stands behind `key:` here'),
      }),
      example: { key_id: 'f3a1c5d2e4b6', actor: OPERATOR_ACTOR },
    },
    SecretKeyLimitsChanged: {
      audience: 'audit',
      title: 'The limits of a secret key changed',
      tone: 'info',
      when: 'Limits of a secret key were set, changed or removed.',
      readBy: 'Anyone who watches over access.',
      data: aboutAccount({
        key_id: text('First 12 characters of the key’s `id` in `GET /account/keys`.'),
        actor: actor('Who changed them').optional(),
        cause: formerly('key_id', ', which stands behind `key:` here'),
      }),
      example: { key_id: 'f3a1c5d2e4b6', actor: OPERATOR_ACTOR },
    },
    BudgetReached: {
      audience: 'app',
      title: 'A day’s budget is running out',
      tone: 'warning',
      when: 'Calls have used 50, 80 or 100 % of a daily budget of a secret key, an integration or a connection. Each share is sent once a day.',
      readBy: 'Your backend, to postpone calls that can wait.',
      data: aboutAccount({
        ...Object.fromEntries(Object.entries(ofConnection()).map(([name, type]) => [name, type.optional()])),
        key_id: text('The secret key, if the budget is one of a key.').optional(),
        budget: text('The budget, such as `integration.day.units` or `key.day.calls`.'),
        percent: word('Share that is used, in percent.', PERCENTS),
        used: text('Amount used when the event was sent.'),
        most: text('The whole budget.'),
        when_spent: word('What happens to calls that no longer fit.', WHEN_SPENT),
        day: text('The day, UTC.'),
        resets_at: text('When the whole budget is free again.'),
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
      when: 'Calls have used 50, 80 or 100 % of a Cloud project’s daily threshold for an API. Each share is sent once a day.',
      readBy: 'Your backend, to postpone calls that can wait until Google’s next day.',
      data: aboutAccount({
        provider: text('The provider, such as `google-drive`.'),
        cloud_project: text('Number of the Google Cloud project.'),
        quota: word('What Google counts.', QUOTAS),
        percent: word('Share that is used, in percent.', PERCENTS),
        used: text('Amount used when the event was sent.'),
        most: text('The daily threshold: `quota` of the integration, or that of new projects.'),
        when_spent: word('What happens to calls once all of it is used.', DAY_LIMITS),
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
      when: 'The limits in `quota` of an integration end in 90, 30 or 7 days. From `ends_at` on, the gateway counts Google’s Standard tier.',
      readBy: 'Developers, to enroll the project in another tier or to use less.',
      data: aboutAccount({
        provider: text('The provider, such as `google-drive`.'),
        cloud_project: text('Number of the Google Cloud project.'),
        ends_at: text('When the limits end: `until`, or Google’s own date.'),
        days_left: word('Days that are left at most.', DAYS_LEFT),
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
      when: 'A provider’s MCP server describes tools differently, or has new ones that the gateway knows. Assistants do not see them until an operator accepts them.',
      readBy: 'Operators, who compare and accept them.',
      data: aboutAccount({
        provider: text('The provider, such as `google-calendar`.'),
        tools: text('Names of the tools, separated by commas.'),
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
        tools: text('Names of the tools, separated by commas.'),
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
      when: 'A connect session was created.',
      readBy: 'Anyone who follows how users connect.',
      data: aboutAccount({
        integration_id: text('The integration, if the session allows only one.').optional(),
        connection_id: text('Absent for a new connection.').optional(),
        end_user_id: text('Your id of the end user, if the session or its connection names one.').optional(),
        session_id: text('The session, as `actor` of later events names it.'),
        actor: actor('Who created it'),
        cause: formerly('session_id', ', which stands behind `session:` here'),
      }),
      example: { end_user_id: 'user-42', session_id: '216a9fad5515', actor: KEY_ACTOR },
    },
    ConnectSessionDeleted: {
      audience: 'audit',
      title: 'A connect link was deleted',
      tone: 'info',
      when: 'A connect session was deleted with all others of its end user (`DELETE /connect/sessions`).',
      readBy: 'Anyone who has to show that a person was erased.',
      data: aboutAccount({
        integration_id: text('The integration, if the session allowed only one.').optional(),
        connection_id: text('Absent for a new connection.').optional(),
        end_user_id: text('Your id of the end user.'),
        session_id: text('The session, as `actor` of its events names it.'),
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
          connection_id: text('Absent for a new connection.').optional(),
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
          connection_id: text('Absent for a new connection.').optional(),
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
      when: 'The end user of a connect session with `confirm` has given consent. Your backend has to confirm it.',
      readBy: 'Anyone who follows how users connect.',
      data: aboutConnection({ actor: actor('The connect session') }, SEQUENCE.none),
      example: { ...CONNECTION_EXAMPLE, actor: SESSION_ACTOR },
    },
    ConnectionNotConfirmed: {
      audience: 'app',
      title: 'Was not confirmed',
      tone: 'warning',
      when: 'A consent was not confirmed. Its tokens are erased, and the grant is revoked unless a living connection shares it.',
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
      when: 'An end user has selected files in Google’s picker. `GET /connect/session` lists them.',
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
    ConnectionGrantRevoked: {
      audience: 'app',
      title: 'Revocation at Google is complete',
      tone: 'info',
      when: 'The revocation of a deleted connection’s grant has ended.',
      readBy: 'Anyone who has to prove that access has ended.',
      data: aboutConnection(
        { outcome: word('What happened to the grant.', OUTCOMES), cause: formerly('outcome') },
        SEQUENCE.none,
      ),
      example: { ...CONNECTION_EXAMPLE, outcome: 'revoked' },
    },
    Heartbeat: {
      audience: 'operator',
      title: 'The path of events works',
      tone: 'info',
      source: HEARTBEAT_SOURCE,
      when: 'Every ten minutes, while the path of events works: table, stream, bus. It is in no list.',
      readBy: 'The gateway’s own alarms; your monitoring, if a missing event is to be noticed there.',
      data: aboutAccount({}),
      example: {},
    },
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
