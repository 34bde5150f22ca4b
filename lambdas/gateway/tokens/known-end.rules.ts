import { TESTING_ANNOUNCED_TOLERANCE_SEC, TESTING_GRANT_LIFETIME_SEC } from '../core/limits.ts';
import { onlyIdentityScopes } from '../providers/scopes.rules.ts';

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

/** A moment at which a grant ends by itself. */
export interface KnownEnd {
  /** `testing_mode`: External app in Testing, seven days after consent. `time_limited_access`: the end the user chose. */
  readonly kind: 'testing_mode' | 'time_limited_access';
  readonly atEpochSec: number;
  /** The provider said so when it gave the grant; else it follows from what the developer declared. */
  readonly announced: boolean;
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
