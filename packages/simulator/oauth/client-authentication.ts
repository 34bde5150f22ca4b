import { timingSafeEqual } from 'node:crypto';
import { headerValue, type SimRequest } from '../http/exchange.ts';
import { sha256Hex } from '../random.ts';
import type { ClientRecord } from '../state/records.ts';
import type { SimulatorState } from '../state/store.ts';
import { DISABLED_CLIENT, type OAuthRefusal } from './oauth-response.ts';

interface Credentials {
  clientId: string;
  clientSecret: string;
}

/** Reads HTTP Basic client credentials (RFC 6749 2.3.1: both halves form-encoded); `undefined` when there are none. */
export function readBasicCredentials(authorization: string | undefined): Credentials | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  if (colon === -1) return undefined;
  try {
    const decode = (half: string) => decodeURIComponent(half.replaceAll('+', ' '));
    return { clientId: decode(pair.slice(0, colon)), clientSecret: decode(pair.slice(colon + 1)) };
  } catch {
    return undefined;
  }
}

/** Client id a token request names, whether or not its secret is right. */
export function claimedClientId(http: Pick<SimRequest, 'headers'>, form: URLSearchParams): string | undefined {
  return (
    readBasicCredentials(headerValue(http.headers, 'authorization'))?.clientId ?? form.get('client_id') ?? undefined
  );
}

function secretMatches(client: ClientRecord, secret: string): boolean {
  return timingSafeEqual(Buffer.from(sha256Hex(secret)), Buffer.from(client.secretSha256));
}

/** Authenticates the client by body or Basic header, exactly one of the two (RFC 6749 2.3). */
export function authenticateClient(
  state: SimulatorState,
  http: SimRequest,
  form: URLSearchParams,
): ClientRecord | OAuthRefusal {
  const basic = readBasicCredentials(headerValue(http.headers, 'authorization'));
  if (basic !== undefined && form.has('client_secret')) {
    const error_description = 'Use only one way of client authentication.';
    return { status: 400, error: 'invalid_request', error_description };
  }
  const clientId = claimedClientId(http, form);
  if (clientId === undefined) {
    const error_description = 'Could not determine client ID from request.';
    return { status: 400, error: 'invalid_request', error_description };
  }
  const client = state.clients.get(clientId);
  if (client === undefined) {
    return { status: 401, error: 'invalid_client', error_description: 'The OAuth client was not found.' };
  }
  if (client.deleted) {
    return { status: 401, error: 'deleted_client', error_description: 'The OAuth client was deleted.' };
  }
  if (client.disabled === true) return DISABLED_CLIENT;
  const secret = basic?.clientSecret ?? form.get('client_secret');
  if (secret === null) {
    return { status: 400, error: 'invalid_request', error_description: 'client_secret is missing.' };
  }
  return secretMatches(client, secret)
    ? client
    : { status: 401, error: 'invalid_client', error_description: 'The provided client secret is invalid.' };
}
