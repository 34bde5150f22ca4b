import { errorEnvelope } from './answer-parts.ts';
import { MESSAGES_MEMBER, MESSAGES_TAG, messagesOf } from './event-messages.ts';
import { INTRODUCTION } from './introduction.ts';
import { Components, type Json } from './json-schema.ts';
import { type DescribedPath, type DescribedRoute, TAGS } from './operation.ts';
import { routeOperation } from './route-operation.ts';

/** Version of the API as a whole: the paths carry none. */
export const API_VERSION = '0.3.0';

/**
 * The API as OpenAPI 3.1 (spec.openapis.org/oas/v3.1.0), from the route table and the schemas that validate requests.
 *
 * @param otherPaths paths described elsewhere
 * @param baseUrl of the gateway that serves it
 */
export function openApiDocument(
  routes: readonly DescribedRoute[],
  otherPaths: readonly DescribedPath[],
  baseUrl: string,
): Json {
  const components = new Components();
  components.inline(errorEnvelope(), 'output');
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.pattern] = {
      ...paths[route.pattern],
      [route.method.toLowerCase()]: routeOperation(route, components),
    };
  }
  for (const { pattern, describe } of otherPaths) paths[pattern] = describe()(components);
  const messages = messagesOf(components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Integration gateway',
      version: API_VERSION,
      summary: 'OAuth gateway for Google Drive and Google Calendar.',
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    tags: [...Object.entries(TAGS).map(([name, description]) => ({ name, description })), MESSAGES_TAG],
    paths,
    [MESSAGES_MEMBER]: referencesTo(messages),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: headersIn({ paths, messages, ...components.all() }),
      pathItems: messages,
      ...components.all(),
    },
  };
}

/** Messages are no operations of a client: from an inlined one, generators make a method that posts it to the gateway. */
function referencesTo(messages: Json): Json {
  const names = Object.keys(messages);
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/pathItems/${name}` }]));
}

/** Headers named by some response: those of deprecated routes are included only while there is such a route. */
function headersIn(document: Json): Json {
  const text = JSON.stringify(document);
  const isNamed = ([name]: [string, unknown]) => text.includes(`"#/components/headers/${name}"`);
  return Object.fromEntries(Object.entries(HEADERS).filter(isNamed));
}

const SECURITY_SCHEMES: Json = {
  secretKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'A secret key of the account, `sk_...`. Use it only on a server.',
  },
  connectSession: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token of a connect session, `cs_...`, for the browser of one end user.',
  },
  operator: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token of an operator who signed in to the dashboard. /proxy never accepts it.',
  },
};

const HEADERS: Json = {
  'x-gateway-error': {
    description: 'The error code. Only the gateway’s own answers have this header; the provider’s never do.',
    schema: { type: 'string' },
  },
  'x-request-id': {
    description: 'Identifies the request in the gateway’s log.',
    schema: { type: 'string' },
  },
  'x-gateway-hint': {
    description:
      'Why the provider refuses the call or does not find the file. `pick_again`: the connection has only drive.file, so its user may not have picked the file. Create a session with pick and the id in file_ids. `all_drives`: the request has no `supportsAllDrives=true`, without which files of shared drives are 404. `missing_scopes`: the call needs a scope that the user did not grant; the scopes that were requested and not granted follow, separated by spaces. Ask the user to reconnect.',
    schema: { type: 'string' },
  },
  'x-gateway-retries': {
    description:
      '`budget_spent`: the call was not retried as `Retries` asked, because retries had reached 20 % of the calls.',
    schema: { type: 'string', enum: ['budget_spent'] },
  },
  'x-gateway-quota': {
    description:
      'Only where the request has Gateway-Priority: what the call takes of the provider’s quotas, and how full the last minute (of the project or the user, whichever is fuller) and the day of the Cloud project are, 1 = all. The minute is what this process knows before the call, the day as of the last count; a member that is not known is left out.',
    schema: { type: 'string' },
    example: 'google-drive;cost=100;minute=0.42;day=0.31',
  },
  'x-upstream-length': {
    description: '`unverified`: the body ended when the provider closed the connection, so it may be incomplete.',
    schema: { type: 'string', enum: ['unverified'] },
  },
  deprecation: {
    description: 'The route, or something that the request names, will go: since when (RFC 9745).',
    schema: { type: 'string', pattern: '^@\\d+$' },
  },
  sunset: {
    description: 'The first moment at which it may be gone (RFC 8594).',
    schema: { type: 'string' },
  },
  'idempotent-replayed': {
    description: '`true`: this is the answer that the first request with this Idempotency-Key got.',
    schema: { type: 'string', enum: ['true'] },
  },
  ratelimit: {
    description:
      'What is left of the limit that `ratelimit-policy` names (r) and in how many seconds there is room again (t), as this process knows it (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string' },
    example: '"key";r=29999;t=42',
  },
  'ratelimit-policy': {
    description:
      'The limit: of the secret key, or with 429 the one that was reached. q calls in w seconds, or at the same time (`qu="concurrent-requests"`). Absent where there is no limit.',
    schema: { type: 'string' },
    example: '"key";q=30000;w=60',
  },
  'retry-after': { description: 'Seconds after which the same request may succeed.', schema: { type: 'integer' } },
};
