import { NOTHING_COUNTED, newCensus, tallyOf } from '../../../../lambdas/gateway/connections/census.rules.ts';
import { healthSubjectOf } from '../../../../lambdas/gateway/connections/health.rules.ts';
import type { ManagementGateway } from './gateway.ts';

export const epochSec = (iso: string): number => Date.parse(iso) / 1000;
export const COUNTED_AT = epochSec('2026-03-01T11:58:00Z');
/** The day of the gateway's clock. */
export const TODAY = '2026-03-01';

/** Counts the account's connections, as the schedule does; the counters of changes so far belong to it. */
export function count(gateway: ManagementGateway): void {
  const rows = [...gateway.connections.values()]
    .filter((row) => row.accountId === 'default' && row.status !== 'deleted')
    .map((row) => ({ ...row, ...healthSubjectOf(row) }));
  const integrations = new Map([...gateway.integrations.values()].map((one) => [one.integrationId, one]));
  const tally = tallyOf(rows, integrations, COUNTED_AT);
  const today = gateway.changes.filter(({ day }) => day === TODAY);
  const from = { day: TODAY, changes: Object.fromEntries(today.map((one) => [one.integrationId, one.counts])) };
  const counted = { ...tally, from, countedAtEpochSec: COUNTED_AT };
  const census = { ...newCensus('default'), sofar: NOTHING_COUNTED, counted, changesSince: '2026-02-27' };
  gateway.census.set('default', census);
}
