import { cloudProjectOf } from '../core/identifiers.ts';
import type { ApiQuota, Provider } from './provider.rules.ts';

/** Differences of a Cloud project's quota from the provider's for new projects. `null` = unlimited. */
export interface OwnQuota {
  /** Older Drive projects count requests, whatever their units. @default 'units' */
  readonly countedIn?: 'units' | 'requests' | undefined;
  readonly perMinute?: number | undefined;
  readonly perMinuteAndUser?: number | undefined;
  readonly perDay?: number | null | undefined;
  readonly bytesOutPerDay?: number | null | undefined;
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
 * The quota of a Cloud project: the provider's, with known differences. Members in an unknown form, which a later version may have
 * stored, are ignored.
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
  { provider, cloudProject }: NamedProject,
  given: ApiQuota | undefined,
): ProjectQuota | undefined {
  const own = named.find(
    (one) => one.provider === provider && one.cloudProject === cloudProject && one.quota !== undefined,
  );
  return projectQuota(given, own?.quota);
}

/** Units of a provider's most expensive list. */
export function unitsOfList({ methods = [] }: Pick<Provider, 'methods'>): number {
  return Math.max(1, ...methods.filter(([id]) => id.endsWith('.list')).map(([, , , units]) => units));
}

function amount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
