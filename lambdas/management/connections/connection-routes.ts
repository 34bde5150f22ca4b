import * as z from 'zod';
import type { EndUser } from '../../gateway/connections/connection.rules.ts';
import { findConnection, findIntegration, unknownConnection } from '../../gateway/connections/find-connection.ts';
import { epochSecNow } from '../../gateway/core/clock.ts';
import { GatewayError } from '../../gateway/core/errors.ts';
import type { ConnectionRef } from '../../gateway/core/identifiers.ts';
import { METADATA_CONNECTIONS_MAX, METADATA_MAX_BYTES } from '../../gateway/core/limits.ts';
import { requireRole } from '../../gateway/keys/authenticate-operator.ts';
import { anyObject, count, success, texts, time } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';
import { CONNECTION, CONNECTION_ANSWER, END_USER, INTEGRATION } from '../../gateway/openapi/sample.ts';
import { refreshNow } from '../../gateway/tokens/refresh-now.ts';
import type { RevocationReport } from '../../gateway/tokens/revoke-grant.ts';
import { reachedConnection, requireReach } from '../authenticate.ts';
import { grantRoute, isoTimeOrNull, type Route, type RouteCall } from '../route.ts';
import { budgetBody, budgetOfBody } from '../schemas/budget.ts';
import {
  booleanParam,
  connectionId,
  endUser,
  ignoredObject,
  integrationId,
  ofIntegration,
  organization,
  revokeParam,
  tags,
  toEndUser,
} from '../schemas/common.ts';
import type { GrantServices } from '../services.ts';
import { connectSubject } from './connect-subject.ts';
import { connectionAnswer, connectionOnTheWire, unconfirmedOnTheWire } from './connection-answer.ts';
import { deleteConnection } from './delete-connection.ts';
import { forecastsOf, grantSharing, healthNow, inItsDomain } from './describe-connection.ts';
import { importConnection, timeProblems } from './import-connection.ts';
import { readCredentials } from './read-credentials.ts';
import { setMetadata, updateDescription } from './update-description.ts';

/** Query of `GET /connections/{id}`. */
export const readQuery = z.strictObject({
  provider_config_key: integrationId,
  force_refresh: booleanParam.optional(),
  refresh_token: booleanParam.optional(),
  refresh_github_app_jwt_token: booleanParam.optional(),
});

/** Query of `DELETE /connections/{id}`. */
const deleteQuery = z.strictObject({
  provider_config_key: integrationId,
  revoke: revokeParam.optional(),
});

const metadata = z
  .record(z.string().min(1, 'names must not be empty'), z.unknown(), { error: 'must be an object' })
  .refine(
    (value) => Buffer.byteLength(JSON.stringify(value)) <= METADATA_MAX_BYTES,
    `has at most ${METADATA_MAX_BYTES} bytes as JSON`,
  )
  .refine((value) => !hasEmptyName(value), 'names must not be empty');

const token = z
  .string()
  .min(1, 'must not be empty')
  .max(4096, 'has at most 4096 characters')
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces');

const moment = z.string().refine((text) => /^\d{4}-\d{2}-\d{2}T/.test(text) && !Number.isNaN(Date.parse(text)), {
  message: 'must be an ISO 8601 time such as 2026-01-31T12:00:00Z',
});

/** Body of `POST /connections`. */
const importBody = z
  .strictObject({
    provider_config_key: integrationId,
    connection_id: connectionId.optional(),
    subject: z.string().min(3).max(254).optional().meta({
      description: 'For an integration of kind delegated, instead of credentials: the user’s primary address.',
    }),
    credentials: z
      .strictObject({
        type: z.literal('OAUTH2', { error: 'must be OAUTH2' }),
        access_token: token.optional(),
        refresh_token: token,
        expires_at: moment.nullish(),
      })
      .optional()
      .meta({ description: 'Required unless there is a subject.' }),
    consented_at: moment.optional().meta({ description: 'When the user gave consent, between 2004 and now.' }),
    metadata: metadata.nullish(),
    connection_config: ignoredObject,
    end_user: endUser.optional(),
    organization: organization.nullish(),
    tags: tags.optional(),
  })
  .superRefine(({ subject, credentials, connection_id, consented_at }, context) => {
    const problem = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (subject === undefined) {
      if (credentials === undefined)
        problem('credentials', 'is required: {"type":"OAUTH2","refresh_token"}; or send a subject');
      return;
    }
    if (credentials !== undefined) problem('credentials', 'send credentials or subject, not both');
    if (connection_id !== undefined) problem('connection_id', 'leave this out: the id follows from the subject');
    if (consented_at !== undefined) problem('consented_at', 'leave this out: nobody consents to a delegation');
  });

/** Body of `PATCH /connections/{id}`. */
export const updateConnectionBody = z.strictObject({
  end_user: endUser.optional(),
  organization: organization.nullish(),
  tags: tags.optional(),
  budget: budgetBody.nullish(),
  webhook_url_override: z.string().max(2000).nullish(),
});

/** Body of `POST` and `PATCH /connections/metadata`. */
export const metadataBody = z.strictObject({
  connection_id: z
    .union([connectionId, z.array(connectionId).min(1, 'name at least one').max(METADATA_CONNECTIONS_MAX)], {
      error: `send one connection id or a list of up to ${METADATA_CONNECTIONS_MAX}`,
    })
    .transform((ids) => [...new Set(typeof ids === 'string' ? [ids] : ids)]),
  provider_config_key: integrationId,
  metadata,
});

export type UpdateConnectionBody = z.output<typeof updateConnectionBody>;

/** DynamoDB refuses maps with an empty name. */
function hasEmptyName(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasEmptyName);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, member]) => name === '' || hasEmptyName(member));
}

const revocation = documented(() =>
  z.object({
    status: z.enum(['not_requested', 'revoked', 'pending', 'skipped']),
    reason: z.string().nullable(),
    retry_at: time().nullable(),
    shares_grant_with: count().nullable(),
  }),
);

/** The outcome of revoking the grant at the provider after a deletion. */
function revocationOnTheWire(report: RevocationReport): AnswerOf<typeof revocation> {
  return {
    status: report.status,
    reason: report.reason ?? null,
    retry_at: isoTimeOrNull(report.retryAtEpochSec),
    shares_grant_with: report.sharing ?? null,
  };
}

/** Answer of both metadata routes: an echo. */
const metadataEcho = documented(() =>
  z
    .object({ connection_id: z.union([z.string(), texts()]), provider_config_key: z.string(), metadata: anyObject() })
    .meta({ id: 'MetadataEcho' }),
);

const tag = 'Connections';
const pattern = '/connections/{connectionId}';
const EXAMPLE = { params: { connectionId: CONNECTION }, query: { provider_config_key: INTEGRATION } };
const METADATA = { connection_id: CONNECTION, provider_config_key: INTEGRATION, metadata: { folder: 'reports' } };

/** Connections: imported, read, changed, deleted. */
export const connectionRoutes: readonly Route<GrantServices>[] = [
  grantRoute({
    method: 'GET',
    pattern,
    access: { right: 'read' },
    query: readQuery,
    describe: documented(() => ({
      id: 'getConnection',
      tag,
      summary: 'Get a connection: its state, scopes, account and when its grant will end',
      description:
        'credentials is empty unless the secret key may read credentials. A connection with a dead grant is returned with its diagnosis; only a key that may read credentials gets 424.',
      answer: connectionAnswer(),
      errors: [
        'unknown_integration',
        'unknown_connection',
        'reauthorization_required',
        'integration_credentials_rejected',
        'token_refresh_unavailable',
      ],
      example: { ...EXAMPLE, answer: CONNECTION_ANSWER },
    })),
    async handle({ caller, params, query, requestId }, services) {
      const ref = reachedConnection(caller, params, query.provider_config_key);
      const mayRead = caller.key?.canReadCredentials === true;
      if (query.refresh_token === true && !mayRead) {
        throw new GatewayError(
          'forbidden',
          'This secret key may not read credentials. An operator can make one that may in the dashboard.',
        );
      }
      const found = await findShown(services, ref);
      if ('grant' in found) {
        const integration = await findIntegration(services, ref);
        return unconfirmedOnTheWire(found, integration, services.refreshPolicy);
      }
      // Renews the token, and may end the connection.
      if (query.force_refresh === true && caller.operator !== undefined) requireRole(caller.operator, false);
      const refreshed =
        query.force_refresh === true && found.connection.death === undefined
          ? await refreshNow(services, found.connection, found.integration, true, requestId)
          : { connection: found.connection };
      const connection = await inItsDomain(services, refreshed.connection);
      const known = { connection, integration: found.integration };
      const read = mayRead
        ? await readCredentials(services, known, {
            withRefreshToken: query.refresh_token === true,
            requestId,
            actor: caller.actor,
          })
        : { connection: known.connection, credentials: undefined };
      const sharing = await grantSharing(services, read.connection);
      const forecasts = forecastsOf(read.connection, known.integration, sharing);
      const health = healthNow(services, read.connection, known.integration);
      return connectionOnTheWire(read.connection, { sharing, forecasts, health, credentials: read.credentials });
    },
  }),
  grantRoute({
    method: 'DELETE',
    pattern,
    access: { right: 'full' },
    query: deleteQuery,
    describe: documented(() => ({
      id: 'deleteConnection',
      tag,
      summary: 'Delete a connection; revoke=true also ends its grant at the provider, and refuses when others share it',
      description:
        'Tokens are erased at once. Revoking the grant at the provider ends every connection that shares it. revoke=true refuses with conflict and names these connections, or with account_not_known if the owner of the grant is unknown; revoke=if_last keeps a shared grant; revoke=force revokes it for all.',
      answer: success().extend({ revocation: revocation() }).meta({ id: 'DeletedConnection' }),
      errors: ['unknown_integration', 'unknown_connection', 'conflict', 'account_not_known'],
      example: {
        ...EXAMPLE,
        answer: {
          success: true,
          revocation: { status: 'not_requested', reason: null, retry_at: null, shares_grant_with: null },
        },
      },
    })),
    async handle({ caller, params, query, requestId }, services) {
      const ref = reachedConnection(caller, params, query.provider_config_key);
      const report = await deleteConnection(services, ref, query.revoke ?? 'no', { requestId, actor: caller.actor });
      return { success: true, revocation: revocationOnTheWire(report) };
    },
  }),
  grantRoute({
    method: 'POST',
    pattern: '/connections',
    access: { right: 'full' },
    creates: true,
    status: 201,
    body: importBody,
    furtherProblems: ({ body }, services) =>
      timeProblems(
        {
          consentedAtEpochSec: epochSecOf(body.consented_at),
          accessTokenExpiresAtEpochSec: epochSecOf(body.credentials?.expires_at),
        },
        epochSecNow(services.clock),
      ),
    describe: documented(() => ({
      id: 'importConnection',
      tag,
      summary: 'Import a grant whose refresh token you have; the token is used once to prove it',
      description:
        'With `subject` instead of credentials, a service account acts for this user of a Workspace domain. Repeating the call returns the same connection. Google is asked for a token by the first proxied call.',
      answer: connectionAnswer(),
      errors: [
        'unknown_integration',
        'conflict',
        'subject_not_allowed',
        'integration_credentials_rejected',
        'token_refresh_unavailable',
        'rate_limited',
      ],
      example: {
        body: {
          provider_config_key: INTEGRATION,
          connection_id: CONNECTION,
          credentials: { type: 'OAUTH2', refresh_token: '1//0g-example-refresh-token' },
          end_user: END_USER,
        },
        answer: CONNECTION_ANSWER,
      },
    })),
    async handle({ caller, body, requestId }, services) {
      const integrationRef = { accountId: caller.accountId, integrationId: body.provider_config_key };
      requireReach(caller, integrationRef.integrationId);
      const { connection, integration } =
        body.credentials === undefined
          ? await connectSubject(services, integrationRef, {
              subject: body.subject ?? '',
              endUser: endUserOf(body),
              tags: body.tags ?? {},
              metadata: body.metadata ?? undefined,
              requestId,
              actor: caller.actor,
            })
          : await importConnection(services, integrationRef, {
              connectionId: body.connection_id,
              refreshToken: body.credentials.refresh_token,
              consentedAtEpochSec: epochSecOf(body.consented_at),
              accessTokenExpiresAtEpochSec: epochSecOf(body.credentials.expires_at),
              endUser: endUserOf(body),
              tags: body.tags ?? {},
              metadata: body.metadata ?? undefined,
              requestId,
              actor: caller.actor,
            });
      const sharing = await grantSharing(services, connection);
      const forecasts = forecastsOf(connection, integration, sharing);
      const health = healthNow(services, connection, integration);
      return connectionOnTheWire(connection, { sharing, forecasts, health, credentials: undefined });
    },
  }),
  grantRoute({
    method: 'PATCH',
    pattern,
    access: { right: 'full' },
    query: ofIntegration,
    body: updateConnectionBody,
    describe: documented(() => ({
      id: 'updateConnection',
      tag,
      summary: 'Change the end user, the tags and the budget of a connection',
      description:
        'A budget replaces the one before as a whole; null takes it away. Processes of the gateway know it within a minute.',
      answer: success(),
      errors: ['unknown_integration', 'unknown_connection', 'conflict'],
      example: { ...EXAMPLE, body: { end_user: END_USER, tags: { plan: 'team' } }, answer: { success: true } },
    })),
    async handle({ caller, params, query, body, requestId }, services) {
      const ref = reachedConnection(caller, params, query.provider_config_key);
      const budget = body.budget === undefined ? {} : { budget: { is: budgetOfBody(body.budget) } };
      const change = { endUser: endUserOf(body), tags: body.tags, ...budget };
      await updateDescription(services, ref, change, { requestId, actor: caller.actor });
      return { success: true };
    },
  }),
  grantRoute({
    method: 'POST',
    pattern: '/connections/metadata',
    access: { right: 'full' },
    status: 201,
    body: metadataBody,
    describe: documented(() => ({
      id: 'setMetadata',
      tag,
      summary: 'Replace the metadata of one or more connections',
      answer: metadataEcho(),
      errors: ['unknown_integration', 'unknown_connection', 'conflict'],
      example: { body: METADATA, answer: METADATA },
    })),
    handle: (call, services) => changeMetadata('replace', call, services),
  }),
  grantRoute({
    method: 'PATCH',
    pattern: '/connections/metadata',
    access: { right: 'full' },
    body: metadataBody,
    describe: documented(() => ({
      id: 'updateMetadata',
      tag,
      summary: 'Merge members into the metadata of one or more connections',
      description: 'Merges one level deep. If one connection is unknown, none is changed.',
      answer: metadataEcho(),
      errors: ['unknown_integration', 'unknown_connection', 'conflict'],
      example: { body: METADATA, answer: METADATA },
    })),
    handle: (call, services) => changeMetadata('merge', call, services),
  }),
];

/** A connection, or the grant that becomes one once confirmed. */
async function findShown(services: GrantServices, ref: ConnectionRef) {
  try {
    return await findConnection(services, ref);
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== 'confirmation_required') throw error;
    const unconfirmed = await services.unconfirmed.read(ref);
    if (unconfirmed === undefined) throw unknownConnection();
    return unconfirmed;
  }
}

async function changeMetadata(
  how: 'replace' | 'merge',
  { caller, body, requestId }: RouteCall<unknown, z.output<typeof metadataBody>>,
  services: GrantServices,
): Promise<AnswerOf<typeof metadataEcho>> {
  const { connection_id: connectionIds, provider_config_key: integrationId, metadata } = body;
  requireReach(caller, integrationId);
  const { accountId, actor } = caller;
  await setMetadata(services, { accountId, integrationId, connectionIds, how, metadata, requestId, actor });
  const [first] = connectionIds;
  return { ...body, connection_id: connectionIds.length === 1 && first !== undefined ? first : connectionIds };
}

function epochSecOf(moment: string | null | undefined): number | undefined {
  return moment === undefined || moment === null ? undefined : Math.floor(Date.parse(moment) / 1000);
}

function endUserOf(body: Pick<UpdateConnectionBody, 'end_user' | 'organization'>): EndUser | undefined {
  return body.end_user === undefined ? undefined : toEndUser(body.end_user, body.organization ?? undefined);
}
