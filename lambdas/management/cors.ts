import { type GatewayRequest, type HeaderPairs, headerValues } from '../gateway/core/http-message.ts';
import { matchRoute, type RouteMatch } from './match-route.ts';
import type { Route } from './route.ts';
import { ROUTES } from './routes/index.ts';

/** What a page of the dashboard may send beyond what every page may. */
const ALLOWED_HEADERS = 'authorization, content-type';
/** What a page may read of an answer beyond its body and plain headers. */
const EXPOSED_HEADERS = 'x-request-id, x-gateway-error, retry-after';
/** Seconds a browser may remember the answer to its question. */
const MAX_AGE_SEC = '600';

/**
 * Headers that let pages of exactly one origin read the management API: without credentials mode, so cookies stay out of
 * it, and for no other origin at all (Fetch standard, "CORS protocol"; PR-6).
 *
 * @param dashboardOrigin undefined: nobody may, and nothing is said
 */
export function corsHeaders(
  request: GatewayRequest,
  match: RouteMatch,
  dashboardOrigin: string | undefined,
): HeaderPairs {
  const route = routeOf(request, match);
  // What anyone may read without a token needs no permission either.
  if (dashboardOrigin === undefined || route === undefined || route.access.right === 'anyone') return [];
  // Also without an origin: a cache must not give one origin's answer to another.
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

/** A route of the path that was asked for, under whatever method. */
function routeOf(request: GatewayRequest, match: RouteMatch): Route | undefined {
  if (match.kind !== 'other_methods') return match.kind === 'found' ? match.route : undefined;
  const other = matchRoute(ROUTES, match.methods[0] ?? '', request.rawPath);
  return other.kind === 'found' ? other.route : undefined;
}
