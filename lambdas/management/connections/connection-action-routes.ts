import * as z from 'zod';
import { findConnection, unknownConnection } from '../../gateway/connections/find-connection.ts';
import { whatHappened } from '../../gateway/core/grant-death.ts';
import { headerValue } from '../../gateway/core/http-message.ts';
import { LIFECYCLE_EVENT_TYPES, type StoredEvent } from '../../gateway/events/lifecycle-event.rules.ts';
import { deathOnTheWire } from '../../gateway/http/middlewares.ts';
import { count, death, eventData, formerCause, nextCursor, textMap, time } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';
import { CONNECTION, CONNECTION_ANSWER, INTEGRATION } from '../../gateway/openapi/sample.ts';
import { deadConnection } from '../../gateway/tokens/access-tokens.ts';
import { refreshNow } from '../../gateway/tokens/refresh-now.ts';
import { type ActorNames, namesOfActorsFor } from '../audit/actor-names.ts';
import { reachedConnection } from '../authenticate.ts';
import { ListPage } from '../list-page.ts';
import { grantRoute, type Route } from '../route.ts';
import { integerParam, integrationId, ofIntegration, rowCursor } from '../schemas/common.ts';
import type { GrantServices } from '../services.ts';
import { type CheckResult, checkConnection } from './check-connection.ts';
import { connectionAnswer, connectionOnTheWire } from './connection-answer.ts';
import { forecastsOf, grantSharing, healthNow } from './describe-connection.ts';
import { type TriedCall, tryCall } from './try-call.ts';

/** Body of `POST /connections/{id}/try`; the proxy's own rules apply to the rest of the path. */
const tryBody = z.strictObject({
  path: z
    .string()
    .max(8000, 'has at most 8000 characters')
    .regex(/^\//, 'begins with a slash: path and query at the provider, such as /drive/v3/files?pageSize=3'),
});

/** Query of `GET /connections/{id}/events`. */
const eventsQuery = z.strictObject({
  provider_config_key: integrationId,
  limit: integerParam(1, 200).optional(),
  cursor: rowCursor,
});

const EVENTS_DEFAULT = 50;

const check = documented(() =>
  z.object({
    works: z.boolean().meta({ description: 'Whether the provider accepts the connection’s token.' }),
    reason: z.string().meta({ description: 'ok, or why not.' }),
    message: z.string(),
    who: z.enum(['end_user', 'developer', 'workspace_admin']).nullable(),
    remedy: z.string().nullable(),
    upstream_status: z.int().nullable().meta({ description: 'The provider’s status, if it was called.' }),
    connection: death().nullable(),
  }),
);

/** A check's result in the API's spelling: works, or exactly why not. */
function checkOnTheWire(result: CheckResult): AnswerOf<typeof check> {
  switch (result.kind) {
    case 'judged':
      return {
        works: result.judgement.works,
        reason: result.judgement.reason,
        message: result.judgement.message,
        who: result.judgement.who ?? null,
        remedy: result.judgement.remedy ?? null,
        upstream_status: result.upstreamStatus ?? null,
        connection: null,
      };
    case 'dead':
      return {
        works: false,
        reason: 'reauthorization_required',
        message: whatHappened(result.death) || 'The grant has ended.',
        who: result.death.likelyCauses[0]?.who ?? null,
        remedy: result.death.remedy,
        upstream_status: null,
        connection: deathOnTheWire(result.death),
      };
    case 'no_token':
      return {
        works: false,
        reason: result.error.code,
        message: result.error.message,
        who: result.error.code === 'integration_credentials_rejected' ? 'developer' : null,
        remedy: null,
        upstream_status: null,
        connection: null,
      };
  }
}

const eventAnswer = documented(() =>
  z
    .object({
      event_id: z.string(),
      type: z.enum(LIFECYCLE_EVENT_TYPES),
      sequence: count().meta({ description: 'Counts up per connection; 0 for events that changed nothing.' }),
      time: time(),
      end_user_id: z.string().nullable(),
      cause: formerCause(),
      remedy: z.string().nullable(),
      actor: z.string().nullable().meta({ description: 'Who caused it; null for the gateway’s own work.' }),
      actor_name: z.string().nullable().meta({
        description:
          'The operator’s e-mail address or the key’s name; null if unknown, and for keys that are limited to some integrations.',
      }),
      request_id: z.string(),
      data: eventData(),
    })
    .meta({ id: 'ConnectionEvent' }),
);

/** One event of a timeline in the API's spelling. */
function eventOnTheWire(event: StoredEvent, names: ActorNames): AnswerOf<typeof eventAnswer> {
  return {
    event_id: event.eventId,
    type: event.eventType,
    sequence: event.sequence,
    time: event.occurredAt,
    end_user_id: event.endUserId ?? null,
    cause: event.cause ?? null,
    remedy: event.remedy ?? null,
    actor: event.actor ?? null,
    actor_name: names.get(event.actor ?? '') ?? null,
    request_id: event.requestId,
    data: event.detail,
  };
}

const triedCall = documented(() =>
  z.object({
    status: z.int().meta({ description: 'The provider’s status.' }),
    headers: textMap(),
    content_type: z.string().nullable(),
    body: z.string().meta({ description: 'The provider’s body as text.' }),
    truncated: z.boolean(),
    duration_ms: z.number(),
  }),
);

/** A tried call in the API's spelling; header names in lower case, repeats joined by a comma. */
function triedCallOnTheWire(tried: TriedCall): AnswerOf<typeof triedCall> {
  const headers = new Map<string, string>();
  for (const [name, value] of tried.headers) {
    const before = headers.get(name.toLowerCase());
    headers.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`);
  }
  return {
    status: tried.status,
    headers: Object.fromEntries(headers),
    content_type: headerValue(tried.headers, 'content-type') ?? null,
    body: tried.body,
    truncated: tried.truncated,
    duration_ms: tried.durationMs,
  };
}

const tag = 'Connections';
const EXAMPLE = { params: { connectionId: CONNECTION }, query: { provider_config_key: INTEGRATION } };

/** Actions on a connection, and its history. */
export const connectionActionRoutes: readonly Route<GrantServices>[] = [
  grantRoute({
    method: 'POST',
    pattern: '/connections/{connectionId}/refresh',
    access: { right: 'full' },
    query: ofIntegration,
    describe: documented(() => ({
      id: 'refreshConnection',
      tag,
      summary: 'Force one refresh now',
      answer: connectionAnswer(),
      errors: [
        'unknown_integration',
        'unknown_connection',
        'confirmation_required',
        'reauthorization_required',
        'integration_credentials_rejected',
        'token_refresh_unavailable',
      ],
      example: { ...EXAMPLE, answer: { ...CONNECTION_ANSWER, last_refreshed_at: '2026-03-01T12:10:00.000Z' } },
    })),
    async handle({ caller, params, query, requestId }, services) {
      const ref = reachedConnection(caller, params, query.provider_config_key);
      const { connection, integration } = await findConnection(services, ref);
      const outcome = await refreshNow(services, connection, integration, true, requestId);
      if (outcome.kind === 'dead') throw deadConnection(outcome.death);
      const sharing = await grantSharing(services, outcome.connection);
      const forecasts = forecastsOf(outcome.connection, integration, sharing);
      const health = healthNow(services, outcome.connection, integration);
      return connectionOnTheWire(outcome.connection, { sharing, forecasts, health, credentials: undefined });
    },
  }),
  grantRoute({
    method: 'POST',
    pattern: '/connections/{connectionId}/check',
    access: { right: 'full' },
    query: ofIntegration,
    describe: documented(() => ({
      id: 'checkConnection',
      tag,
      summary: 'Check a connection with one harmless call to the provider',
      answer: z.object({ data: check() }).meta({ id: 'ConnectionCheck' }),
      errors: ['unknown_integration', 'unknown_connection', 'confirmation_required', 'quota_reserved'],
      example: {
        ...EXAMPLE,
        answer: {
          data: {
            works: true,
            reason: 'ok',
            message: 'The provider answered the call.',
            who: null,
            remedy: null,
            upstream_status: 200,
            connection: null,
          },
        },
      },
    })),
    async handle({ caller, params, query, requestId }, services) {
      const ref = reachedConnection(caller, params, query.provider_config_key);
      return { data: checkOnTheWire(await checkConnection(services, ref, requestId)) };
    },
  }),
  grantRoute({
    method: 'GET',
    pattern: '/connections/{connectionId}/events',
    access: { right: 'read' },
    query: eventsQuery,
    formerQuery: { before: 'cursor' },
    describe: documented(() => ({
      id: 'listConnectionEvents',
      tag,
      summary: 'List the events of a connection, newest first, also after its deletion',
      answer: z
        .object({
          events: z.array(eventAnswer()),
          next_cursor: nextCursor(),
          next_before: z.string().nullable().meta({ description: 'The same as next_cursor, by its former name.' }),
        })
        .meta({ id: 'EventPage' }),
      errors: ['unknown_connection'],
      example: {
        ...EXAMPLE,
        answer: {
          events: [
            {
              event_id: '01JN8Z4H9V6Q3W2X1Y0ZABCDEF',
              type: 'ConnectionCreated',
              sequence: 1,
              time: '2026-03-01T11:50:00.000Z',
              end_user_id: 'user-42',
              cause: 'imported',
              remedy: null,
              actor: 'key:f3a1c5d2e4b6',
              actor_name: 'Backend',
              request_id: '5d6f3a52-9f0e-4f8e-9a53-5a6f7c1f2b3a',
              data: {
                event_id: '01JN8Z4H9V6Q3W2X1Y0ZABCDEF',
                sequence: '1',
                time: '2026-03-01T11:50:00.000Z',
                account_id: 'default',
                integration_id: INTEGRATION,
                connection_id: CONNECTION,
                end_user_id: 'user-42',
                reason: 'imported',
                health: 'not_used_yet',
                actor: 'key:f3a1c5d2e4b6',
                cause: 'imported',
              },
            },
          ],
          next_cursor: null,
          next_before: null,
        },
      },
    })),
    async handle({ caller, params, query }, services) {
      const ref = reachedConnection(caller, params, query.provider_config_key);
      const limit = query.limit ?? EVENTS_DEFAULT;
      const { events, next } = await services.connections.events(ref, limit, query.cursor);
      if (events.length === 0 && next === undefined && query.cursor === undefined) throw unknownConnection();
      const names = await namesOfActorsFor(caller, services);
      const page = new ListPage<AnswerOf<typeof eventAnswer>>();
      const isCut = events.some((event) => !page.take(eventOnTheWire(event, names)));
      const last = isCut ? events[page.items.length - 1]?.eventId : next;
      return { events: page.items, next_cursor: last ?? null, next_before: last ?? null };
    },
  }),
  grantRoute({
    method: 'POST',
    pattern: '/connections/{connectionId}/try',
    access: { right: 'full' },
    query: ofIntegration,
    body: tryBody,
    describe: documented(() => ({
      id: 'tryConnection',
      tag,
      summary: 'Try one GET at the provider as the connection’s user and get its answer as text',
      description: 'To see the result of a call, for example from the dashboard. The body is truncated to 256 KB.',
      answer: z.object({ data: triedCall() }).meta({ id: 'TriedCall' }),
      errors: [
        'unknown_integration',
        'unknown_connection',
        'confirmation_required',
        'agentic_integration',
        'invalid_path',
        'path_not_allowed',
        'reauthorization_required',
        'integration_credentials_rejected',
        'quota_reserved',
        'token_refresh_unavailable',
        'upstream_unreachable',
        'upstream_invalid_response',
        'upstream_timeout',
      ],
      example: {
        ...EXAMPLE,
        body: { path: '/drive/v3/about?fields=user' },
        answer: {
          data: {
            status: 200,
            headers: { 'content-type': 'application/json; charset=UTF-8' },
            body: '{"user":{"displayName":"First User","emailAddress":"first.user@example.com"}}',
            content_type: 'application/json; charset=UTF-8',
            truncated: false,
            duration_ms: 84,
          },
        },
      },
    })),
    async handle({ caller, params, query, body, requestId }, services) {
      const ref = reachedConnection(caller, params, query.provider_config_key);
      return { data: triedCallOnTheWire(await tryCall(services, ref, body.path, { requestId, actor: caller.actor })) };
    },
  }),
];
