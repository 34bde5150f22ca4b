/** How full the provider's day is. Calls and background work read it together with rows that they need anyway. */
import type { StoredDayUse } from '../core/budget.ts';

/** The used share of a daily amount. */
export interface UsedShare {
  /** Rounded down to 0.01; 1 or more when all is used. */
  readonly share: number;
  readonly most: number;
}

/** Use of one API by a Cloud project in a provider's day, where the day has a quota. */
export interface ProjectDay {
  readonly provider: string;
  readonly cloudProject: string;
  readonly units?: UsedShare | undefined;
  readonly bytesOut?: UsedShare | undefined;
}

/** What happens to calls once a day is used up: `warn` reports it and lets them pass, `stop` refuses them. */
export const DAY_LIMITS = ['warn', 'stop'] as const;
export type DayLimit = (typeof DAY_LIMITS)[number];

/** An account's Cloud projects in a day of the provider's. */
export interface DayUse {
  /** Until then it holds: the end of the day. */
  readonly untilMs: number;
  readonly limit: DayLimit;
  readonly projects: readonly ProjectDay[];
}

/** The used share, rounded down to 0.01, so that no share is reported before it is reached. */
export function usedShare(used: number, most: number | undefined): UsedShare | undefined {
  return most === undefined ? undefined : { share: Math.floor((used / most) * 100) / 100, most };
}

/** A day's use as records hold it. */
export function storedDayUse(use: DayUse): StoredDayUse {
  const stops = use.limit === 'stop' && use.projects.some((project) => usedUpOf(project) !== undefined);
  const fullest = Math.max(0, ...use.projects.map((project) => fullnessOf(project) ?? 0));
  return { stopsUntilMs: stops ? use.untilMs : 0, fullest, use: JSON.stringify(use) };
}

/** A stored day's use; undefined where the day is over, and where a later version stored it in an unknown form. */
export function readDayUse(stored: StoredDayUse | undefined, nowMs: number): DayUse | undefined {
  const use = stored === undefined ? undefined : parsed(stored.use);
  return isDayUse(use) && use.untilMs > nowMs ? use : undefined;
}

/** A day's use of one Cloud project and API. */
export function projectDayOf(use: DayUse | undefined, provider: string, cloudProject: string): ProjectDay | undefined {
  return use?.projects.find((one) => one.provider === provider && one.cloudProject === cloudProject);
}

/** How full a project's day is: the fuller of units and bytes; undefined where neither has a quota. */
export function fullnessOf({ units, bytesOut }: ProjectDay): number | undefined {
  const shares = [units, bytesOut].flatMap((part) => (part === undefined ? [] : [part.share]));
  return shares.length === 0 ? undefined : Math.max(...shares);
}

/** Which of a project's daily quotas are used up. */
export function usedUpOf({
  units,
  bytesOut,
}: ProjectDay): { readonly kind: 'units' | 'bytes'; readonly most: number } | undefined {
  if (units !== undefined && units.share >= 1) return { kind: 'units', most: units.most };
  return bytesOut !== undefined && bytesOut.share >= 1 ? { kind: 'bytes', most: bytesOut.most } : undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function isDayUse(value: unknown): value is DayUse {
  if (!isObject(value) || !('untilMs' in value && 'limit' in value && 'projects' in value)) return false;
  const { untilMs, limit, projects } = value;
  return (
    typeof untilMs === 'number' &&
    DAY_LIMITS.some((one) => one === limit) &&
    Array.isArray(projects) &&
    projects.every(isProjectDay)
  );
}

function isProjectDay(value: unknown): value is ProjectDay {
  if (!isObject(value) || !('provider' in value && 'cloudProject' in value)) return false;
  const { provider, cloudProject, units, bytesOut }: Readonly<Record<string, unknown>> = { ...value };
  return (
    typeof provider === 'string' &&
    typeof cloudProject === 'string' &&
    [units, bytesOut].every((part) => part === undefined || isUsedShare(part))
  );
}

function isUsedShare(value: unknown): value is UsedShare {
  const { share, most }: Readonly<Record<string, unknown>> = { ...(isObject(value) ? value : {}) };
  return typeof share === 'number' && typeof most === 'number';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
