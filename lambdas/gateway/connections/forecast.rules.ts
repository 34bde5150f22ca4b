import { type ConnectionRef, connectionRefKey } from '../core/identifiers.ts';
import {
  EXPIRY_WARNING_LEADS_SEC,
  REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT,
  REFRESH_TOKENS_WARN_FROM,
  TESTING_ANNOUNCED_TOLERANCE_SEC,
  TESTING_GRANT_LIFETIME_SEC,
  UNUSED_GRANT_LIFETIME_SEC,
} from '../core/limits.ts';
import type { Integration } from '../integrations/integration.rules.ts';
import { WHAT_FREES_NO_TOKEN } from '../providers/google/what-frees-no-token.rules.ts';
import { onlyIdentityScopes } from '../providers/scopes.rules.ts';
import type { Connection, KnownEnd } from './connection.rules.ts';

/** What is on record about how long a grant was to last. Times in epoch seconds. */
export interface GrantTerms {
  readonly grantedScopes: readonly string[];
  readonly consentedAtEpochSec: number;
  readonly lastRefreshedAtEpochSec: number | undefined;
  /** End that the provider announced with the grant (`refresh_token_expires_in`). */
  readonly refreshTokenExpiresAtEpochSec: number | undefined;
  /** The integration was declared External and in Testing when consent was given. */
  readonly testingAtConsent?: boolean | undefined;
}

/**
 * When a grant ends by itself; undefined where it does not. An announced end of about seven days means Testing, whatever the
 * integration was declared to be, because the limits that users can choose are 30 and 180 days. Without an announcement what
 * was declared counts, at consent or now: a grant made in Testing ends after publishing too. Refreshing moves no end, and a
 * refresh that succeeded after one shows that there was none.
 *
 * @param declaredTesting the integration is declared External and in Testing at present
 */
export function knownEnd(grant: GrantTerms, declaredTesting: boolean): KnownEnd | undefined {
  const end = announcedEnd(grant) ?? declaredEnd(grant, declaredTesting);
  if (end === undefined) return undefined;
  return (grant.lastRefreshedAtEpochSec ?? 0) > end.atEpochSec ? undefined : end;
}

/** Whether the provider gave this grant the seven days of an External app in Testing. */
export function isTestingGrant(
  grant: Pick<GrantTerms, 'consentedAtEpochSec' | 'refreshTokenExpiresAtEpochSec'>,
): boolean {
  const endsAt = grant.refreshTokenExpiresAtEpochSec;
  if (endsAt === undefined) return false;
  const lifeSec = endsAt - grant.consentedAtEpochSec;
  return Math.abs(lifeSec - TESTING_GRANT_LIFETIME_SEC) <= TESTING_ANNOUNCED_TOLERANCE_SEC;
}

/**
 * The end that a refresh tells of a grant of which none was known, epoch seconds; undefined where it tells nothing new. Seven
 * days are those of Testing and count from consent; anything else is what is left.
 *
 * @param announcedAtEpochSec the refresh's own announcement, counted from now
 */
export function learnedEnd(
  grant: Pick<GrantTerms, 'consentedAtEpochSec' | 'refreshTokenExpiresAtEpochSec'>,
  announcedAtEpochSec: number | undefined,
  nowEpochSec: number,
): number | undefined {
  if (announcedAtEpochSec === undefined || grant.refreshTokenExpiresAtEpochSec !== undefined) return undefined;
  const announced = { consentedAtEpochSec: nowEpochSec, refreshTokenExpiresAtEpochSec: announcedAtEpochSec };
  if (!isTestingGrant(announced)) return announcedAtEpochSec;
  const endsAt = grant.consentedAtEpochSec + (announcedAtEpochSec - nowEpochSec);
  return endsAt > nowEpochSec ? endsAt : undefined;
}

function announcedEnd(grant: GrantTerms): KnownEnd | undefined {
  const atEpochSec = grant.refreshTokenExpiresAtEpochSec;
  if (atEpochSec === undefined) return undefined;
  return { kind: isTestingGrant(grant) ? 'testing_mode' : 'time_limited_access', atEpochSec, announced: true };
}

function declaredEnd(grant: GrantTerms, declaredTesting: boolean): KnownEnd | undefined {
  const isTesting = declaredTesting || grant.testingAtConsent === true;
  // Sign-in alone is exempt.
  if (!isTesting || onlyIdentityScopes(grant.grantedScopes)) return undefined;
  const atEpochSec = grant.consentedAtEpochSec + TESTING_GRANT_LIFETIME_SEC;
  return { kind: 'testing_mode', atEpochSec, announced: false };
}

type Grant = GrantTerms & Pick<Connection, 'status' | 'expiryWarnings'>;
type AppStatus = Pick<Integration, 'publishingStatus' | 'audience'>;

/** Whether an integration is declared to be an External app in Testing. */
export function isDeclaredTesting({ publishingStatus, audience }: AppStatus): boolean {
  return publishingStatus === 'testing' && audience === 'external';
}

/** The end of a live grant that is known before it comes; undefined where there is none. */
export function expectedEnd(grant: Grant, app: AppStatus): KnownEnd | undefined {
  return grant.status === 'active' ? knownEnd(grant, isDeclaredTesting(app)) : undefined;
}

/** A warning that an end comes near; `number` counts up from 1, so that each is given once. */
export interface ExpiryWarning {
  readonly number: number;
  readonly end: KnownEnd;
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
export function expiryRemedy(end: KnownEnd): string {
  const at = new Date(end.atEpochSec * 1000).toISOString();
  return end.kind === 'testing_mode'
    ? `Google ends this grant on ${at}, seven days after consent, because it treats the app as External and in Testing. Publish the app in the Google Cloud console, then ask the user to connect again; connecting again without publishing lasts only seven more days.`
    : `The user granted access until ${at}. Ask the user to connect again before that.`;
}

/** One live refresh token of a provider account. */
export interface LiveGrant extends ConnectionRef {
  readonly clientId: string;
  readonly consentedAtEpochSec: number;
}

/** How near an account is to Google's limit of live refresh tokens under one OAuth client. */
export interface RefreshTokenLimit {
  /** Tokens that may live: each consent of the last six months made one, connections that were made again or deleted included. */
  readonly live: number;
  readonly limit: number;
  /** The connections that the next consents would silence, the next one first. */
  readonly silencedNext: readonly LiveGrant[];
}

/**
 * The limit once it is near (from 90 of 100), undefined before. Consents given to the same client elsewhere are not known here,
 * so the real number may be higher; where the user has removed the app meanwhile it is lower.
 *
 * @param consents times of the account's consents to the client, epoch seconds
 */
export function refreshTokenLimit(
  clientId: string,
  grants: readonly LiveGrant[],
  consents: readonly number[],
  nowEpochSec: number,
): RefreshTokenLimit | undefined {
  const connected = grants
    .filter((grant) => grant.clientId === clientId)
    .sort(
      (a, b) => a.consentedAtEpochSec - b.consentedAtEpochSec || connectionRefKey(a).localeCompare(connectionRefKey(b)),
    );
  // A token that nobody uses ends after six months by itself.
  const recent = consents.filter((at) => nowEpochSec - at < UNUSED_GRANT_LIFETIME_SEC).length;
  const live = Math.max(connected.length, recent);
  if (live < REFRESH_TOKENS_WARN_FROM) return undefined;
  return { live, limit: REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT, silencedNext: connected.slice(0, 3) };
}

/** What the developer is told near the limit. Names connections of the given account only. */
export function refreshTokenLimitRemedy(limit: RefreshTokenLimit, accountId: string): string {
  const ids = limit.silencedNext.filter((grant) => grant.accountId === accountId).map((grant) => grant.connectionId);
  const named = ids.length === 0 ? 'the oldest connections' : `the oldest connections, ${ids.join(', ')} first`;
  return `This Google account has up to ${limit.live} live refresh tokens under one OAuth client, one per consent; beyond ${limit.limit} Google silently ends ${named}. Reconnect existing connections instead of creating more, and have the user remove the app at myaccount.google.com/connections and connect again, which frees all of its tokens. ${WHAT_FREES_NO_TOKEN}`;
}
