import type { Connection } from './connection.ts';
import { type ConnectionRef, connectionRefKey } from './identifiers.ts';
import type { Integration } from './integration.ts';
import {
  EXPIRY_WARNING_LEADS_SEC,
  REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT,
  REFRESH_TOKENS_WARN_FROM,
  TESTING_GRANT_LIFETIME_SEC,
} from './limits.ts';
import { onlyIdentityScopes } from './scopes.ts';

/** A grant's end that is known before it comes. */
export interface ExpectedEnd {
  /** `testing_mode`: External app in Testing, seven days after consent. `time_limited_access`: the end the user chose. */
  readonly kind: 'testing_mode' | 'time_limited_access';
  readonly atEpochSec: number;
}

type Grant = Pick<
  Connection,
  'status' | 'grantedScopes' | 'consentedAtEpochSec' | 'refreshTokenExpiresAtEpochSec' | 'expiryWarnings'
>;
type AppStatus = Pick<Integration, 'publishingStatus' | 'audience'>;

/** When an External app in Testing loses this grant; undefined where the rule does not apply. Refreshing moves nothing. */
export function testingModeEnd(grant: Grant, app: AppStatus): number | undefined {
  const applies =
    grant.status === 'active' &&
    app.publishingStatus === 'testing' &&
    app.audience === 'external' &&
    !onlyIdentityScopes(grant.grantedScopes);
  return applies ? grant.consentedAtEpochSec + TESTING_GRANT_LIFETIME_SEC : undefined;
}

/** The end the user chose when granting; undefined for a grant without one. */
export function timeLimitedEnd(grant: Grant): number | undefined {
  return grant.status === 'active' ? grant.refreshTokenExpiresAtEpochSec : undefined;
}

/** The first known end of a live grant. */
export function expectedEnd(grant: Grant, app: AppStatus): ExpectedEnd | undefined {
  const testing = testingModeEnd(grant, app);
  const limited = timeLimitedEnd(grant);
  if (testing !== undefined && (limited === undefined || testing <= limited)) {
    return { kind: 'testing_mode', atEpochSec: testing };
  }
  return limited === undefined ? undefined : { kind: 'time_limited_access', atEpochSec: limited };
}

/** A warning that an end comes near; `number` counts up from 1, so that each is given once. */
export interface ExpiryWarning {
  readonly number: number;
  readonly end: ExpectedEnd;
}

/** The warning to give now: two days and one day ahead of the end, once each. One that was missed is not made up for. */
export function expiryWarningDue(grant: Grant, app: AppStatus, nowEpochSec: number): ExpiryWarning | undefined {
  const end = expectedEnd(grant, app);
  if (end === undefined || end.atEpochSec <= nowEpochSec) return undefined;
  const number = EXPIRY_WARNING_LEADS_SEC.filter((leadSec) => end.atEpochSec - leadSec <= nowEpochSec).length;
  return number > (grant.expiryWarnings ?? 0) ? { number, end } : undefined;
}

/** When the next warning is to be given, so that the schedule looks at the connection then; undefined for none. */
export function nextWarningAt(grant: Grant, app: AppStatus, nowEpochSec: number): number | undefined {
  const end = expectedEnd(grant, app);
  if (end === undefined) return undefined;
  return EXPIRY_WARNING_LEADS_SEC.map((leadSec) => end.atEpochSec - leadSec).find((at) => at > nowEpochSec);
}

/** What the person who can act is told about a coming end. */
export function expiryRemedy(end: ExpectedEnd): string {
  const at = new Date(end.atEpochSec * 1000).toISOString();
  return end.kind === 'testing_mode'
    ? `Google ends this grant on ${at}, because the app is External and in Testing. Publish the app in the Google Cloud console, then ask the user to connect again; connecting again alone lasts seven more days.`
    : `The user granted access until ${at}. Ask the user to connect again before that.`;
}

/** One live refresh token of a provider account. */
export interface LiveGrant extends ConnectionRef {
  readonly clientId: string;
  readonly consentedAtEpochSec: number;
}

/** How near an account is to Google's limit of live refresh tokens under one OAuth client. */
export interface RefreshTokenLimit {
  readonly live: number;
  readonly limit: number;
  /** The connections that the next consents would silence, the next one first. */
  readonly silencedNext: readonly LiveGrant[];
}

/**
 * The limit once it is near (from 90 of 100), undefined before. Counts this gateway's live connections only: consents
 * given to the same client elsewhere are not known here, so the real number may be higher.
 */
export function refreshTokenLimit(clientId: string, grants: readonly LiveGrant[]): RefreshTokenLimit | undefined {
  const live = grants
    .filter((grant) => grant.clientId === clientId)
    .sort(
      (a, b) => a.consentedAtEpochSec - b.consentedAtEpochSec || connectionRefKey(a).localeCompare(connectionRefKey(b)),
    );
  if (live.length < REFRESH_TOKENS_WARN_FROM) return undefined;
  return { live: live.length, limit: REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT, silencedNext: live.slice(0, 3) };
}

/** What the developer is told near the limit. Names connections of the given account only. */
export function refreshTokenLimitRemedy(limit: RefreshTokenLimit, accountId: string): string {
  const ids = limit.silencedNext.filter((grant) => grant.accountId === accountId).map((grant) => grant.connectionId);
  const named = ids.length === 0 ? 'the oldest connections' : `the oldest connections, ${ids.join(', ')} first`;
  return `This Google account has at least ${limit.live} live refresh tokens under one OAuth client; beyond ${limit.limit} Google silently ends ${named}. Delete connections that are no longer used.`;
}
