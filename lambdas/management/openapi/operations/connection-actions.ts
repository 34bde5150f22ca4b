import { check, eventPage, pendingRevocations, triedCall } from '../answers/connection-actions.ts';
import { connection } from '../answers/connections.ts';
import type { Operations } from '../operation.ts';
import { CONNECTION, CONNECTION_ANSWER, INTEGRATION } from './sample.ts';

const tag = 'Connections';
const named = { params: { connectionId: CONNECTION }, query: { provider_config_key: INTEGRATION } };
const unknown = ['unknown_integration', 'unknown_connection', 'confirmation_required'] as const;
const TRIED = [
  ...unknown,
  'invalid_path',
  'path_not_allowed',
  'reauthorization_required',
  'integration_credentials_rejected',
  'token_refresh_unavailable',
  'upstream_unreachable',
  'upstream_invalid_response',
  'upstream_timeout',
] as const;

/** What one can have done with a connection, and what has happened to it. */
export const connectionActionOperations: Operations = {
  'POST /connections/{connectionId}/refresh': {
    id: 'refreshConnection',
    tag,
    status: 200,
    answer: connection,
    errors: [...unknown, 'reauthorization_required', 'integration_credentials_rejected', 'token_refresh_unavailable'],
    example: { ...named, answer: { ...CONNECTION_ANSWER, last_refreshed_at: '2026-03-01T12:10:00.000Z' } },
  },
  'POST /connections/{connectionId}/check': {
    id: 'checkConnection',
    tag,
    status: 200,
    answer: check,
    errors: unknown,
    example: {
      ...named,
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
  },
  'POST /connections/{connectionId}/try': {
    id: 'tryConnection',
    tag,
    description: 'For looking at what a call would give, from the dashboard for one. The body is cut at 256 KB.',
    status: 200,
    answer: triedCall,
    errors: TRIED,
    example: {
      ...named,
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
  },
  'GET /revocations': {
    id: 'listPendingRevocations',
    tag,
    description:
      'A deletion with revoke asks the provider at once; what it cannot end then is asked again by the schedule until it says so. A key limited to some integrations sees those.',
    status: 200,
    answer: pendingRevocations,
    errors: [],
    example: {
      query: { integrationId: INTEGRATION },
      answer: {
        data: {
          pending: 1,
          complete: true,
          oldest: [
            {
              provider_config_key: INTEGRATION,
              connection_id: CONNECTION,
              requested_at: '2026-03-01T12:00:00.000Z',
              retry_at: '2026-03-01T12:00:30.000Z',
              failed_attempts: 1,
            },
          ],
        },
      },
    },
  },
  'GET /connections/{connectionId}/events': {
    id: 'listConnectionEvents',
    tag,
    status: 200,
    answer: eventPage,
    errors: ['unknown_connection'],
    example: {
      ...named,
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
            request_id: '5d6f3a52-9f0e-4f8e-9a53-5a6f7c1f2b3a',
          },
        ],
        next_before: null,
      },
    },
  },
};
