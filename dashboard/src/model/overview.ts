import type { EndingConnection } from '../gateway/library.ts';
import { DAY_MS, startOfDay } from './time.ts';

/** How many connections end on each of the coming days, today and what is overdue first. */
export function endsByDay(
  ends: readonly EndingConnection[],
  days: number,
  nowMs: number,
): readonly { readonly dayMs: number; readonly count: number }[] {
  const today = startOfDay(nowMs);
  return Array.from({ length: days + 1 }, (_, offset) => {
    const dayMs = today + offset * DAY_MS;
    const count = ends.filter(({ endsAt }) => Math.max(startOfDay(Date.parse(endsAt)), today) === dayMs).length;
    return { dayMs, count };
  });
}

/** Of which connections a picture is that needs them in full. */
export function detailText({
  connections,
  inDetail,
}: {
  readonly connections: number;
  readonly inDetail: number;
}): string {
  return inDetail < connections ? `the ${inDetail} newest` : 'all';
}
