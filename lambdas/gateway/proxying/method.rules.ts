import { GatewayError, type Problem, refusal } from '../core/errors.ts';
import { type HeaderPairs, headerValues } from '../core/http-message.ts';

const FORWARDED = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);
/** Lower-case name of the header Google reads a method from. */
const METHOD_OVERRIDE_HEADER = 'x-http-method-override';

/** What goes upstream, and what it means there. */
export interface UpstreamMethod {
  /** Method on the wire. */
  readonly method: string;
  /** Method the provider acts on; retry rules judge by it. */
  readonly effectiveMethod: string;
}

/** What a query is sent as when it is too long for an address. */
const FORM_TYPE = 'application/x-www-form-urlencoded';

/**
 * Method of the upstream request (PX-13). The only override that passes is GET on POST: long queries sent as a form. API
 * Gateway acts on the header itself and hands it to nobody ("Amazon API Gateway important notes"), so a GET with a form is the
 * same request.
 *
 * @param moreMethods what the path takes besides the methods that every path takes
 * @throws GatewayError `method_not_allowed` or `invalid_headers`
 */
export function upstreamMethod(
  method: string,
  headers: HeaderPairs,
  hasBody: boolean,
  moreMethods: readonly string[] = [],
): UpstreamMethod {
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
  if (method === 'GET' && hasBody && contentTypes(headers).some((type) => mediaType(type) === FORM_TYPE)) {
    return { method: 'POST', effectiveMethod: 'GET' };
  }
  // Browsers ask before they send: no page may use the proxy (PR-6).
  const isPreflight = method === 'OPTIONS' && headerValues(headers, 'access-control-request-method').length > 0;
  if (isPreflight || !(FORWARDED.has(method) || moreMethods.includes(method))) {
    throw new GatewayError('method_not_allowed', `${method} is not proxied; use ${[...FORWARDED].join(', ')}.`);
  }
  return { method, effectiveMethod: method };
}

/**
 * Headers of a request whose method is known: with the override where it stands for a read, without any elsewhere. A form that
 * is a query must be readable here as Google reads it, or its keys could not be judged (PX-25).
 *
 * @throws GatewayError `invalid_headers`
 */
export function withMethodOverride(
  headers: HeaderPairs,
  { method, effectiveMethod }: UpstreamMethod,
  hasBody: boolean,
): HeaderPairs {
  const others = headers.filter(([name]) => name.toLowerCase() !== METHOD_OVERRIDE_HEADER);
  if (method === effectiveMethod) return others;
  if (hasBody) checkForm(headers);
  return [...others, [METHOD_OVERRIDE_HEADER, effectiveMethod]];
}

function checkForm(headers: HeaderPairs): void {
  const problems: Problem[] = [];
  if (headerValues(headers, 'content-encoding').some((coding) => coding.trim().toLowerCase() !== 'identity')) {
    problems.push({ path: 'headers.Content-Encoding', message: 'send a form that stands for a query unpacked' });
  }
  const [type = '', ...more] = headerValues(headers, 'content-type');
  const charset = /;\s*charset="?([^";\s]*)/i.exec(type)?.[1] ?? 'utf-8';
  if (more.length > 0 || mediaType(type) !== FORM_TYPE || charset.toLowerCase() !== 'utf-8') {
    problems.push({ path: 'headers.Content-Type', message: `send a query in a body as ${FORM_TYPE}, in UTF-8` });
  }
  if (problems.length > 0) throw refusal('invalid_headers', problems);
}

/** Under both spellings: the prefixed one is forwarded under the plain name. */
function contentTypes(headers: HeaderPairs): string[] {
  return ['content-type', 'nango-proxy-content-type'].flatMap((name) => headerValues(headers, name));
}

function mediaType(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
}
