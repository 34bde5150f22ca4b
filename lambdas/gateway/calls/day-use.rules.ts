/** How full the provider's day is, as calls and background work read it alongside what they read already. */
import type { StoredDayUse } from '../core/budget.ts';

/** What is used of an amount that a day has. */
export interface UsedShare {
  /** Rounded down to hundredths; 1 and more: all of it. */
  readonly share: number;
  readonly most: number;
}

/** What the calls of a Cloud project have taken of one API in a day of the provider's, where the day has an end. */
export interface ProjectDay {
  readonly provider: string;
  readonly cloudProject: string;
  readonly units?: UsedShare | undefined;
  readonly bytesOut?: UsedShare | undefined;
}

/** What becomes of calls once a day is used up: `warn` reports it and lets them pass, `stop` refuses them. */
export const DAY_LIMITS = ['warn', 'stop'] as const;
export type DayLimit = (typeof DAY_LIMITS)[number];

/** An account's Cloud projects in a day of the provider's. */
export interface DayUse {
  /** Until then it holds: the end of the day. */
  readonly untilMs: number;
  readonly limit: DayLimit;
  readonly projects: readonly ProjectDay[];
}

/** As hundredths of what a day has, rounded down: a share that is not reached is never said to be. */
export function usedShare(used: number, most: number | undefined): UsedShare | undefined {
  return most === undefined ? undefined : { share: Math.floor((used / most) * 100) / 100, most };
}

/** A day's use as records hold it. */
export function storedDayUse(use: DayUse): StoredDayUse {
  const stops = use.limit === 'stop' && use.projects.some((project) => spentOf(project) !== undefined);
  const fullest = Math.max(0, ...use.projects.map((project) => fullnessOf(project) ?? 0));
  return { stopsUntilMs: stops ? use.untilMs : 0, fullest, use: JSON.stringify(use) };
}

/** A stored day's use; undefined where it is over, and where a later version wrote it in a form that this one does not know. */
export function readDayUse(stored: StoredDayUse | undefined, nowMs: number): DayUse | undefined {
  const use = stored === undefined ? undefined : parsed(stored.use);
  return isDayUse(use) && use.untilMs > nowMs ? use : undefined;
}

/** What a day's use says of one Cloud project and API. */
export function projectDayOf(use: DayUse | undefined, provider: string, cloudProject: string): ProjectDay | undefined {
  return use?.projects.find((one) => one.provider === provider && one.cloudProject === cloudProject);
}

/** How full a project's day is: the fuller of units and bytes; undefined where neither has an end. */
export function fullnessOf({ units, bytesOut }: ProjectDay): number | undefined {
  const shares = [units, bytesOut].flatMap((part) => (part === undefined ? [] : [part.share]));
  return shares.length === 0 ? undefined : Math.max(...shares);
}

/** What of a project's day is used up. */
export function spentOf({
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
