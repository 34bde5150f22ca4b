import { cloudProjectOf } from '../core/identifiers.ts';
import type { ApiQuota, Provider } from './provider.rules.ts';

/** Google's usage tiers of a Cloud project; `internal` is its exception for internal use ("Pricing and billing tiers", 24 November 2026). */
export const QUOTA_TIERS = ['standard', 'internal', 'scaled'] as const;
export type QuotaTier = (typeof QUOTA_TIERS)[number];

/** When limits above the Standard tier end, unless the project is in another tier (same page). */
export const HIGHER_LIMITS_END = '2027-04-01';

/** Differences of a Cloud project's quota from the provider's for new projects. `null` = unlimited. */
export interface OwnQuota {
  /** Older Drive projects count requests, whatever their units. @default 'units' */
  readonly countedIn?: 'units' | 'requests' | undefined;
  readonly perMinute?: number | undefined;
  readonly perMinuteAndUser?: number | undefined;
  readonly perDay?: number | null | undefined;
  readonly bytesOutPerDay?: number | null | undefined;
  /** As the Cloud console shows it; no API returns it. @default 'standard' */
  readonly tier?: QuotaTier | undefined;
  /** That pays for a project in the tier `scaled`. */
  readonly billingAccount?: string | undefined;
  /** First day on which the differences no longer count, such as `2027-04-01`, UTC. */
  readonly until?: string | undefined;
  /** Requests a day to the provider's MCP server. @default `TOOL_REQUESTS_PER_DAY` */
  readonly toolRequestsPerDay?: number | undefined;
  /** Keys that share them. @default `TOOL_KEYS` */
  readonly toolKeys?: number | undefined;
  /** Its project, where the integration's record names no client: the project of test credentials. */
  readonly cloudProject?: string | undefined;
}

/** A quota as stored with a record; `projectQuota` parses it. */
export type StoredQuota = object;

/** The quota of a Cloud project. */
export interface ProjectQuota extends ApiQuota {
  readonly countsRequests: boolean;
}

/**
 * The quota of a Cloud project at a moment: the provider's, with known differences as long as they hold. Members in an unknown form,
 * which a later version may have stored, are ignored.
 */
export function projectQuota(
  quota: ApiQuota | undefined,
  stored: StoredQuota | undefined,
  nowMs: number,
): ProjectQuota | undefined {
  const own = ownQuota(quota, stored);
  const endMs = quota === undefined ? undefined : endOfOwnLimits(quota, stored);
  if (quota === undefined || own === undefined || endMs === undefined || nowMs < endMs) return own;
  if (own.countsRequests) return { ...quota, countsRequests: false };
  const lower = (mine: number | undefined, standard: number | undefined) =>
    mine === undefined || standard === undefined ? (standard ?? mine) : Math.min(mine, standard);
  const perDay = lower(own.perDay, quota.perDay);
  const bytesOutPerDay = lower(own.bytesOutPerDay, quota.bytesOutPerDay);
  return {
    countsRequests: false,
    perMinute: Math.min(own.perMinute, quota.perMinute),
    perMinuteAndUser: Math.min(own.perMinuteAndUser, quota.perMinuteAndUser),
    ...(perDay === undefined ? {} : { perDay }),
    ...(bytesOutPerDay === undefined ? {} : { bytesOutPerDay }),
  };
}

function ownQuota(quota: ApiQuota | undefined, stored: StoredQuota | undefined): ProjectQuota | undefined {
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

/** The tier that an integration states. */
export function tierOf(stored: StoredQuota | undefined): QuotaTier {
  const { tier }: Readonly<Record<string, unknown>> = { ...stored };
  return QUOTA_TIERS.find((one) => one === tier) ?? 'standard';
}

/** Whether a project is set to have more a minute than the Standard tier. Requests cannot be compared with its units. */
export function hasHigherLimits(standard: ApiQuota, stored: StoredQuota | undefined): boolean {
  const own = ownQuota(standard, stored);
  if (own === undefined || own.countsRequests) return false;
  return own.perMinute > standard.perMinute || own.perMinuteAndUser > standard.perMinuteAndUser;
}

/** When own limits end: on the stated day, or where they are higher than the tier allows. Epoch milliseconds; undefined = never. */
export function endOfOwnLimits(standard: ApiQuota, stored: StoredQuota | undefined): number | undefined {
  const { until }: Readonly<Record<string, unknown>> = { ...stored };
  const statedMs = typeof until === 'string' ? Date.parse(until) : Number.NaN;
  if (!Number.isNaN(statedMs)) return statedMs;
  return lacksEnd(standard, stored) ? Date.parse(HIGHER_LIMITS_END) : undefined;
}

/** Whether limits are higher than their tier allows, and nobody has stated when they end. */
export function lacksEnd(standard: ApiQuota, stored: StoredQuota | undefined): boolean {
  const { until }: Readonly<Record<string, unknown>> = { ...stored };
  return until === undefined && tierOf(stored) === 'standard' && hasHigherLimits(standard, stored);
}

/** A Cloud project of an integration, and the quota that the integration declares. */
export interface NamedProject {
  readonly provider: string;
  readonly cloudProject: string;
  readonly quota?: StoredQuota | undefined;
}

/** The Cloud projects for which integrations declare quotas. */
export function namedProjects(
  integrations: readonly {
    readonly provider: string;
    readonly clientId: string | undefined;
    readonly quota?: StoredQuota | undefined;
  }[],
): NamedProject[] {
  return integrations.flatMap(({ provider, clientId, quota }) => {
    const { cloudProject }: Readonly<Record<string, unknown>> = { ...quota };
    const named = clientId === undefined ? cloudProject : cloudProjectOf(clientId);
    return quota === undefined || typeof named !== 'string' ? [] : [{ provider, cloudProject: named, quota }];
  });
}

/** The quota of a Cloud project for an API, as declared by one of its integrations, or else for new projects. */
export function quotaOfProject(
  named: readonly NamedProject[],
  project: NamedProject,
  given: ApiQuota | undefined,
  nowMs: number,
): ProjectQuota | undefined {
  return projectQuota(given, declaredQuota(named, project), nowMs);
}

/** What the first of a project's integrations with a quota declares; undefined without one. */
export function declaredQuota(
  named: readonly NamedProject[],
  { provider, cloudProject }: NamedProject,
): StoredQuota | undefined {
  return named.find((one) => one.provider === provider && one.cloudProject === cloudProject && one.quota !== undefined)
    ?.quota;
}

/** Projects whose own limits end, each with the end. @param standardOf the quota of a provider's new projects */
export function endingLimits(
  named: readonly NamedProject[],
  standardOf: (provider: string) => ApiQuota | undefined,
): { readonly provider: string; readonly cloudProject: string; readonly endMs: number }[] {
  const projects = new Map(named.map((one) => [JSON.stringify([one.provider, one.cloudProject]), one]));
  return [...projects.values()].flatMap((project) => {
    const { provider, cloudProject } = project;
    const standard = standardOf(provider);
    const endMs = standard && endOfOwnLimits(standard, declaredQuota(named, project));
    return endMs === undefined ? [] : [{ provider, cloudProject, endMs }];
  });
}

/** Units of a provider's most expensive list. */
export function unitsOfList({ methods = [] }: Pick<Provider, 'methods'>): number {
  return Math.max(1, ...methods.filter(([id]) => id.endsWith('.list')).map(([, , , units]) => units));
}

function amount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
