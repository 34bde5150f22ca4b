import { type Problem, refusal } from '../core/errors.ts';
import { type HeaderPairs, headerValues } from '../core/http-message.ts';
import { REQUEST_HEADERS_MAX_BYTES, REQUEST_HEADERS_MAX_COUNT } from '../core/limits.ts';
import {
  isControl,
  isForwardableName,
  isHopByHop,
  isPlatform,
  isRivalIdentity,
  nominatedNames,
} from './header-names.rules.ts';

/** Fixed name in `Via`: says that the gateway was on the way, not who called (RFC 9110 section 7.6.3). */
export const VIA_PSEUDONYM = 'integration-gateway';

/** `Nango-Proxy-<name>` is forwarded as `<name>` and wins over a plain header of that name. */
export const OVERRIDE_PREFIX = 'nango-proxy-';
/** What a caller who sends an identity of their own is told. */
export const RIVAL_MESSAGE = "the gateway adds the connection's identity itself; remove it";
const ILLEGAL_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Headers that go to the provider, without identity and length, which the sender adds last (PX-5 to PX-12).
 *
 * @throws GatewayError `invalid_headers` naming every field that cannot be sent, or a request that already passed here
 */
export function upstreamRequestHeaders(headers: HeaderPairs): [string, string][] {
  const problems: Problem[] = [];
  checkSize(headers, problems);
  checkLoop(headers, problems);
  const nominated = nominatedNames(headerValues(headers, 'connection'));
  const overrides = new Map<string, string>();
  const plain: [string, string][] = [];
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (!isHeaderValue(value)) {
      problems.push({ path: `headers.${name}`, message: 'send Latin-1 text without line breaks or NUL' });
    } else if (nominated.has(lower)) {
      // Named by `Connection`: it was meant for this hop only, under whatever prefix.
    } else if (lower.startsWith(OVERRIDE_PREFIX)) {
      const target = lower.slice(OVERRIDE_PREFIX.length);
      // A name that other servers may read as another is dropped in every place, with or without the prefix.
      if (!isForwardableName(target)) continue;
      if (isRivalIdentity(target)) {
        problems.push({ path: `headers.${name}`, message: RIVAL_MESSAGE });
      } else if (isControl(target) || isHopByHop(target) || isPlatform(target)) {
        problems.push({ path: `headers.${name}`, message: `${target} is the gateway's to set; remove this header` });
      } else {
        overrides.set(target, value);
      }
    } else if (isRivalIdentity(lower)) {
      problems.push({ path: `headers.${name}`, message: RIVAL_MESSAGE });
    } else if (isForwardedHeader(lower)) {
      plain.push([name, value]);
    }
  }
  if (problems.length > 0) throw refusal('invalid_headers', problems);
  const kept = plain.filter(([name]) => !overrides.has(name.toLowerCase()));
  return [...kept, ...overrides, ['via', `1.1 ${VIA_PSEUDONYM}`]];
}

/** Whether a caller's header, its name in lower case, goes to the provider at all. */
export function isForwardedHeader(lower: string): boolean {
  return isForwardableName(lower) && !isHopByHop(lower) && !isControl(lower) && !isPlatform(lower);
}

/** Whether a value may stand in a header field: Latin-1 without line breaks and NUL (PX-11; RFC 9110 section 5.5). */
export function isHeaderValue(value: string): boolean {
  return !ILLEGAL_VALUE.test(value);
}

function checkSize(headers: HeaderPairs, problems: Problem[]): void {
  const bytes = headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  if (headers.length > REQUEST_HEADERS_MAX_COUNT || bytes > REQUEST_HEADERS_MAX_BYTES) {
    problems.push({
      path: 'headers',
      message: `send at most ${REQUEST_HEADERS_MAX_COUNT} headers of ${REQUEST_HEADERS_MAX_BYTES} bytes together`,
    });
  }
}

function checkLoop(headers: HeaderPairs, problems: Problem[]): void {
  if (headerValues(headers, 'via').some((value) => value.toLowerCase().includes(` ${VIA_PSEUDONYM}`))) {
    problems.push({
      path: 'headers.Via',
      message: 'this request has already passed through the gateway: it would loop',
    });
  }
}
