import { type HeaderList, jsonResponse, type SimResponse } from '../http/exchange.ts';

const NO_STORE: HeaderList = [
  ['Cache-Control', 'no-cache, no-store, max-age=0, must-revalidate'],
  ['Pragma', 'no-cache'],
  ['X-Content-Type-Options', 'nosniff'],
];

/** A refusal of the token or revocation endpoint (RFC 6749 5.2; Google's texts). */
export interface OAuthRefusal {
  status: number;
  error: string;
  error_description?: string;
  error_subtype?: string;
}

/** True for a refusal. */
export function isRefusal(value: object): value is OAuthRefusal {
  return 'error' in value && 'status' in value;
}

/** Sends a refusal as Google does: JSON, never cached. */
export function refusalResponse({ status, ...body }: OAuthRefusal): SimResponse {
  return jsonResponse(status, body, NO_STORE);
}

/** Sends a JSON success that must not be cached. */
export function secretJson(value: unknown): SimResponse {
  return jsonResponse(200, value, NO_STORE);
}

/** `invalid_grant`, by default with the text Google uses for most of its causes. */
export function invalidGrant(description = 'Bad Request'): OAuthRefusal {
  return { status: 400, error: 'invalid_grant', error_description: description };
}

/** A client that Google has disabled, no matter whose token comes with it. */
export const DISABLED_CLIENT: OAuthRefusal = {
  status: 401,
  error: 'disabled_client',
  error_description: 'The OAuth client was disabled.',
};
