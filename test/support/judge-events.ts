import type { LifecycleEvent } from '../../dev/local/events/bus.ts';
import { EVENTS } from '../../lambdas/gateway/openapi/event-catalog.ts';

/** Differences of events from their row of the catalogue: members that are missing, unknown, empty or have other values. */
export function misfitsOf(events: readonly Pick<LifecycleEvent, 'detail-type' | 'detail'>[]): string[] {
  const rows = Object.entries(EVENTS());
  return events.flatMap(({ 'detail-type': type, detail }) => {
    const [, row] = rows.find(([name]) => name === type) ?? [];
    if (row === undefined) return [`${type} has no row in lambdas/gateway/openapi/event-catalog.ts`];
    const { error } = row.data.strict().safeParse(detail);
    return (error?.issues ?? []).map(
      ({ path, message }) => `${type} ${path.join('.')}: ${message} in ${JSON.stringify(detail)}`,
    );
  });
}
