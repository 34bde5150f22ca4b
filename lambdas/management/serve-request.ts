import { FEATURES } from '../features/index.ts';
import { includesMethod, type ServedMethods } from '../gateway/core/contract.ts';
import { GatewayError, wrongMethod } from '../gateway/core/errors.ts';
import {
  type GatewayRequest,
  type GatewayResponse,
  type HeaderPairs,
  headerValues,
} from '../gateway/core/http-message.ts';
import { PATH_ID_MAX_BYTES } from '../gateway/core/limits.ts';
import { allowHeader, errorResponse, logFailure, rateLimitHeaders } from '../gateway/http/middlewares.ts';
import type { Method } from '../gateway/openapi/operation.ts';
import { allProviders } from '../gateway/providers/index.ts';
import type { Provider } from '../gateway/providers/provider.rules.ts';
import { authenticate, authorize } from './authenticate.ts';
import { answerOnce } from './creations/answer-once.ts';
import {
  type Answer,
  type Caller,
  deprecationHeaders,
  deprecationsOf,
  matchRoute,
  type Route,
  type RouteMatch,
} from './route.ts';
import type { Services } from './services.ts';
import { unsupportedArea } from './unsupported-areas.ts';

/** Request headers of the dashboard beyond those that every page may send. */
const ALLOWED_HEADERS = 'authorization, content-type, idempotency-key';
/** Response headers that a page may read beyond the plain ones. */
const EXPOSED_HEADERS =
  'x-request-id, x-gateway-error, retry-after, deprecation, sunset, idempotent-replayed, ratelimit, ratelimit-policy';
/** Seconds for which a browser may cache the preflight response. */
const MAX_AGE_SEC = '600';

/** The routes of a function, and what it knows of those of the other. */
export interface ServedRoutes<Needs> {
  readonly routes: readonly Route<Needs>[];
  /** Methods of a path that the other function serves; undefined for none. @default it serves none */
  readonly elsewhere?: (path: string) => ServedMethods | undefined;
}

/**
 * Headers that let pages of exactly one origin read the management API: without credentials mode, so that cookies are
 * excluded, and for no other origin (Fetch standard, "CORS protocol"; PR-6).
 *
 * @param dashboardOrigin undefined: no headers
 */
function corsHeaders<Needs>(
  request: GatewayRequest,
  match: RouteMatch<Needs>,
  routes: readonly Route<Needs>[],
  dashboardOrigin: string | undefined,
): HeaderPairs {
  const route = routeOf(request, match, routes);
  // Public responses need no permission either.
  if (dashboardOrigin === undefined || route === undefined || route.access.right === 'anyone') return [];
  // Even without an origin, because a cache must not return one origin's response to another.
  const vary = ['vary', 'Origin'] as const;
  const origins = headerValues(request.headers, 'origin');
  if (origins.length !== 1 || origins[0] !== dashboardOrigin) return [vary];
  const allowed = ['access-control-allow-origin', dashboardOrigin] as const;
  const asks =
    request.method === 'OPTIONS' && headerValues(request.headers, 'access-control-request-method').length > 0;
  if (!asks || match.kind !== 'other_methods')
    return [vary, allowed, ['access-control-expose-headers', EXPOSED_HEADERS]];
  return [
    vary,
    allowed,
    ['access-control-allow-methods', match.methods.join(', ')],
    ['access-control-allow-headers', ALLOWED_HEADERS],
    ['access-control-max-age', MAX_AGE_SEC],
  ];
}

/** A route of the requested path, for any method. */
function routeOf<Needs>(
  request: GatewayRequest,
  match: RouteMatch<Needs>,
  routes: readonly Route<Needs>[],
): Route<Needs> | undefined {
  if (match.kind !== 'other_methods') return match.kind === 'found' ? match.route : undefined;
  const others = match.methods.map((method) => matchRoute(routes, method, request.rawPath));
  return others.find((other) => other.kind === 'found')?.route;
}

/** In the order of answers. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies readonly Method[];

/** The methods of a path together with those that the other function serves. */
function withOthers<Needs>(match: RouteMatch<Needs>, others: ServedMethods | undefined): RouteMatch<Needs> {
  if (match.kind !== 'other_methods' || others === undefined || others === 'every method') return match;
  const known = METHODS.filter((method) => match.methods.includes(method) || others.includes(method));
  return { ...match, methods: known };
}

/**
 * Serves one request of the management API: route, caller, right, input, use case. Failures become the error envelope. Every
 * response reports used deprecations.
 *
 * @param served the routes of the function
 */
export async function serveRequest<Needs extends Services>(
  request: GatewayRequest,
  services: Needs,
  served: ServedRoutes<Needs>,
): Promise<GatewayResponse> {
  const { routes, elsewhere = () => undefined } = served;
  const match = withOthers(matchRoute(routes, request.method, request.rawPath), elsewhere(request.rawPath));
  const response = await answerOrError(request, match, services, { routes, elsewhere });
  const deprecated = match.kind === 'found' ? deprecationHeaders(deprecationsOf(match.route, request)) : [];
  const headers = [
    ...response.headers,
    ...deprecated,
    ...corsHeaders(request, match, routes, services.dashboardOrigin),
  ];
  return { ...response, headers };
}

async function answerOrError<Needs extends Services>(
  request: GatewayRequest,
  match: RouteMatch<Needs>,
  services: Needs,
  served: Required<ServedRoutes<Needs>>,
): Promise<GatewayResponse> {
  const { requestId } = request;
  let caller: Caller | undefined;
  const known = async () => {
    caller = await authenticate(request, services);
    return caller;
  };
  let response: GatewayResponse;
  try {
    response = await answer(request, match, services, served, known);
  } catch (error) {
    logFailure(services.logger, 'request failed', requestId, error);
    response = errorResponse(error, requestId);
  }
  const keyHash = caller?.key?.keyHash;
  // A limit that refused the call has already added its own headers.
  if (keyHash === undefined || headerValues(response.headers, 'ratelimit').length > 0) return response;
  const standing = services.admission.standingOfKey(keyHash, services.clock.nowMs());
  return { ...response, headers: [...response.headers, ...rateLimitHeaders(standing)] };
}

/** @param known the caller; a request without a valid key throws */
async function answer<Needs extends Services>(
  request: GatewayRequest,
  match: RouteMatch<Needs>,
  services: Needs,
  { routes, elsewhere }: Required<ServedRoutes<Needs>>,
  known: () => Promise<Caller>,
): Promise<GatewayResponse> {
  switch (match.kind) {
    case 'found': {
      const { route, params } = match;
      await refuseLeftOut(services, route.pattern, known);
      const caller = route.access.right === 'anyone' ? undefined : await known();
      if (caller !== undefined) authorize(caller, route, services.clock);
      const work = async () => {
        const result = await route.run(request, caller, params, services);
        return 'headers' in result ? result : jsonReply(request, result);
      };
      const isOnce = route.creates === true && headerValues(request.headers, 'idempotency-key').length > 0;
      const reply =
        isOnce && caller !== undefined
          ? await answerOnce(services, request, caller, work, commonHeaders(request.requestId))
          : await work();
      return request.method === 'HEAD' ? { ...reply, body: undefined } : reply;
    }
    case 'other_methods':
      if (includesMethod(elsewhere(request.rawPath), request.method)) throw beingDeployed();
      return otherMethod(request, match.methods);
    case 'long_id':
      await known();
      throw new GatewayError(
        'not_found',
        `There is nothing with this ${match.name}: it has ${match.length} characters, and an id has at most ${PATH_ID_MAX_BYTES}.`,
      );
    case 'none': {
      await refuseLeftOut(services, request.rawPath, known);
      if (elsewhere(request.rawPath) !== undefined) throw beingDeployed();
      const area = unsupportedArea(request.rawPath);
      if (area === undefined)
        throw new GatewayError(
          'not_found',
          noRoute(request.rawPath, services.baseUrl, (path) => isRoute(routes, path) || elsewhere(path) !== undefined),
        );
      await known();
      throw new GatewayError('not_supported', `This gateway does not have ${area}.`);
    }
  }
}

/** The other function serves this route: API Gateway sends it here for moments while a deployment replaces the functions. */
function beingDeployed(): GatewayError {
  return new GatewayError('service_unavailable', 'The gateway is being deployed at this moment. Try again.', {
    retryAfterSec: 1,
  });
}

/** @throws GatewayError `not_supported` for a path of a feature that the deployment leaves out; what `known` throws for strangers there */
async function refuseLeftOut(
  { without }: Pick<Services, 'without'>,
  path: string,
  known: () => Promise<unknown>,
): Promise<void> {
  if (without.size === 0) return;
  const left = FEATURES.find(
    ({ id, paths, messagePaths }) =>
      without.has(id) && (paths.some((one) => isBelow(path, one)) || messagePaths.includes(path)),
  );
  if (left === undefined) return;
  await known();
  throw new GatewayError('not_supported', `This gateway was deployed without ${left.id}: ${left.title}.`);
}

function isBelow(path: string, segment: string): boolean {
  return path === `/${segment}` || path.startsWith(`/${segment}/`);
}

/** The fix for a path without a route: the first change that would lead to one. */
function noRoute(rawPath: string, baseUrl: string, isKnown: (path: string) => boolean): string {
  if (rawPath === '/' || rawPath === '') return 'This is the base URL of the gateway. GET /docs lists its routes.';
  const stage = /^\/[^/]+(?=\/|$)/.exec(rawPath)?.[0] ?? '';
  const provider = providerOfPath(rawPath);
  if (provider !== undefined) {
    const example = provider.firstCall.split('?')[0];
    return `There is no such route. Put /proxy before ${provider.server.displayName}'s path, as in /proxy${example}.`;
  }
  const near = [withoutLastSlashes(rawPath), stage.toLowerCase() + rawPath.slice(stage.length)].find(isKnown);
  if (near !== undefined) return `There is no such route. Did you mean ${near}?`;
  const rest = rawPath.slice(stage.length);
  if (isKnown(rest) || rest.startsWith('/proxy/') || providerOfPath(rest) !== undefined) {
    return `There is no such route. This gateway's base URL is ${baseUrl}: omit ${stage}.`;
  }
  return 'There is no such route. GET /docs lists them all.';
}

/** Character by character, because a regular expression for trailing slashes takes quadratic time (DS-11). */
function withoutLastSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

/** The provider of a path: a common first call is a provider's address with the gateway's host. */
function providerOfPath(path: string): Provider | undefined {
  return allProviders().find(({ apiPaths }) => apiPaths.some(({ prefix }) => path.startsWith(prefix)));
}

function isRoute<Needs>(routes: readonly Route<Needs>[], path: string): boolean {
  return path !== '' && matchRoute(routes, 'GET', path).kind !== 'none';
}

/** OPTIONS returns the methods of a route, and CORS headers. */
function otherMethod(request: GatewayRequest, methods: readonly string[]): GatewayResponse {
  const error = wrongMethod(`This route supports ${methods.join(', ')}.`, [
    ...methods,
    ...(methods.includes('GET') ? ['HEAD'] : []),
    'OPTIONS',
  ]);
  if (request.method !== 'OPTIONS') return errorResponse(error, request.requestId);
  return { status: 204, headers: [...allowHeader(error), ...commonHeaders(request.requestId)], body: undefined };
}

function jsonReply(request: GatewayRequest, answer: Answer): GatewayResponse {
  const headers = commonHeaders(request.requestId);
  if (answer.body === undefined) return { status: answer.status, headers, body: undefined };
  return {
    status: answer.status,
    headers: [['content-type', 'application/json; charset=utf-8'], ...headers],
    body: Buffer.from(JSON.stringify(answer.body)),
  };
}

function commonHeaders(requestId: string): [string, string][] {
  return [
    ['cache-control', 'no-store'],
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'no-referrer'],
    ['x-request-id', requestId],
  ];
}
