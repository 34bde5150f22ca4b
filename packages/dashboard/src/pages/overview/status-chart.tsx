import type { Overview } from '../../gateway/library.ts';
import { ChartPanel } from './chart-panel.tsx';
import { DayChart, lastDays, type Series } from './day-chart.tsx';

const SERIES: readonly Series[] = [
  { title: 'Active', color: 'good' },
  { title: 'Needs a new authorization', color: 'bad' },
];

/** Connections by status, day by day. */
export function StatusChart({ data }: { data: Overview }) {
  const { statusByDay: days } = data;
  return (
    <ChartPanel
      title="Connections by status"
      covers={`At the end of each day (UTC), starting with the first day on which changes were counted: ${lastDays(days.length)}.`}
    >
      <DayChart
        label={`Connections by status, ${lastDays(days.length)}`}
        series={SERIES}
        days={days.map((one) => ({
          dayMs: Date.parse(one.day),
          counts: [one.active, one.reauthorizationRequired],
        }))}
      />
    </ChartPanel>
  );
}
