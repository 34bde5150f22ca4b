import { GatewayError, refusal } from '../errors.ts';
import { type HeaderPairs, headerValues } from '../http-message.ts';

const FORWARDED = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);
/** Lower-case name of the header Google reads a method from. */
export const METHOD_OVERRIDE_HEADER = 'x-http-method-override';

/** What goes upstream, and what it means there. */
export interface UpstreamMethod {
  /** Method on the wire. */
  readonly method: string;
  /** Method the provider acts on; retry rules judge by it. */
  readonly effectiveMethod: string;
}

/**
 * Method of the upstream request (PX-13). The only override that passes is GET on POST: long queries sent as a form. The
 * front door may have applied it already, so a GET that carries the header and a body is the same request.
 *
 * @throws GatewayError `method_not_allowed` or `invalid_headers`
 */
export function upstreamMethod(method: string, headers: HeaderPairs, hasBody: boolean): UpstreamMethod {
  // The prefixed spelling is forwarded under the plain name, so it is the same header here.
  const overrides = [METHOD_OVERRIDE_HEADER, `nango-proxy-${METHOD_OVERRIDE_HEADER}`]
    .flatMap((name) => headerValues(headers, name))
    .map((value) => value.trim().toUpperCase());
  if (overrides.some((override) => override !== '')) {
    if (overrides.length === 1 && overrides[0] === 'GET' && (method === 'POST' || (method === 'GET' && hasBody))) {
      return { method: 'POST', effectiveMethod: 'GET' };
    }
    throw refusal('invalid_headers', [
      {
        path: 'headers.X-HTTP-Method-Override',
        message: 'only GET on a POST is forwarded; send the real method instead',
      },
    ]);
  }
  if (!FORWARDED.has(method)) {
    throw new GatewayError('method_not_allowed', `${method} is not proxied; use ${[...FORWARDED].join(', ')}.`);
  }
  return { method, effectiveMethod: method };
}
