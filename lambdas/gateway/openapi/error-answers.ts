import { FEATURE_ERROR_WORDS } from '../../features/index.ts';
import { ERROR_STATUS, type GatewayErrorCode } from '../core/errors.ts';
import { type Components, type Json, reference } from './json-schema.ts';

/** When a code is returned: one sentence, which is also the message of its example. */
const WHEN: Readonly<Record<GatewayErrorCode, string>> = {
  invalid_headers: 'A header is missing, repeated or not valid; errors lists all of them.',
  invalid_path: 'The path after /proxy is not valid and cannot be forwarded.',
  invalid_query_params: 'A query parameter is missing, unknown or not valid; errors lists all of them.',
  invalid_body: 'The body is not valid; errors lists every problem.',
  missing_auth_header: 'Send the secret key as Authorization: Bearer <SECRET_KEY>.',
  invalid_secret_key: 'The secret key is malformed, unknown, revoked or from another gateway; all get the same answer.',
  invalid_session_token: 'The connect session’s token is not valid here, or the session has expired.',
  invalid_operator_token: 'The operator’s sign-in is not valid or has expired.',
  key_expired: 'The secret key has ended: limit.name is expires_at.',
  unknown_role:
    'Below /iam: no AWS signature, not one of an IAM role, or of a role that is not registered or was revoked.',
  subject_not_allowed: 'The integration may not act for this user: its subjects do not allow the address.',
  limited_by_key: 'The limits of the secret key refuse the call: limit says which, and what the key may do.',
  agentic_integration:
    'The OAuth client of the integration is marked for AI agents, and the request needs the REST APIs: use an integration with another OAuth client.',
  unknown_method:
    'The secret key is limited to methods of the provider, and the request is none of them in its documented spelling.',
  approval_required:
    'By the limits of the secret key a person has to approve the call, which waits for it: approval has its id, the page where to decide, and until when. Nothing was sent.',
  approval_impossible:
    'A person would have to approve the call, which cannot wait: a part of it cannot be shown to a person completely (limit.member), or it is part of a batch, a resumable upload or too large. Nothing was sent.',
  budget_spent:
    'The daily budget of the secret key, the integration or the connection is used, or too small for this call; or the Cloud project’s daily threshold is used and the deployment stops there. limit says which it is and when it resets.',
  ...FEATURE_ERROR_WORDS,
  path_not_allowed: 'The path is outside the provider’s API.',
  forbidden: 'The secret key lacks the right or is limited to other integrations.',
  recent_sign_in_required: 'The operator must have signed in within the last few minutes.',
  second_factor_required: 'The operator must have signed in with a second factor.',
  unknown_integration: 'There is no such integration in this account.',
  unknown_connection: 'There is no such connection under this integration.',
  not_found: 'Nothing has this id or path.',
  not_supported: 'This gateway does not support this route of compatible APIs.',
  method_not_allowed: 'The route does not support this method; Allow lists the supported ones.',
  conflict: 'The name is taken, or the same thing was changed at the same time.',
  confirmation_required:
    'The connection waits for confirmation: send the handle that the browser brought back to POST /connect/sessions/confirm.',
  account_not_known:
    'The owner of the grant is unknown, and so is who else would lose it. Nothing was changed; revoke=force revokes it anyway.',
  request_in_progress:
    'The first request with this Idempotency-Key is being carried out; Retry-After says when to ask again.',
  answer_not_kept:
    'The first request with this Idempotency-Key has made what it asked for, and its answer is lost: look it up. The message says what to do.',
  idempotency_key_reused: 'This Idempotency-Key came with another request in the last 24 hours: send a new key.',
  request_too_large: 'The body exceeds a limit; the message says which one and what to do instead.',
  reauthorization_required: 'The grant has ended: connection says why and who can fix it.',
  integration_credentials_rejected:
    'The provider refuses the integration’s OAuth client; connections are not at fault.',
  rate_limited:
    'Too many calls by this key or address, on this connection, or of this kind; Retry-After says when to continue.',
  quota_reserved:
    'A call in the background has to wait: what is left of the quota of Google’s minute is for calls that somebody waits for. Nothing was sent; limit says whose quota it is, and Retry-After when to continue.',
  internal_error: 'The gateway failed; its log contains the details under the request id.',
  upstream_unreachable: 'The provider could not be reached; applied says whether it may have carried out the call.',
  upstream_invalid_response:
    'The provider’s answer could not be read; applied says whether it may have carried out the call.',
  service_unavailable: 'A service that the gateway needs is not available; Retry-After says when to try again.',
  token_refresh_unavailable: 'The token could not be refreshed at the moment; Retry-After says when to try again.',
  upstream_timeout: 'The provider did not answer in time; applied says whether it may have carried out the call.',
};

/** The failures of an operation as its responses, one per status. */
export function errorAnswers(codes: readonly GatewayErrorCode[], components: Components): Json {
  const byStatus = new Map<number, GatewayErrorCode[]>();
  for (const code of new Set(codes)) {
    const status = ERROR_STATUS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, list]) => [String(status), components.response(list.join('.'), () => errorAnswer(list))]),
  );
}

const RATE_HEADERS: Json = {
  ratelimit: { $ref: '#/components/headers/ratelimit' },
  'ratelimit-policy': { $ref: '#/components/headers/ratelimit-policy' },
};

function errorAnswer(codes: readonly GatewayErrorCode[]): Json {
  return {
    description: codes.map((code) => `\`${code}\`: ${WHEN[code]}`).join('\n\n'),
    headers: {
      'x-gateway-error': { $ref: '#/components/headers/x-gateway-error' },
      'x-request-id': { $ref: '#/components/headers/x-request-id' },
      ...(codes.includes('rate_limited') || codes.includes('quota_reserved') ? RATE_HEADERS : {}),
      ...(codes.some(waits) ? { 'retry-after': { $ref: '#/components/headers/retry-after' } } : {}),
    },
    'x-error-codes': codes,
    content: {
      'application/json': {
        schema: reference('GatewayError'),
        examples: Object.fromEntries(codes.map((code) => [code, { summary: code, value: exampleBody(code) }])),
      },
    },
  };
}

function waits(code: GatewayErrorCode): boolean {
  return ERROR_STATUS[code] === 429 || ERROR_STATUS[code] === 503 || code === 'request_in_progress';
}

function exampleBody(code: GatewayErrorCode): Json {
  return {
    error: {
      code,
      message: WHEN[code],
      status: ERROR_STATUS[code],
      ...(code.startsWith('upstream_') ? { applied: 'unknown' } : {}),
      request_id: '5d6f3a52-9f0e-4f8e-9a53-5a6f7c1f2b3a',
    },
  };
}
