import { FEATURE_CALL_ERRORS } from '../features/index.ts';
import type { GatewayErrorCode } from '../gateway/core/errors.ts';
import { errorAnswers } from '../gateway/openapi/error-answers.ts';
import type { Components, Json } from '../gateway/openapi/json-schema.ts';
import type { DescribedPath } from '../gateway/openapi/operation.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head'] as const;

const ERRORS: readonly GatewayErrorCode[] = [
  'invalid_headers',
  'invalid_path',
  'invalid_query_params',
  'invalid_body',
  'missing_auth_header',
  'invalid_secret_key',
  'key_expired',
  'unknown_role',
  'path_not_allowed',
  'limited_by_key',
  'agentic_integration',
  'unknown_method',
  'approval_required',
  'approval_impossible',
  'budget_spent',
  ...FEATURE_CALL_ERRORS,
  'forbidden',
  'unknown_integration',
  'unknown_connection',
  'confirmation_required',
  'method_not_allowed',
  'request_too_large',
  'reauthorization_required',
  'integration_credentials_rejected',
  'rate_limited',
  'quota_reserved',
  'internal_error',
  'upstream_unreachable',
  'upstream_invalid_response',
  'token_refresh_unavailable',
  'service_unavailable',
  'upstream_timeout',
];

const header = (name: string, required: boolean, description: string, schema: Json): Json => ({
  name,
  in: 'header',
  required,
  description,
  schema,
});

const RETRIES_DESCRIPTION = `Maximum number of retries by the gateway. Writes are retried only if nothing was applied. While a provider
keeps failing, at most 20 % of the calls are retried; the others get its response with x-gateway-retries.`;

const PRIORITY_DESCRIPTION = `\`background\` for calls that nobody waits for: they begin only while less than 70 % of Google's quota per minute is
taken, of the Cloud project and of the user, and are refused with \`quota_reserved\` otherwise.`;

const PARAMETERS: readonly Json[] = [
  {
    name: 'path',
    in: 'path',
    required: true,
    description:
      'Path at the provider, passed on byte for byte. Send slashes as `/`: `%2F`, as generated clients write them, is refused. One of /drive/v3, /upload/drive/v3, /resumable/upload/drive/v3, /download/drive/v3, /batch/drive/v3, /v2/activity:query and /calendar/v3, /batch/calendar/v3, /caldav/v2.',
    schema: { type: 'string' },
    example: 'drive/v3/files',
  },
  {
    name: 'query',
    in: 'query',
    required: false,
    description:
      'Query parameters of the provider’s method. Each member is sent as a parameter of its own, such as `pageSize=3`.',
    style: 'form',
    explode: true,
    schema: { type: 'object', additionalProperties: { type: 'string' } },
    example: { pageSize: '3', fields: 'files(id,name)' },
  },
  header('Provider-Config-Key', true, 'The integration’s unique_key.', { type: 'string', maxLength: 255 }),
  header('Connection-Id', true, 'The connection’s id.', { type: 'string', maxLength: 255 }),
  header('Retries', false, RETRIES_DESCRIPTION, { type: 'integer', minimum: 0, maximum: 5, default: 0 }),
  header('Gateway-Priority', false, PRIORITY_DESCRIPTION, {
    type: 'string',
    enum: ['interactive', 'background'],
    default: 'interactive',
  }),
  header('Retry-On', false, 'Additional statuses to retry, separated by commas.', { type: 'string' }),
];

const DESCRIPTION = `All other headers are sent to the provider; \`Nango-Proxy-<name>\` is sent as \`<name>\` and replaces a
plain header. The answer is the provider's: its status, end-to-end headers and bytes, whatever they are. An answer with
\`x-gateway-error\` is the gateway's own. A request body has at most 4.5 MB: send larger files by the provider's resumable
uploads, in chunks. IAM roles that are registered call the same paths below \`/iam\`, without Authorization of the gateway's own.`;

/** Client generators create no method for a body of any type, so the media types of Google's APIs are listed. */
const SENT: Json = {
  'application/json': { schema: {} },
  'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
};
const ANSWERED: Json = { ...SENT, '*/*': { schema: {} } };

function operation(method: (typeof METHODS)[number], components: Components): Json {
  return {
    operationId: `proxy${method.charAt(0).toUpperCase()}${method.slice(1)}`,
    tags: ['Proxy'],
    summary: `${method.toUpperCase()} at the provider as the connection’s user`,
    description: DESCRIPTION,
    security: [{ secretKey: [] }],
    ...(['post', 'put', 'patch'].includes(method)
      ? {
          requestBody: {
            description: 'Passed on byte for byte, with its Content-Type, whatever that is.',
            content: SENT,
          },
        }
      : {}),
    responses: {
      default: {
        description: 'The provider’s answer, unchanged; with x-gateway-error the gateway’s own.',
        headers: {
          'x-gateway-error': { $ref: '#/components/headers/x-gateway-error' },
          'x-gateway-hint': { $ref: '#/components/headers/x-gateway-hint' },
          'x-gateway-quota': { $ref: '#/components/headers/x-gateway-quota' },
          'x-gateway-retries': { $ref: '#/components/headers/x-gateway-retries' },
          'x-request-id': { $ref: '#/components/headers/x-request-id' },
        },
        ...(method === 'head' ? {} : { content: ANSWERED }),
      },
      '2XX': {
        description: 'The provider’s answer, unchanged.',
        headers: { 'x-upstream-length': { $ref: '#/components/headers/x-upstream-length' } },
        ...(method === 'head' ? {} : { content: ANSWERED }),
      },
      ...errorAnswers(ERRORS, components),
    },
  };
}

/** The proxy in the API's document. */
export const PROXY_PATHS: readonly DescribedPath[] = [
  {
    pattern: '/proxy/{path}',
    describe: () => (components) => ({
      parameters: PARAMETERS,
      ...Object.fromEntries(METHODS.map((method) => [method, operation(method, components)])),
    }),
  },
];
