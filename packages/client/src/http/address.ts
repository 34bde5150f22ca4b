import { type QueryParams, queryText } from './query.ts';

/** Characters that must be percent-encoded because of URL parsers; the rest of an endpoint is sent unchanged. */
const NEEDS_ENCODING = /[^\x21-\x7e]|["<>^`{}]/gu;

/**
 * Address of a proxied call. Percent-encoding of the endpoint is kept byte for byte, because ids of calendars and files
 * hold encoded `#`, `@` and `/`; spaces and other characters that no URL may hold are encoded.
 *
 * @param baseUrl where proxied calls go
 * @param endpoint path at the provider with an optional query, or an address below `<baseUrl>/proxy/`
 * @param otherUrl the gateway's other address: what lies below it may be named as well
 * @throws TypeError for another address, and for what a URL parser would silently change or cut
 */
export function proxyUrl(baseUrl: string, endpoint: string, params?: QueryParams, otherUrl = baseUrl): string {
  const proxyBase = `${baseUrl}/proxy/`;
  const named = [proxyBase, `${otherUrl}/proxy/`].find((address) => endpoint.startsWith(address));
  const target = named === undefined ? endpoint.replace(/^\//, '') : endpoint.slice(named.length);
  checkTarget(target, endpoint);
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const queries = [mark < 0 ? '' : target.slice(mark + 1), queryText(params)].filter((query) => query !== '');
  const query = queries.length === 0 ? '' : `?${queries.join('&')}`;
  if (/[#\\]/.test(query)) refuse('its query holds a raw # or \\; write %23 or %5C');
  // The gateway's front door refuses a raw | there ("Amazon API Gateway important notes").
  return `${proxyBase}${encode(path)}${encode(query).replaceAll('|', '%7C')}`;
}

/** Address of a management route. @param path encoded by the caller */
export function managementUrl(baseUrl: string, path: string, params?: QueryParams): string {
  const query = queryText(params);
  return `${baseUrl}${path}${query === '' ? '' : `?${query}`}`;
}

function checkTarget(target: string, endpoint: string): void {
  if (target === '') refuse('it is empty');
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(endpoint) && target === endpoint) {
    refuse('it is a full address; leave out what stands before the path');
  }
  if (target.includes('#')) refuse('it holds a raw #, where URLs end; write %23');
  if (target.includes('\\')) refuse('it holds a backslash; write %5C');
  if (hasControlCharacter(target)) refuse('it contains control characters');
  if (/\p{Surrogate}/u.test(target)) refuse('it holds half a character (a lone surrogate)');
  if (/%(?![0-9a-f]{2})/i.test(target)) refuse('it holds a % without two hex digits; write %25');
  const path = target.split('?', 1)[0] ?? '';
  // A URL parser would resolve them, and the call would go to another resource.
  if (path.split('/').some((segment) => /^(\.|%2e){1,2}$/i.test(segment))) refuse('it contains a dot segment');
}

function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => character < ' ' || character === '\x7f');
}

function encode(text: string): string {
  return text.replace(NEEDS_ENCODING, (character) => encodeURIComponent(character));
}

function refuse(why: string): never {
  throw new TypeError(`endpoint must be a path such as /drive/v3/files, but ${why}.`);
}
