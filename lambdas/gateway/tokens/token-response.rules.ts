import type { TokenSet } from '../connections/connection.rules.ts';
import {
  ANNOUNCED_LIFETIME_MAX_SEC,
  GRANTED_SCOPE_MAX_BYTES,
  TOKEN_LIFETIME_DEFAULT_SEC,
  TOKEN_LIFETIME_MAX_SEC,
  TOKEN_MAX_BYTES,
} from '../core/limits.ts';
import { type AuthorizationServer, tokenErrorMeaning } from '../providers/authorization-server.rules.ts';
import { parseScopes } from '../providers/scopes.rules.ts';

/**
 * Judges the answer of a token endpoint (RFC 6749 sections 5.1 and 5.2, and the server's definition). Sending is elsewhere, so every
 * rule here is tested without a network. `error` decides, but a 5xx or 429 is always transient.
 */

/** A complete HTTP answer of a token endpoint. */
export interface TokenHttpResponse {
  readonly status: number;
  readonly body: string;
  /** Value of Retry-After, as sent. */
  readonly retryAfter: string | undefined;
}

export type TokenJudgement =
  | { readonly kind: 'tokens'; readonly tokens: TokenSet }
  | {
      readonly kind: 'dead_grant';
      readonly error: string;
      readonly subtype: string | undefined;
      readonly description: string | undefined;
    }
  | { readonly kind: 'client_fault'; readonly error: string; readonly description: string | undefined }
  /** Refused for a reason that ends nothing and is not the client's: it concerns only the token that was sent. */
  | { readonly kind: 'refused'; readonly error: string; readonly description: string | undefined }
  | { readonly kind: 'transient'; readonly reason: string; readonly retryAfterSec: number | undefined };

type TokenRules = Pick<AuthorizationServer, 'tokens'>;

/**
 * Classifies an answer: only the dead-grant rows may end a connection (TK-3), only the closed list of client faults concerns
 * the integration, and every other refusal belongs to the connection that got it (TK-4).
 */
export function judgeTokenResponse(
  response: TokenHttpResponse,
  nowEpochSec: number,
  server: TokenRules,
): TokenJudgement {
  const json = parseObject(response.body);
  const holdsError = server.tokens.errorsWith200 === true && errorCode(json?.error) !== undefined;
  if (response.status === 200 && !holdsError) {
    const tokens = json === undefined ? undefined : readTokens(json, nowEpochSec, server);
    return tokens === undefined
      ? { kind: 'transient', reason: 'unusable_token_response', retryAfterSec: undefined }
      : { kind: 'tokens', tokens };
  }
  const error = errorCode(json?.error);
  const refused = holdsError || (response.status >= 400 && response.status < 500 && response.status !== 429);
  const meaning = error === undefined ? undefined : tokenErrorMeaning(error, server);
  if (!refused || error === undefined || meaning === 'transient') {
    return {
      kind: 'transient',
      reason: error ?? `http_${response.status}`,
      retryAfterSec: parseRetryAfter(response.retryAfter, nowEpochSec),
    };
  }
  const description = text(json?.error_description);
  if (meaning === 'dead_grant') {
    return { kind: 'dead_grant', error, subtype: errorCode(json?.error_subtype), description };
  }
  return { kind: meaning === 'client_fault' ? 'client_fault' : 'refused', error, description };
}

/** Seconds to wait from a Retry-After value (RFC 9110 section 10.2.3), bounded to one day; undefined when absent or malformed. */
export function parseRetryAfter(value: string | undefined, nowEpochSec: number): number | undefined {
  if (value === undefined) return undefined;
  const trimmed = value.trim();
  if (/^\d{1,9}$/.test(trimmed)) return Math.min(Number(trimmed), 86_400);
  if (!/^[A-Z][a-z]{2}, /.test(trimmed)) return undefined;
  const atMs = Date.parse(trimmed);
  if (Number.isNaN(atMs)) return undefined;
  return Math.min(Math.max(Math.ceil(atMs / 1000) - nowEpochSec, 0), 86_400);
}

function readTokens(json: Record<string, unknown>, nowEpochSec: number, { tokens }: TokenRules): TokenSet | undefined {
  const accessToken = text(json.access_token);
  if (accessToken === undefined || !isHeaderSafe(accessToken) || accessToken.length > TOKEN_MAX_BYTES) return undefined;
  if (typeof json.token_type !== 'string' || json.token_type.toLowerCase() !== 'bearer') return undefined;
  const lifetimeSec = readLifetime(json.expires_in, tokens.lifetimeSec);
  if (lifetimeSec === undefined) return undefined;
  const refreshToken =
    json.refresh_token === undefined || json.refresh_token === null ? undefined : text(json.refresh_token);
  if (json.refresh_token !== undefined && json.refresh_token !== null && refreshToken === undefined) return undefined;
  if (refreshToken !== undefined && Buffer.byteLength(refreshToken) > TOKEN_MAX_BYTES) return undefined;
  const scope = json.scope ?? '';
  if (typeof scope !== 'string' || Buffer.byteLength(scope) > GRANTED_SCOPE_MAX_BYTES) return undefined;
  const limitSec = json.refresh_token_expires_in;
  return {
    accessToken,
    refreshToken,
    accessTokenExpiresAtEpochSec: nowEpochSec + lifetimeSec,
    grantedScopes: scope === '' ? undefined : parseScopes(scope),
    refreshTokenExpiresAtEpochSec:
      tokens.announcesEnd === true &&
      typeof limitSec === 'number' &&
      limitSec > 0 &&
      limitSec <= ANNOUNCED_LIFETIME_MAX_SEC
        ? nowEpochSec + Math.floor(limitSec)
        : undefined,
    idToken: text(json.id_token),
  };
}

function readLifetime(value: unknown, standardSec = TOKEN_LIFETIME_DEFAULT_SEC): number | undefined {
  if (value === undefined || value === null) return standardSec;
  const seconds = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds < 1) return undefined;
  return Math.min(Math.floor(seconds), TOKEN_LIFETIME_MAX_SEC);
}

function parseObject(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** An error code in the characters of RFC 6749 section 5.2 and of bounded length, because codes are stored and logged. */
function errorCode(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\x20\x21\x23-\x5b\x5d-\x7e]{1,100}$/.test(value) ? value : undefined;
}

function isHeaderSafe(value: string): boolean {
  return /^[\x21-\x7e]+$/.test(value);
}
