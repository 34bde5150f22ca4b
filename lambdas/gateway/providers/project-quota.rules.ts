import type { ApiQuota } from './provider.rules.ts';

/** What differs, in the Cloud project of an integration, from what the provider gives new ones. `null` = not limited. */
export interface OwnQuota {
  /** Older Drive projects count requests, whatever their units. @default 'units' */
  readonly countedIn?: 'units' | 'requests' | undefined;
  readonly perMinute?: number | undefined;
  readonly perMinuteAndUser?: number | undefined;
  readonly perDay?: number | null | undefined;
  readonly bytesOutPerDay?: number | null | undefined;
}

/** A quota as a record holds it; what it says, `projectQuota` knows. */
export type StoredQuota = object;

/** What a Cloud project may take. */
export interface ProjectQuota extends ApiQuota {
  readonly countsRequests: boolean;
}

/**
 * The quota of a Cloud project: the provider's, but for what is known to differ. Members of another form, which a later version may have
 * written, say nothing.
 */
export function projectQuota(quota: ApiQuota | undefined, stored: StoredQuota | undefined): ProjectQuota | undefined {
  const own: Readonly<Record<string, unknown>> = { ...stored };
  const perMinute = amount(own.perMinute) ?? quota?.perMinute;
  const perMinuteAndUser = amount(own.perMinuteAndUser) ?? quota?.perMinuteAndUser;
  if (perMinute === undefined || perMinuteAndUser === undefined) return undefined;
  const ofDay = (value: unknown, most: number | undefined) => (value === null ? undefined : (amount(value) ?? most));
  const perDay = ofDay(own.perDay, quota?.perDay);
  const bytesOutPerDay = ofDay(own.bytesOutPerDay, quota?.bytesOutPerDay);
  return {
    countsRequests: own.countedIn === 'requests',
    perMinute,
    perMinuteAndUser,
    ...(perDay === undefined ? {} : { perDay }),
    ...(bytesOutPerDay === undefined ? {} : { bytesOutPerDay }),
  };
}

function amount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
