import * as z from 'zod';
import { authorizedConnection } from '../../gateway/authorization/store-connection.ts';
import { consoleOfCallFault, explainCallFault } from '../../gateway/connections/call-fault.rules.ts';
import type {
  Connection,
  ConnectionSummary,
  EndUser,
  ProviderAccount,
} from '../../gateway/connections/connection.rules.ts';
import { unknownConnection } from '../../gateway/connections/find-connection.ts';
import { type ConnectionHealth, HEALTH_STATUSES, isUsed } from '../../gateway/connections/health.rules.ts';
import { isNamed } from '../../gateway/connections/refresh-refusal.rules.ts';
import type { UnconfirmedGrant } from '../../gateway/connections/unconfirmed-grant.rules.ts';
import { deathOnTheWire } from '../../gateway/http/middlewares.ts';
import { explainRefusal } from '../../gateway/integrations/client-fault.rules.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import { anyObject, count, death, emptyObject, textMap, texts, time } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';
import { PROVIDERS } from '../../gateway/providers/catalogue.ts';
import { PROVIDER_IDS } from '../../gateway/providers/provider.rules.ts';
import { missingAccess } from '../../gateway/providers/scopes.rules.ts';
import type { RefreshPolicy } from '../../gateway/tokens/freshness.rules.ts';
import { isoTime, isoTimeOrNull } from '../route.ts';
import { budgetAnswer, budgetOnTheWire } from '../schemas/budget.ts';
import type { Forecasts, GrantSharing } from './describe-connection.ts';
import type { ReadCredentials } from './read-credentials.ts';

const organizationAnswer = documented(() => z.object({ id: z.string(), display_name: z.string().nullable() }));

const endUserAnswer = documented(() =>
  z
    .object({
      id: z.string(),
      display_name: z.string().nullable(),
      email: z.string().nullable(),
      tags: textMap().nullable(),
      organization: organizationAnswer().nullable(),
    })
    .meta({ id: 'EndUser', description: 'The user of your app that a connection belongs to.' }),
);

const sharedMembers = documented(() => ({
  id: z.int().meta({ description: 'Stable number below 2^53, unique in the account.' }),
  connection_id: z.string(),
  provider_config_key: z.string().meta({ description: 'The integration’s unique_key.' }),
  provider: z.enum(PROVIDER_IDS),
  errors: z
    .array(z.object({ type: z.literal('auth'), log_id: z.string() }))
    .meta({ description: 'Not empty while the connection needs a new authorization or a confirmation.' }),
  end_user: endUserAnswer().nullable(),
  tags: textMap(),
  metadata: anyObject().nullable(),
  status: z.enum(['active', 'reauthorization_required']),
  cause: z.string().nullable().meta({ description: 'Why it needs a new authorization.' }),
  provider_account: z
    .object({
      subject: z.string(),
      email: z.string().nullable(),
      hosted_domain: z.string().nullable().optional().meta({
        description: 'Google Workspace domain; null for an account without one, absent if unknown.',
      }),
    })
    .nullable()
    .meta({ description: 'The account at the provider; null where no identity was granted.' }),
}));

const healthAnswer = documented(() =>
  z
    .object({
      status: z.enum(HEALTH_STATUSES),
      reason: z.string().nullable().meta({
        description:
          'Why the grant ended or will end, why Google refuses calls, or its error about the OAuth client or about the connection’s token.',
      }),
      certain: z.boolean().nullable().meta({ description: 'For a dead grant: false if the cause is only likely.' }),
      since: time().nullable(),
      ends_at: time().nullable().meta({ description: 'For a grant that ends soon.' }),
    })
    .meta({
      id: 'ConnectionHealth',
      description:
        'Whether its calls work. failing: Google refused three calls in a row because of the connection, and none has succeeded since. refused_by_provider: Google has refused three times in a row to renew its token, or has given none for a day. ends_soon: within two days.',
    }),
);

const refusalAnswer = documented(() =>
  z
    .object({
      provider_error: z
        .string()
        .meta({ description: 'Google’s error code, or the kind of its answer, such as http_403.' }),
      what_happened: z.string(),
      remedy: z.string(),
      since: time(),
    })
    .meta({
      id: 'RefreshRefusal',
      description: 'Google does not renew the token and has ended nothing by that; the gateway keeps asking.',
    }),
);

const callFaultAnswer = documented(() =>
  z
    .object({
      reason: z.string().meta({ description: 'Google’s reason, or the status where it gives none.' }),
      what_happened: z.string(),
      who: z.enum(['end_user', 'developer', 'workspace_admin']).meta({ description: 'Who can fix it.' }),
      remedy: z.string(),
      console_url: z
        .string()
        .nullable()
        .meta({ description: 'Where at Google it is fixed; null if not in a console.' }),
      since: time(),
    })
    .meta({
      id: 'CallFault',
      description:
        'Google refuses the connection’s calls, while its grant is valid; ends with the next call that succeeds.',
    }),
);

/** A connection in a list. */
export const listItemAnswer = documented(() =>
  z
    .object({
      ...sharedMembers(),
      created: time(),
      health: healthAnswer(),
      last_used_at: time()
        .nullable()
        .optional()
        .meta({ description: 'With include=last_used; accurate to ten minutes.' }),
    })
    .meta({ id: 'ConnectionListItem' }),
);

export const totalAnswer = documented(() => z.int().meta({ description: 'Number of connections.' }));

export const totalIsComplete = documented(() =>
  z.boolean().meta({ description: 'False if there are more than were counted.' }),
);

type Shared = AnswerOf<typeof listItemAnswer>;
type Named = Omit<ConnectionSummary, 'position' | 'facts' | 'callFault'>;

/** Answer of `POST /connect/sessions/confirm`. */
export const confirmedConnectionAnswer = documented(() =>
  z
    .object({
      data: z.object({
        ...sharedMembers(),
        created: time(),
        missing_scopes: texts().meta({
          description: 'Requested but not granted; a reconnect session requests them again.',
        }),
        is_reconnect: z.boolean(),
      }),
    })
    .meta({ id: 'ConfirmedConnection' }),
);

const credentialsAnswer = documented(() =>
  z
    .object({
      type: z.literal('OAUTH2'),
      access_token: z.string(),
      expires_at: time(),
      refresh_token: z.string().optional(),
      raw: z
        .object({
          access_token: z.string(),
          expires_at: time(),
          refresh_token: z.string(),
          token_type: z.literal('Bearer'),
          scope: z.string(),
        })
        .optional(),
    })
    .partial()
    .meta({ id: 'Credentials', description: 'Empty unless the secret key has can_read_credentials.' }),
);

/** A connection by itself. */
export const connectionAnswer = documented(() =>
  z
    .object({
      ...sharedMembers(),
      status: z.enum(['active', 'reauthorization_required', 'pending_confirmation']),
      connection_config: emptyObject(),
      webhook_url_override: z.null(),
      created_at: time(),
      updated_at: time(),
      last_fetched_at: time().nullable(),
      credentials: credentialsAnswer(),
      death: death().nullable(),
      requested_scopes: texts(),
      granted_scopes: texts(),
      missing_scopes: texts().meta({ description: 'Requested but not granted.' }),
      consented_at: time(),
      access_token_expires_at: time(),
      last_used_at: time().nullable(),
      last_refreshed_at: time().nullable(),
      health: healthAnswer(),
      refresh_refusal: refusalAnswer().nullable().meta({
        description: 'Set from the first refusal to renew the token until a refresh succeeds; null otherwise.',
      }),
      budget: budgetAnswer().nullable().meta({ description: 'What its calls may take; null = not limited.' }),
      call_fault: callFaultAnswer()
        .nullable()
        .meta({ description: 'Set while the health of the connection is failing; null otherwise.' }),
      shares_grant_with: count()
        .nullable()
        .meta({ description: 'Other connections that end together with this one’s grant; null if unknown.' }),
      forecasts: z
        .object({
          testing_mode_ends_at: time().nullable(),
          access_ends_at: time().nullable(),
          refresh_token_limit: z.object({ live: count(), limit: count() }).nullable(),
        })
        .meta({ description: 'Known and likely future problems of the grant.' }),
    })
    .meta({ id: 'Connection' }),
);

/** A connection in a list, without its health. */
export function namedConnection(connection: Named): Omit<Shared, 'last_used_at' | 'health'> {
  return { ...shared(connection), created: connection.createdAt, cause: connection.cause ?? null };
}

/** A connection in a list. */
export function connectionListItem(connection: Named, health: ConnectionHealth): Omit<Shared, 'last_used_at'> {
  return { ...namedConnection(connection), health: healthOnTheWire(health) };
}

/** The same with the time of its last use, which a list shows on request. */
export function usedConnectionListItem(
  connection: Named & { readonly lastUsedAtEpochSec?: number | undefined },
  health: ConnectionHealth,
): AnswerOf<typeof listItemAnswer> {
  return { ...connectionListItem(connection, health), last_used_at: lastUse(connection) };
}

/** A consent counts as a use for keeping a token fresh, but is not shown as one, because nothing was called yet. */
function lastUse(
  connection: Pick<Connection, 'createdAt'> & { readonly lastUsedAtEpochSec?: number | undefined },
): string | null {
  const { createdAt, lastUsedAtEpochSec } = connection;
  return isUsed({ createdAt, lastUsedAtEpochSec }) ? isoTimeOrNull(lastUsedAtEpochSec) : null;
}

/** A single connection. `credentials` is empty unless the key may read them. */
export function connectionOnTheWire(
  connection: Connection,
  about: {
    readonly sharing: GrantSharing | undefined;
    readonly forecasts: Forecasts;
    readonly health: ConnectionHealth;
    readonly credentials: ReadCredentials | undefined;
  },
): AnswerOf<typeof connectionAnswer> {
  const { forecasts, sharing, credentials } = about;
  const limit = forecasts.refreshTokenLimit;
  return {
    ...shared({ ...connection, cause: connection.death?.cause }),
    connection_config: {},
    webhook_url_override: null,
    created_at: connection.createdAt,
    updated_at: connection.updatedAt,
    last_fetched_at: isoTimeOrNull(connection.lastUsedAtEpochSec),
    credentials: credentials === undefined ? {} : credentialsOnTheWire(connection, credentials),
    cause: connection.death?.cause ?? null,
    death: connection.death === undefined ? null : deathOnTheWire(connection.death),
    requested_scopes: connection.requestedScopes,
    granted_scopes: connection.grantedScopes,
    missing_scopes: missingAccess(connection.requestedScopes, connection.grantedScopes),
    consented_at: isoTime(connection.consentedAtEpochSec),
    access_token_expires_at: isoTime(connection.accessTokenExpiresAtEpochSec),
    last_used_at: lastUse(connection),
    last_refreshed_at: isoTimeOrNull(connection.lastRefreshedAtEpochSec),
    health: healthOnTheWire(about.health),
    refresh_refusal: refusalOnTheWire(connection),
    budget: connection.budget === undefined ? null : budgetOnTheWire(connection.budget),
    call_fault: callFaultOnTheWire(connection, about.health),
    shares_grant_with: sharing?.sharing ?? null,
    forecasts: {
      testing_mode_ends_at: isoTimeOrNull(forecasts.testingModeEndsAtEpochSec),
      access_ends_at: isoTimeOrNull(forecasts.accessEndsAtEpochSec),
      refresh_token_limit: limit === undefined ? null : { live: limit.live, limit: limit.limit },
    },
  };
}

function refusalOnTheWire({ refreshRefusal: refusal, provider }: Connection) {
  if (refusal === undefined || !isNamed(refusal)) return null;
  const { explanation, remedy } = explainRefusal(refusal.error, PROVIDERS[provider].server);
  const since = isoTime(refusal.sinceEpochSec);
  return { provider_error: refusal.error, what_happened: explanation, remedy, since };
}

function callFaultOnTheWire({ provider }: Connection, { status, reason, sinceEpochSec }: ConnectionHealth) {
  if (status !== 'failing' || reason === undefined || sinceEpochSec === undefined) return null;
  const { server, console: consoles } = PROVIDERS[provider];
  const { explanation, who, remedy } = explainCallFault(reason, server);
  return {
    reason,
    what_happened: explanation,
    who,
    remedy,
    console_url: consoleOfCallFault(reason, server, consoles.enableApiUrl) ?? null,
    since: isoTime(sinceEpochSec),
  };
}

function healthOnTheWire(health: ConnectionHealth) {
  return {
    status: health.status,
    reason: health.reason ?? null,
    certain: health.certain ?? null,
    since: isoTimeOrNull(health.sinceEpochSec),
    ends_at: isoTimeOrNull(health.endsAtEpochSec),
  };
}

/** A grant that waits for confirmation, shown as an unusable connection. */
export function unconfirmedOnTheWire(
  unconfirmed: UnconfirmedGrant,
  integration: Integration,
  policy: RefreshPolicy,
): AnswerOf<typeof connectionAnswer> {
  const { ref, grant, endUser, tags, numericId } = unconfirmed;
  const nowMs = grant.consentedAtEpochSec * 1000;
  const connection = authorizedConnection({
    ref,
    grant,
    integration,
    endUser,
    tags,
    numericId,
    nowMs,
    previous: undefined,
    refreshPolicy: policy,
  });
  const forecasts = {
    testingModeEndsAtEpochSec: undefined,
    accessEndsAtEpochSec: undefined,
    refreshTokenLimit: undefined,
  };
  const health: ConnectionHealth = {
    status: 'not_used_yet',
    reason: undefined,
    certain: undefined,
    sinceEpochSec: undefined,
    endsAtEpochSec: undefined,
  };
  return {
    ...connectionOnTheWire(connection, { sharing: undefined, forecasts, health, credentials: undefined }),
    status: 'pending_confirmation',
    errors: [{ type: 'auth', log_id: ref.connectionId }],
    last_used_at: null,
    last_fetched_at: null,
  };
}

function shared(connection: Named): Omit<Shared, 'created' | 'cause' | 'last_used_at' | 'health'> {
  // A deleted connection is in no list and cannot be found; its deletion was confirmed in its own response.
  if (connection.status === 'deleted') throw unknownConnection();
  const dead = connection.status === 'reauthorization_required';
  return {
    id: connection.numericId,
    connection_id: connection.connectionId,
    provider_config_key: connection.integrationId,
    provider: connection.provider,
    // More is in the timeline under this id: GET /connections/{id}/events.
    errors: dead ? [{ type: 'auth', log_id: connection.connectionId }] : [],
    end_user: connection.endUser === undefined ? null : endUserOnTheWire(connection.endUser),
    tags: connection.tags,
    metadata: connection.metadata ?? null,
    status: connection.status,
    provider_account: connection.providerAccount === undefined ? null : accountOnTheWire(connection.providerAccount),
  };
}

function accountOnTheWire({ subject, email, hostedDomain }: ProviderAccount): Shared['provider_account'] {
  return { subject, email, ...(hostedDomain === undefined ? {} : { hosted_domain: hostedDomain }) };
}

function endUserOnTheWire(endUser: EndUser): Shared['end_user'] {
  const { organization } = endUser;
  return {
    id: endUser.id,
    display_name: endUser.displayName,
    email: endUser.email,
    tags: endUser.tags,
    organization: organization === null ? null : { id: organization.id, display_name: organization.displayName },
  };
}

function credentialsOnTheWire(
  connection: Connection,
  credentials: ReadCredentials,
): AnswerOf<typeof credentialsAnswer> {
  const { accessToken, refreshToken } = credentials;
  const expiresAt = isoTime(credentials.expiresAtEpochSec);
  const tokens = { access_token: accessToken, expires_at: expiresAt };
  if (refreshToken === undefined) return { type: 'OAUTH2', ...tokens };
  return {
    type: 'OAUTH2',
    ...tokens,
    refresh_token: refreshToken,
    raw: { ...tokens, refresh_token: refreshToken, token_type: 'Bearer', scope: connection.grantedScopes.join(' ') },
  };
}
