import type { GatewayErrorCode } from '../core/errors.ts';
import { errorAnswers } from './error-answers.ts';
import type { Components, Json } from './json-schema.ts';
import type { Access, Deprecation, DescribedRoute, RouteDescription } from './operation.ts';
import { parameters } from './parameters.ts';

/** One row of the route table as an operation of the document. */
export function routeOperation(route: DescribedRoute, components: Components): Json {
  const operation = route.describe();
  const { id, example } = operation;
  return {
    operationId: id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(route.deprecated === undefined ? {} : { deprecated: true }),
    description: [farewell(route.deprecated), operation.description, callers(route.access)]
      .filter((text) => text !== undefined)
      .join('\n\n'),
    security: securityOf(route.access),
    ...listed('parameters', [
      ...parameters(route.pattern, route.query, example, components),
      ...(route.creates === true ? [IDEMPOTENCY_KEY] : []),
    ]),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: components.named(`${id.charAt(0).toUpperCase()}${id.slice(1)}Body`, route.body, 'input'),
                example: example.body,
              },
            },
          },
        }),
    responses: {
      [route.status]: {
        description: 'Done.',
        headers: headersOf(route),
        content: answerContent(operation, components),
      },
      ...(route.mayWait === true
        ? { 202: { description: 'Not yet.', headers: headersOf(route), content: answerContent(operation, components) } }
        : {}),
      ...errorAnswers([...errorsOf(route), ...operation.errors], components),
    },
  };
}

/** Without an example, because copied samples would send one key with all requests. */
const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A name for this request, new for each, such as a UUID. Sent again within 24 hours, the same request gets the first answer and makes nothing more.',
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    pattern: '^(?:[A-Za-z0-9._~:+/=-]+|"(?:[ !#-\\[\\]-~]|\\\\["\\\\])+")$',
  },
};

function farewell(deprecated: Deprecation | undefined): string | undefined {
  if (deprecated === undefined) return undefined;
  const end = deprecated.sunset === undefined ? '' : `, and may be gone from ${deprecated.sunset} on`;
  return `**Deprecated** since ${deprecated.since}${end}. ${deprecated.instead}`;
}

function headersOf({ access, creates, deprecated }: DescribedRoute): Json {
  const names = [
    'x-request-id',
    ...(access.right === 'anyone' ? [] : ['ratelimit', 'ratelimit-policy']),
    ...(creates === true ? ['idempotent-replayed'] : []),
    ...(deprecated === undefined ? [] : ['deprecation']),
    ...(deprecated?.sunset === undefined ? [] : ['sunset']),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function answerContent({ answer, example }: RouteDescription, components: Components): Json {
  if (answer === 'html' || answer === 'javascript') return { [`text/${answer}`]: { schema: { type: 'string' } } };
  return { 'application/json': { schema: components.inline(answer, 'output'), example: example.answer } };
}

/** Possible errors of every route with such access and input. */
function errorsOf({ access, query, body, creates }: DescribedRoute): GatewayErrorCode[] {
  const codes: GatewayErrorCode[] = ['method_not_allowed', 'internal_error'];
  if (access.right !== 'anyone') {
    codes.push('invalid_headers', 'missing_auth_header', 'invalid_secret_key', 'invalid_session_token', 'forbidden');
    codes.push('invalid_operator_token', 'unknown_role', 'service_unavailable', 'rate_limited');
    // A used connect session is reported wherever its token is accepted.
    if (isForSessions(access)) codes.push('conflict');
  }
  if (creates === true) codes.push('request_in_progress', 'answer_not_kept', 'idempotency_key_reused');
  if (access.recentSignIn === true) codes.push('recent_sign_in_required');
  if (query !== undefined) codes.push('invalid_query_params');
  if (body !== undefined) codes.push('invalid_body', 'request_too_large');
  return codes;
}

function securityOf(access: Access): Json[] {
  if (access.right === 'anyone') return [];
  return [{ secretKey: [] }, { operator: [] }, ...(isForSessions(access) ? [{ connectSession: [] }] : [])];
}

function callers(access: Access): string | undefined {
  if (access.right === 'anyone') return 'Needs no authentication.';
  if (access.right === 'read') return 'For operators and secret keys with the right read or full.';
  return access.account === true
    ? 'For operators, and for secret keys with the right full that are not limited to some integrations.'
    : 'For operators and secret keys with the right full.';
}

function listed(name: string, values: readonly Json[]): Json {
  return values.length === 0 ? {} : { [name]: values };
}

/** Whether the token of some connect session opens a route. */
function isForSessions({ session = false }: Access): boolean {
  return session !== false;
}
