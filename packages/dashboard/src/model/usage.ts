import type { Usage } from '../gateway/library.ts';

const DAY_MS = 24 * 3600 * 1000;

/** A day of calls: all of them; then the good ones, those that were refused, and those that failed. */
export interface UsageOfDay {
  readonly dayMs: number;
  readonly calls: number;
  readonly counts: readonly [good: number, refused: number, failed: number];
}

/** Every day of the period, those without a call too; what was counted apart is added up. */
export function usageByDay({ from, to, rows }: Usage): UsageOfDay[] {
  const days: UsageOfDay[] = [];
  for (let dayMs = Date.parse(from); dayMs <= Date.parse(to); dayMs += DAY_MS) {
    const counts: [number, number, number] = [0, 0, 0];
    for (const row of rows) {
      if (Date.parse(row.day) !== dayMs) continue;
      counts[0] += row.ok;
      counts[1] += row.providerRefused + row.rateLimited + row.gatewayRefused;
      counts[2] += row.providerFailed + row.brokenOff;
    }
    days.push({ dayMs, calls: counts[0] + counts[1] + counts[2], counts });
  }
  return days;
}
