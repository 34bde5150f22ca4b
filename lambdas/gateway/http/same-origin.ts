import { GatewayError } from '../core/errors.ts';
import { type GatewayRequest, headerValue } from '../core/http-message.ts';

/**
 * Refuses a start that another site causes (CS-4). A browser reports the origin of a request with `Sec-Fetch-Site` or, in old versions,
 * with `Origin`. Other clients report nothing and have no cookies that another page could have set. A form of our own page sends the
 * origin `null`, because the page sends no referrer; then `Sec-Fetch-Site` decides.
 *
 * @throws GatewayError `forbidden`
 */
export function requireOwnPage(request: Pick<GatewayRequest, 'headers'>, baseUrl: string): void {
  const site = headerValue(request.headers, 'sec-fetch-site');
  const origin = headerValue(request.headers, 'origin');
  const isForeign =
    (origin !== undefined && origin !== 'null' && origin !== new URL(baseUrl).origin) ||
    (site === undefined ? origin === 'null' : site !== 'same-origin');
  if (isForeign)
    throw new GatewayError('forbidden', "Only the gateway's own connect page may start an authorization.", {
      forEndUser: 'foreign_page',
    });
}

/** Whether a browser reports that our own page caused this navigation; false without a report. */
export function comesFromOwnPage(request: GatewayRequest): boolean {
  return headerValue(request.headers, 'sec-fetch-site') === 'same-origin';
}
