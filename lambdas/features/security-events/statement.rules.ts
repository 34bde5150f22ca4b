/**
 * Google's statements about accounts and tokens ("Protect user accounts with Cross-Account Protection"; RFC 8417, Security Event
 * Token). Pure: the signature is checked before.
 */
import { cloudProjectOf, TOKEN_IDENTIFIERS, type TokenIdentifier, tokenPrint } from '../../gateway/core/identifiers.ts';
import { SECURITY_EVENT_ID_MAX_LENGTH, SECURITY_EVENTS_PER_STATEMENT_MAX } from './limits.rules.ts';

/** Path that statements are sent to, below the gateway's address. */
export const SECURITY_EVENTS_PATH = '/inbox/google/security-events';

/** Types of events, without their address prefixes. */
export const SECURITY_EVENT_TYPES = [
  'tokens-revoked',
  'token-revoked',
  'account-disabled',
  'account-enabled',
  'account-purged',
  'sessions-revoked',
  'account-credential-change-required',
  'verification',
] as const;
export type SecurityEventType = (typeof SECURITY_EVENT_TYPES)[number];

/** Prefixes of a type's name in a statement: OAuth's events, those of RISC. */
export const EVENT_TYPE_PREFIXES = {
  oauth: 'https://schemas.openid.net/secevent/oauth/event-type/',
  risc: 'https://schemas.openid.net/secevent/risc/event-type/',
} as const;

/** The name of a type in statements and in the configuration of a stream. */
export function eventTypeUri(type: SecurityEventType): string {
  const isOfTokens = type === 'token-revoked' || type === 'tokens-revoked';
  return (isOfTokens ? EVENT_TYPE_PREFIXES.oauth : EVENT_TYPE_PREFIXES.risc) + type;
}

/** One event of a statement. */
export interface SecurityEvent {
  readonly type: SecurityEventType;
  /** Of `account-disabled`: `hijacking`, `bulk-account` or nothing. */
  readonly reason: string | undefined;
  /** `sub` of the account; undefined where it names none. */
  readonly subject: string | undefined;
  /** For `token-revoked`: print of the token that it names. */
  readonly tokenPrint: string | undefined;
  /** For `verification`: the text sent with the request for it. */
  readonly state: string | undefined;
}

/** Content of a signed statement. */
export interface StatedEvents {
  readonly jti: string;
  readonly issuedAtEpochSec: number;
  /** OAuth clients that it is addressed to. */
  readonly audience: readonly string[];
  readonly events: readonly SecurityEvent[];
  /** Number of unknown types: Google may add some. */
  readonly unknownTypes: number;
}

/** Why a signed text is no statement; a code for the log. */
export type NoStatement = 'no_events' | 'no_id' | 'no_time' | 'no_audience' | 'other_issuer';

/**
 * Reads the claims of a signed statement. `exp` is ignored, because statements describe the past (RFC 8417 section 2.2).
 *
 * @param issuer exactly as the provider's discovery document spells it
 */
export function readStatement(claims: Readonly<Record<string, unknown>>, issuer: string): StatedEvents | NoStatement {
  const { jti, iat, aud, events, iss } = claims;
  if (iss !== issuer) return 'other_issuer';
  // Distinguishes it from an ID token of the same issuer under the same keys.
  if (!isObject(events) || Object.keys(events).length === 0) return 'no_events';
  if (typeof jti !== 'string' || jti === '' || jti.length > SECURITY_EVENT_ID_MAX_LENGTH) return 'no_id';
  if (typeof iat !== 'number' || !Number.isFinite(iat) || iat <= 0) return 'no_time';
  const audience = (Array.isArray(aud) ? aud : [aud]).filter((one): one is string => typeof one === 'string');
  if (audience.length === 0) return 'no_audience';
  const entries = Object.entries(events).slice(0, SECURITY_EVENTS_PER_STATEMENT_MAX);
  const known = entries.flatMap(([uri, event]) => {
    const type = SECURITY_EVENT_TYPES.find((one) => eventTypeUri(one) === uri);
    return type === undefined ? [] : [readEvent(type, isObject(event) ? event : {})];
  });
  return {
    jti,
    issuedAtEpochSec: Math.floor(iat),
    audience,
    events: known,
    unknownTypes: entries.length - known.length,
  };
}

function readEvent(type: SecurityEventType, event: Readonly<Record<string, unknown>>): SecurityEvent {
  const named = isObject(event.subject) ? event.subject : {};
  // Token identifiers are in the subject or in the event itself.
  const token = tokenIn(named) ?? tokenIn(event);
  return {
    type,
    reason: textOf(event.reason),
    subject: textOf(named.sub),
    tokenPrint: type === 'token-revoked' && token !== undefined ? tokenPrint(token) : undefined,
    state: textOf(event.state),
  };
}

function tokenIn(place: Readonly<Record<string, unknown>>): TokenIdentifier | undefined {
  const by = TOKEN_IDENTIFIERS.find((one) => one === place.token_identifier_alg);
  const value = textOf(place.token);
  const isRefreshToken = place.token_type === undefined || place.token_type === 'refresh_token';
  return by === undefined || value === undefined || !isRefreshToken ? undefined : { by, value };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= SECURITY_EVENT_ID_MAX_LENGTH ? value : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The Cloud project of an OAuth client that a statement is addressed to; undefined for a malformed client id. */
export function projectOfAudience(clientId: string): string | undefined {
  return GOOGLE_CLIENT_ID.test(clientId) ? cloudProjectOf(clientId) : undefined;
}

/** The project's number, in newer ids followed by a name. */
const GOOGLE_CLIENT_ID = /^\d{1,20}(?:-[A-Za-z0-9_-]{1,100})?\.apps\.googleusercontent\.com$/;

/** A statement as it is kept. */
export interface Statement {
  readonly cloudProject: string;
  readonly jti: string;
  readonly issuedAtEpochSec: number;
  readonly receivedAtEpochSec: number;
  readonly event: SecurityEvent;
  /** Of a statement with several events: which. */
  readonly index: number;
}

/** Whether an event needs work in addition to its record. */
export function isToBeWorkedOn({ type, subject, tokenPrint: print }: SecurityEvent): boolean {
  return type !== 'verification' && (subject !== undefined || print !== undefined);
}
