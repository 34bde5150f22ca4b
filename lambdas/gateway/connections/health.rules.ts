import { type ConnectionRef, connectionRefKey } from '../core/identifiers.ts';
import {
  ENDS_SOON_SEC,
  EXPIRY_WARNING_LEADS_SEC,
  LOOK_AFTER_END_SEC,
  REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT,
  REFRESH_TOKENS_WARN_FROM,
  TESTING_ANNOUNCED_TOLERANCE_SEC,
  TESTING_GRANT_LIFETIME_SEC,
  UNUSED_GRANT_LIFETIME_SEC,
} from '../core/limits.ts';
import type { Integration } from '../integrations/integration.rules.ts';
import { WHAT_FREES_NO_TOKEN } from '../providers/google/what-frees-no-token.rules.ts';
import { onlyIdentityScopes } from '../providers/scopes.rules.ts';
import type { CallFault, Connection, KnownEnd, ListedEnd, ListedFacts } from './connection.rules.ts';

/** The health of a connection, in one word. */
export const HEALTH_STATUSES = [
  'active',
  'not_used_yet',
  'failing',
  'ends_soon',
  'refused_by_provider',
  'client_refused',
  'dead',
] as const;
export type HealthStatus = (typeof HEALTH_STATUSES)[number];

/** Health of connections whose calls work, as far as known, including those that end soon. */
const WORKING: readonly HealthStatus[] = ['active', 'not_used_yet', 'ends_soon'];

/** Filters of lists: one health, or all that work. */
export const HEALTH_FILTERS = [...HEALTH_STATUSES, 'working'] as const;
export type HealthFilter = (typeof HEALTH_FILTERS)[number];

/** Whether a health matches a filter. */
export function hasHealth(status: HealthStatus, wanted: HealthFilter): boolean {
  return wanted === 'working' ? WORKING.includes(status) : status === wanted;
}

/** Whether a connection works, and why not. */
export interface ConnectionHealth {
  readonly status: HealthStatus;
  /** Cause of the death, the provider's reason, the token endpoint's error about client or connection, or why the grant ends. */
  readonly reason: string | undefined;
  /** For a death: whether the cause is certain. */
  readonly certain: boolean | undefined;
  readonly sinceEpochSec: number | undefined;
  /** Known end of the grant, if it is near. */
  readonly endsAtEpochSec: number | undefined;
}

/** Reasons of a 403 that concern the connection as a whole, not the file or calendar of one call (Google, "Resolve errors"). */
const REASONS_OF_CONNECTION = new Set<string | undefined>([
  'accessNotConfigured',
  'authError',
  'domainPolicy',
  'insufficientPermissions',
  'insufficientScopes',
  'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
  'SERVICE_DISABLED',
]);

/** Whether an answer of the provider's API refuses the connection itself instead of the file or calendar of one call. */
export function refusesConnection(status: number, reason: string | undefined): boolean {
  if (status === 401) return true;
  return status === 403 && REASONS_OF_CONNECTION.has(reason);
}

/** The members of a connection, or of its list entry, that determine its health. */
export interface HealthSubject {
  readonly status: string;
  readonly cause: string | undefined;
  readonly callFault?: CallFault | undefined;
  /** Undefined where it is not known. */
  readonly facts: ListedFacts | undefined;
}

/** The members of an integration that determine the health of its connections. */
export type HealthContext = Pick<Integration, 'clientFault' | 'publishingStatus' | 'audience'>;

/** When a connection was made, epoch seconds. */
function madeAt({ createdAt }: Pick<Connection, 'createdAt'>): number {
  return Math.floor(Date.parse(createdAt) / 1000);
}

/** Whether a connection was used since its creation: initially its row has the second of its creation as last use. */
export function isUsed(connection: Pick<Connection, 'createdAt' | 'lastUsedAtEpochSec'>): boolean {
  return (connection.lastUsedAtEpochSec ?? 0) > madeAt(connection);
}

/**
 * The second of a use as stored: always later than the creation, which an unused row contains. So a call in the first second counts,
 * and one of a process whose clock lags.
 *
 * @returns epoch seconds
 */
export function useAt(connection: Pick<Connection, 'createdAt'>, nowEpochSec: number): number {
  return Math.max(nowEpochSec, madeAt(connection) + 1);
}

/** A connection's facts in lists. */
export function listedFactsOf(connection: Omit<Connection, 'death'> & Partial<Pick<Connection, 'death'>>): ListedFacts {
  const { death, refreshRefusal: refusal } = connection;
  const end = knownEnd(connection, false);
  return {
    isUsed: isUsed(connection),
    end: end === undefined ? undefined : { kind: end.kind, atEpochSec: end.atEpochSec },
    endIfTestingEpochSec: end === undefined ? knownEnd(connection, true)?.atEpochSec : undefined,
    limitWarned: connection.limitWarned === true,
    death:
      death === undefined
        ? undefined
        : { certain: death.certain, sinceEpochSec: Math.floor(Date.parse(death.since) / 1000) },
    refusal:
      refusal?.toldAtEpochSec === undefined
        ? undefined
        : { error: refusal.error, sinceEpochSec: refusal.sinceEpochSec },
  };
}

/** A connection in the form of its list entry. */
export function healthSubjectOf(connection: Connection): HealthSubject {
  const { status, death, callFault } = connection;
  return { status, cause: death?.cause, callFault, facts: listedFactsOf(connection) };
}

/** The known end of an active grant, from the facts in lists. */
export function listedEnd({ status, facts }: HealthSubject, app: HealthContext | undefined): ListedEnd | undefined {
  if (status !== 'active' || facts === undefined) return undefined;
  const { end, endIfTestingEpochSec: atEpochSec } = facts;
  if (atEpochSec === undefined || app === undefined || !isDeclaredTesting(app)) return end;
  return { kind: 'testing_mode', atEpochSec };
}

/**
 * The health of a connection. Reasons that stop every call come first: a dead grant, a refused client, tokens that are not renewed,
 * refused calls; then a coming end.
 *
 * @param integration undefined where it is deleted
 */
export function healthOf(
  subject: HealthSubject,
  integration: HealthContext | undefined,
  nowEpochSec: number,
): ConnectionHealth {
  const { status, cause, callFault, facts } = subject;
  const nothing = { reason: undefined, certain: undefined, sinceEpochSec: undefined, endsAtEpochSec: undefined };
  if (status !== 'active') {
    return { ...nothing, status: 'dead', reason: cause ?? 'unknown', ...facts?.death };
  }
  if (integration?.clientFault !== undefined) {
    const { error, sinceEpochSec } = integration.clientFault;
    return { ...nothing, status: 'client_refused', reason: error, sinceEpochSec };
  }
  if (facts?.refusal !== undefined) {
    const { error, sinceEpochSec } = facts.refusal;
    return { ...nothing, status: 'refused_by_provider', reason: error, sinceEpochSec };
  }
  if (callFault !== undefined) {
    const { reason, status: answered, sinceEpochSec } = callFault;
    return { ...nothing, status: 'failing', reason: reason ?? String(answered), sinceEpochSec };
  }
  const end = listedEnd(subject, integration);
  if (end !== undefined && end.atEpochSec - nowEpochSec <= ENDS_SOON_SEC) {
    return { ...nothing, status: 'ends_soon', reason: end.kind, endsAtEpochSec: end.atEpochSec };
  }
  return { ...nothing, status: facts === undefined || facts.isUsed ? 'active' : 'not_used_yet' };
}

/** The health of a connection in its one word, as its events carry it. @param integration as in `healthOf` */
export function healthWord(
  connection: Connection,
  integration: HealthContext | undefined,
  nowEpochSec: number,
): HealthStatus {
  return healthOf(healthSubjectOf(connection), integration, nowEpochSec).status;
}

/** Recorded terms of a grant. Times in epoch seconds. */
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
 * integration declares, because users can choose 30 or 180 days. Without an announcement the declaration counts, at consent or now: a
 * grant made in Testing ends after publishing, too. Refreshing moves no end, and a successful refresh after an end refutes it.
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
 * The end that a refresh reveals of a grant without a known one, epoch seconds; undefined where it reveals nothing new. Seven
 * days belong to Testing and count from consent; other values are the remaining time.
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
  // Grants for sign-in only are exempt.
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

/** The known end of an active grant; undefined without one. */
export function expectedEnd(grant: Grant, app: AppStatus): KnownEnd | undefined {
  return grant.status === 'active' ? knownEnd(grant, isDeclaredTesting(app)) : undefined;
}

/** A warning about a coming end; `number` counts up from 1, so that each is given once. */
export interface ExpiryWarning {
  readonly number: number;
  readonly end: KnownEnd;
}

/** The warning to give now: two days and one day ahead of the end, once each. A missed warning is not given later. */
export function expiryWarningDue(grant: Grant, app: AppStatus, nowEpochSec: number): ExpiryWarning | undefined {
  const end = expectedEnd(grant, app);
  if (end === undefined || end.atEpochSec <= nowEpochSec) return undefined;
  const number = EXPIRY_WARNING_LEADS_SEC.filter((leadSec) => end.atEpochSec - leadSec <= nowEpochSec).length;
  return number > (grant.expiryWarnings ?? 0) ? { number, end } : undefined;
}

/**
 * When the schedule must look at a grant, whatever else is due: at its next warning, and a few minutes after its end, which a
 * refresh then confirms or refutes. The end in Testing mode counts, too, because an app may be in Testing although
 * its integration does not declare it.
 *
 * @returns epoch seconds; undefined where neither lies ahead
 */
export function nextLookAt(grant: Grant, app: AppStatus, nowEpochSec: number): number | undefined {
  if (grant.status !== 'active') return undefined;
  const warnedOf = expectedEnd(grant, app);
  const end = warnedOf ?? knownEnd(grant, true);
  if (end === undefined) return undefined;
  const warnings = warnedOf === undefined ? [] : EXPIRY_WARNING_LEADS_SEC.map((leadSec) => end.atEpochSec - leadSec);
  return [...warnings, end.atEpochSec + LOOK_AFTER_END_SEC].find((at) => at > nowEpochSec);
}

/** The remedy for a coming end, for the person who can act. */
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

/** How close an account is to Google's limit of live refresh tokens under one OAuth client. */
export interface RefreshTokenLimit {
  /** Tokens that may be alive: each consent of the last six months created one, including those of replaced and deleted connections. */
  readonly live: number;
  readonly limit: number;
  /** The connections whose tokens the next consents would end, the next one first. */
  readonly silencedNext: readonly LiveGrant[];
}

/**
 * The limit once it is near (from 90 of 100), undefined before. Consents given to the same client elsewhere are unknown here,
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
  // An unused token ends by itself after six months.
  const recent = consents.filter((at) => nowEpochSec - at < UNUSED_GRANT_LIFETIME_SEC).length;
  const live = Math.max(connected.length, recent);
  if (live < REFRESH_TOKENS_WARN_FROM) return undefined;
  return { live, limit: REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT, silencedNext: connected.slice(0, 3) };
}

/** The remedy near the limit, for the developer. Names only connections of the given account. */
export function refreshTokenLimitRemedy(limit: RefreshTokenLimit, accountId: string): string {
  const ids = limit.silencedNext.filter((grant) => grant.accountId === accountId).map((grant) => grant.connectionId);
  const named = ids.length === 0 ? 'the oldest connections' : `the oldest connections, ${ids.join(', ')} first`;
  return `This Google account has up to ${limit.live} live refresh tokens under one OAuth client, one per consent; beyond ${limit.limit} Google silently ends ${named}. Reconnect existing connections instead of creating more, and have the user remove the app at myaccount.google.com/connections and connect again, which frees all of its tokens. ${WHAT_FREES_NO_TOKEN}`;
}
