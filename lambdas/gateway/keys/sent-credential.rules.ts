import { GatewayError, refusal } from '../core/errors.ts';
import { type HeaderPairs, headerValues } from '../core/http-message.ts';

/**
 * The `Authorization` that an assistant sends: once, and in every request.
 *
 * @throws GatewayError `missing_auth_header`, `invalid_headers`
 */
export function sentAuthorization(headers: HeaderPairs): string {
  const [authorization, ...others] = headerValues(headers, 'authorization');
  if (authorization === undefined) {
    throw new GatewayError('missing_auth_header', 'Send an agent key (ak_…) as Authorization: Bearer <AGENT_KEY>.');
  }
  if (others.length > 0) throw refusal('invalid_headers', [{ path: 'headers.Authorization', message: 'send it once' }]);
  return authorization;
}
