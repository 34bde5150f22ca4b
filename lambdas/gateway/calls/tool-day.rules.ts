import type { StoredQuota } from '../providers/project-quota.rules.ts';
import { quotaDay } from './quota.rules.ts';

/** Requests a day to one MCP server that the provider gives a Cloud project, and how many keys share them (GA-25). */
export interface ToolDay {
  readonly perDay: number;
  readonly keys: number;
}

/** Google, "Usage limits" of its MCP servers: requests a day, project and product in the Standard tier (GA-10). */
export const TOOL_REQUESTS_PER_DAY = 5_000;
/** Keys that a day is divided among, where nothing else is set. */
export const TOOL_KEYS = 20;

/** The day of a Cloud project as an integration states it. */
export function toolDayOf(stored: StoredQuota | undefined): ToolDay {
  const { toolRequestsPerDay: perDay, toolKeys: keys }: Readonly<Record<string, unknown>> = { ...stored };
  return { perDay: positive(perDay) ?? TOOL_REQUESTS_PER_DAY, keys: positive(keys) ?? TOOL_KEYS };
}

/** Half of a day is divided evenly among the keys; the other half is first come, first served. */
export function sharesOf({ perDay, keys }: ToolDay): { readonly own: number; readonly common: number } {
  const own = Math.floor(Math.ceil(perDay / 2) / keys);
  return { own, common: perDay - own * keys };
}

/** What was used of a day: by the key of its own share, by all keys of the common half, and by all together. */
export interface UsedOfToolDay {
  readonly own: number;
  readonly common: number;
  readonly total: number;
}

/** From which part of the day a request of a key goes; undefined where it has to wait for the next day. */
export function partFor(day: ToolDay, used: UsedOfToolDay): 'own' | 'common' | undefined {
  const { own, common } = sharesOf(day);
  if (used.total >= day.perDay) return undefined;
  if (used.own < own) return 'own';
  return used.common < common ? 'common' : undefined;
}

/** Injective text of a Cloud project's day at a provider's MCP server. */
export function toolProjectId(provider: string, cloudProject: string): string {
  return `${provider}#${encodeURIComponent(cloudProject)}`;
}

const DAY_MS = 86_400_000;

/**
 * A moment as if the provider's day were one of UTC, so that counters by UTC days count it. In a day of 25 hours time passes a little more slowly:
 * counts are reported by their age, so it must not stand still.
 */
export function providerDayMs(nowMs: number): number {
  const { date, startMs, endMs } = quotaDay(nowMs);
  return Date.parse(date) + Math.floor((nowMs - startMs) * Math.min(1, DAY_MS / (endMs - startMs)));
}

function positive(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
