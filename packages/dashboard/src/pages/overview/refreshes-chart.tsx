import type { Overview } from '../../gateway/library.ts';
import { ChartPanel, EmptyChart } from './chart-panel.tsx';
import { DayChart, lastDays, type Series } from './day-chart.tsx';

const SERIES: readonly Series[] = [
  { title: 'Renewed', color: 'good' },
  { title: 'Failed, will be retried', color: 'warn' },
  { title: 'Refused: dead grant or refused client', color: 'bad' },
];

/** How attempts to refresh ended. */
export function RefreshesChart({ data }: { data: Overview }) {
  const days = data.changesByDay;
  const total = days.reduce(
    (sum, { refreshes: one }) => sum + one.renewed + one.refused + one.clientRefused + one.failed,
    0,
  );
  return (
    <ChartPanel
      title="Refreshes by outcome"
      covers={`All attempts of ${lastDays(days.length)} (UTC). The last seconds of a process that ended may be missing.`}
    >
      {total === 0 ? (
        <EmptyChart>No connection was refreshed. New connections have a fresh token.</EmptyChart>
      ) : (
        <DayChart
          label={`Refreshes by outcome, ${lastDays(days.length)}`}
          series={SERIES}
          days={days.map(({ day, refreshes: one }) => ({
            dayMs: Date.parse(day),
            counts: [one.renewed, one.failed, one.refused + one.clientRefused],
          }))}
        />
      )}
    </ChartPanel>
  );
}
