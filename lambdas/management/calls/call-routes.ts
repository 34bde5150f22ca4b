import * as z from 'zod';
import { type CallFilter, type CallRecord, FAILURE_KINDS, failureOf } from '../../gateway/calls/call-record.rules.ts';
import { findConnection } from '../../gateway/connections/find-connection.ts';
import { CALL_LOG_MODES } from '../../gateway/core/contract.ts';
import { GatewayError, refusal } from '../../gateway/core/errors.ts';
import { CALL_LIST_DEFAULT, CALL_LIST_MAX } from '../../gateway/core/limits.ts';
import { count, time } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';
import { CONNECTION, INTEGRATION } from '../../gateway/openapi/sample.ts';
import { reachedConnection, reaches, requireReach } from '../authenticate.ts';
import { refuseUnknownFilter } from '../integrations/unknown-integrations.ts';
import { isoTimeOrNull, type Route, route } from '../route.ts';
import { connectionId, integerParam, integrationId, ofIntegration, queryText, rowCursor } from '../schemas/common.ts';
import type { Services } from '../services.ts';
import { nameConnections } from './name-connections.ts';
import { recordCalls } from './record-calls.ts';

const tag = 'Calls';

const STATUS_RULE = 'send a status such as 404, a class such as 4xx, ok (below 400) or failed (400 and above)';
const SINCE_RULE = 'send a time such as 2026-03-01T12:00:00Z';
const KEY_RULE = 'send the id of a secret key, or its first 12 characters';

const moment = z
  .string({ error: SINCE_RULE })
  .pipe(z.iso.datetime({ offset: true, error: SINCE_RULE }))
  .transform((text) => Date.parse(text))
  .optional();

/** Query of `GET /connections/{id}/calls`. */
const callsQuery = z.strictObject({
  provider_config_key: integrationId,
  status: z
    .string({ error: STATUS_RULE })
    .regex(/^([1-5]\d\d|[1-5]xx|ok|failed)$/, STATUS_RULE)
    .transform(statusesOf)
    .optional(),
  since: moment,
  limit: integerParam(1, CALL_LIST_MAX).optional(),
  cursor: rowCursor,
});

/** Query of `GET /calls`. */
const failuresQuery = z.strictObject({
  failure: z
    .enum(FAILURE_KINDS, { error: `must be one of ${FAILURE_KINDS.join(', ')}` })
    .optional()
    .meta({ description: 'How the calls failed.' }),
  reason: queryText
    .optional()
    .meta({ description: 'Google’s reason, such as notFound, or the code of the gateway’s own answer.' }),
  status: integerParam(100, 599).optional(),
  key_id: z
    .string({ error: KEY_RULE })
    .regex(/^[0-9a-f]{12,64}$/, KEY_RULE)
    .transform((id) => id.slice(0, 12))
    .optional()
    .meta({ description: 'Id of a secret key, or its first 12 characters.' }),
  provider_config_key: integrationId.optional(),
  connection_id: connectionId.optional(),
  since: moment,
  until: moment.meta({ description: 'Calls that ended before this time.' }),
  limit: integerParam(1, CALL_LIST_MAX).optional(),
  cursor: rowCursor,
});

function statusesOf(text: string): NonNullable<CallFilter['statuses']> {
  if (text === 'ok') return { from: 100, to: 399 };
  if (text === 'failed') return { from: 400, to: 599 };
  const first = Number(text.replace('xx', '00'));
  return { from: first, to: text.endsWith('xx') ? first + 99 : first };
}

const callAnswer = documented(() =>
  z
    .object({
      id: z.string().meta({ description: 'Sorts by the end of the call.' }),
      request_id: z.string(),
      time: time().meta({ description: 'When the call began.' }),
      provider_config_key: z.string(),
      connection_id: z.string(),
      key_id: z.string().meta({ description: 'First 12 characters of the secret key’s id.' }),
      method: z.string(),
      path: z
        .string()
        .meta({ description: 'Pattern of the path: each id is {}; {unmatched} for a path Google does not document.' }),
      status: z.int(),
      answered_by: z.enum(['provider', 'gateway']),
      error_code: z.string().nullable().meta({ description: 'Code of the gateway’s own answer.' }),
      reason: z.string().nullable().meta({ description: 'Google’s reason for a failure.' }),
      head_ms: count().nullable().meta({ description: 'Time until Google’s status line; null if there was none.' }),
      total_ms: count().meta({ description: 'Time until the last byte was sent.' }),
      attempts: count().meta({ description: 'Requests sent to Google.' }),
      refreshed: z.boolean().meta({ description: 'Whether the call waited for a new access token.' }),
      bytes_in: count(),
      bytes_out: count(),
      complete: z.boolean().meta({ description: 'false if the answer was cut off, by Google or by the caller.' }),
      stands_for: count().meta({
        description: '10 if only one call in ten is logged, which happens above 10,000 rows a day.',
      }),
    })
    .meta({
      id: 'Call',
      description: 'A proxied call, without query, headers, body or ids of files and events.',
    }),
);

const failedCallAnswer = documented(() =>
  callAnswer()
    .extend({
      failure: z.enum(FAILURE_KINDS).meta({
        description:
          'provider_failed: Google answered 5xx. rate_limited: Google answered 429. gateway_failed: the gateway answered 5xx itself. refused: any other 4xx, of Google or of the gateway. broken_off: the answer was cut off.',
      }),
      connection_name: z.string().meta({
        description: 'Name, e-mail address or id of the end user, or the connection’s id where nothing else is known.',
      }),
    })
    .meta({ id: 'FailedCall' }),
);

const logAnswer = documented(() => ({
  mode: z.enum(CALL_LOG_MODES).meta({ description: 'Which calls this deployment logs.' }),
  retention_days: count(),
}));

/** A call in the API's spelling. */
function callOnTheWire(call: CallRecord): AnswerOf<typeof callAnswer> {
  return {
    id: call.callId,
    request_id: call.requestId,
    time: call.startedAt,
    provider_config_key: call.integrationId,
    connection_id: call.connectionId,
    key_id: call.keyId,
    method: call.method,
    path: call.path,
    status: call.status,
    answered_by: call.gatewayCode === undefined ? 'provider' : 'gateway',
    error_code: call.gatewayCode ?? null,
    reason: call.reason ?? null,
    head_ms: call.headMs ?? null,
    total_ms: call.totalMs,
    attempts: call.attempts,
    refreshed: call.refreshed,
    bytes_in: call.bytesIn,
    bytes_out: call.bytesOut,
    complete: call.complete,
    stands_for: call.standsFor,
  };
}

const recordingAnswer = documented(() =>
  z.object({ data: z.object({ recording_until: time().nullable() }) }).meta({ id: 'CallRecording' }),
);

const named = { params: { connectionId: CONNECTION }, query: { provider_config_key: INTEGRATION } };
const unknown = ['unknown_integration', 'unknown_connection', 'confirmation_required'] as const;
const REQUEST_ID = '5d6f3a52-9f0e-4f8e-9a53-5a6f7c1f2b3a';
const callExample = documented(() => ({
  id: '01JN8Z4H9V6Q3W2X1Y0ZABCDEF',
  request_id: REQUEST_ID,
  time: '2026-03-01T12:00:00.000Z',
  provider_config_key: INTEGRATION,
  connection_id: CONNECTION,
  key_id: 'f3a1c5d2e4b6',
  method: 'GET',
  path: '/drive/v3/files/{}',
  status: 404,
  answered_by: 'provider',
  error_code: null,
  reason: 'notFound',
  head_ms: 118,
  total_ms: 121,
  attempts: 1,
  refreshed: false,
  bytes_in: 0,
  bytes_out: 412,
  complete: true,
  stands_for: 1,
}));

const recordPattern = '/connections/{connectionId}/calls/record';

/** Calls of a connection, and which of them are recorded: below the path of the connection. */
export const connectionCallRoutes: readonly Route[] = [
  route({
    method: 'GET',
    pattern: '/connections/{connectionId}/calls',
    access: { right: 'read' },
    query: callsQuery,
    describe: documented(() => ({
      id: 'listCalls',
      tag,
      summary: 'List a connection’s calls in the call log, newest first',
      description:
        'Contains failed calls, unless the deployment logs all calls or none (gateway:callLog). A row appears when its call has ended. Calls that were refused before their connection was known are not logged.',
      answer: z
        .object({
          data: z.array(callAnswer()),
          next_cursor: z
            .string()
            .nullable()
            .meta({ description: 'Send as cursor for the next page; null at the end.' }),
          log: z.object({
            ...logAnswer(),
            recording_until: time()
              .nullable()
              .meta({ description: 'Until when every call of the connection is logged.' }),
          }),
        })
        .meta({ id: 'CallPage' }),
      errors: unknown,
      example: {
        params: named.params,
        query: { ...named.query, status: '4xx', since: '2026-03-01T00:00:00Z' },
        answer: {
          data: [callExample()],
          next_cursor: null,
          log: { mode: 'errors', retention_days: 7, recording_until: null },
        },
      },
    })),
    async handle({ caller, params, query }, services) {
      const ref = reachedConnection(caller, params, query.provider_config_key);
      const { connection } = await findConnection(services, ref);
      // A deleted connection of the same name may have left rows that are not deleted yet.
      const sinceMs = Math.max(query.since ?? 0, Date.parse(connection.createdAt));
      const filter = { statuses: query.status, sinceMs };
      const page = await services.calls.list(ref, filter, query.limit ?? CALL_LIST_DEFAULT, query.cursor);
      const { mode, retentionDays } = services.callLog;
      const recordingUntil = goingOnUntil(connection.callsRecordedUntilEpochSec, services);
      return {
        data: page.calls.map(callOnTheWire),
        next_cursor: page.next ?? null,
        log: { mode, retention_days: retentionDays, recording_until: recordingUntil },
      };
    },
  }),
  route({
    method: 'POST',
    pattern: recordPattern,
    access: { right: 'full' },
    query: ofIntegration,
    describe: documented(() => ({
      id: 'recordCalls',
      tag,
      summary: 'Log every call of a connection for an hour, including successful ones',
      description: 'Takes effect within half a minute. Another call restarts the hour.',
      answer: recordingAnswer(),
      errors: [...unknown, 'conflict'],
      example: { ...named, answer: { data: { recording_until: '2026-03-01T13:00:00.000Z' } } },
    })),
    async handle({ caller, params, query, requestId }, services) {
      const ref = reachedConnection(caller, params, query.provider_config_key);
      const until = await recordCalls(services, ref, true, { requestId, actor: caller.actor });
      return { data: { recording_until: isoTimeOrNull(until) } };
    },
  }),
  route({
    method: 'DELETE',
    pattern: recordPattern,
    access: { right: 'full' },
    query: ofIntegration,
    describe: documented(() => ({
      id: 'stopRecordingCalls',
      tag,
      summary: 'Stop logging successful calls of a connection before the hour is over',
      answer: recordingAnswer(),
      errors: [...unknown, 'conflict'],
      example: { ...named, answer: { data: { recording_until: null } } },
    })),
    async handle({ caller, params, query, requestId }, services) {
      const ref = reachedConnection(caller, params, query.provider_config_key);
      await recordCalls(services, ref, false, { requestId, actor: caller.actor });
      return { data: { recording_until: null } };
    },
  }),
];

/** Proxied calls: listed by connection, found by request, recorded for a while. */
export const callRoutes: readonly Route[] = [
  route({
    method: 'GET',
    pattern: '/calls',
    access: { right: 'read' },
    query: failuresQuery,
    describe: documented(() => ({
      id: 'listFailedCalls',
      tag,
      summary: 'List the failed calls of all connections, newest first',
      description:
        'From the call log, by how calls failed, by reason, status, secret key, integration, connection and time. A call is listed when it has ended. Calls that wait for approval are not failures. Calls that were refused before their connection was known are not logged, and those of deleted connections are left out. A page may be shorter than limit, or empty, and still have a next page.',
      answer: z
        .object({
          data: z.array(failedCallAnswer()),
          next_cursor: z
            .string()
            .nullable()
            .meta({ description: 'Send as cursor for the next page; null at the end.' }),
          log: z.object(logAnswer()),
        })
        .meta({ id: 'FailedCallPage' }),
      errors: [],
      example: {
        query: { failure: 'refused', reason: 'notFound', since: '2026-03-01T00:00:00Z' },
        answer: {
          data: [{ ...callExample(), failure: 'refused', connection_name: 'First User' }],
          next_cursor: null,
          log: { mode: 'errors', retention_days: 7 },
        },
      },
    })),
    async handle({ caller, query }, services) {
      const { since, until, provider_config_key: wanted } = query;
      if (since !== undefined && until !== undefined && since > until) {
        throw refusal('invalid_query_params', [{ path: 'since', message: 'must not be after until' }]);
      }
      if (wanted !== undefined) {
        requireReach(caller, wanted);
        await refuseUnknownFilter(services, caller, [wanted]);
      }
      const filter = {
        kind: query.failure,
        reason: query.reason,
        status: query.status,
        keyId: query.key_id,
        integrationIds: wanted === undefined ? caller.integrationIds : [wanted],
        connectionId: query.connection_id,
        sinceMs: since,
        untilMs: until,
      };
      const limit = query.limit ?? CALL_LIST_DEFAULT;
      const page = await services.calls.failures(caller.accountId, filter, limit, query.cursor);
      const named = await nameConnections(services, page.calls);
      const { mode, retentionDays } = services.callLog;
      return {
        data: named.flatMap(({ call, name }) => {
          const failure = failureOf(call);
          return failure === undefined ? [] : [{ ...callOnTheWire(call), failure, connection_name: name }];
        }),
        next_cursor: page.next ?? null,
        log: { mode, retention_days: retentionDays },
      };
    },
  }),
  route({
    method: 'GET',
    pattern: '/calls/{requestId}',
    access: { right: 'read' },
    describe: documented(() => ({
      id: 'getCall',
      tag,
      summary: 'Get the proxied call that a request id belongs to',
      answer: z.object({ data: callAnswer() }).meta({ id: 'CallAnswer' }),
      errors: ['not_found', ...unknown],
      example: { params: { requestId: REQUEST_ID }, answer: { data: callExample() } },
    })),
    async handle({ caller, params }, services) {
      const call = await services.calls.find(caller.accountId, params.requestId ?? '');
      if (call === undefined || !reaches(caller, call.integrationId)) throw noSuchCall(services);
      await findConnection(services, call);
      return { data: callOnTheWire(call) };
    },
  }),
];

/** When a recording ends, null without one. */
function goingOnUntil(untilEpochSec: number | undefined, { clock }: Services): string | null {
  const goesOn = untilEpochSec !== undefined && untilEpochSec * 1000 > clock.nowMs();
  return isoTimeOrNull(goesOn ? untilEpochSec : undefined);
}

function noSuchCall({ callLog }: Services): GatewayError {
  const kept =
    callLog.mode === 'off'
      ? 'The call log is off (gateway:callLog).'
      : `${callLog.mode === 'errors' ? 'Calls that failed are' : 'Calls are'} kept for ${callLog.retentionDays} days; refused ones without a known connection leave no row.`;
  return new GatewayError('not_found', `There is no logged call with this request id. ${kept}`);
}
