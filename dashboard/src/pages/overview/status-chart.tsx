import type { Overview } from '../../gateway/library.ts';
import { ChartPanel } from './chart-panel.tsx';
import { DayChart, type Series } from './day-chart.tsx';

const SERIES: readonly Series[] = [
  { title: 'Active', color: 'good' },
  { title: 'Needs a new authorization', color: 'bad' },
];

/** Connections by status, day by day. */
export function StatusChart({ data }: { data: Overview }) {
  const { statusByDay: days, undatedDeaths: undated } = data;
  const covers = [
    `The last ${days.length} days, UTC, of today's connections; a connection that has been fixed since counts as active throughout.`,
    ...(undated > 0 ? [`${undated} dead ones have no date here and count from the day they were made.`] : []),
  ].join(' ');
  return (
    <ChartPanel title="Connections by status" covers={covers}>
      <DayChart
        label={`Connections by status over the last ${days.length} days`}
        series={SERIES}
        days={days.map((one) => ({
          dayMs: Date.parse(one.day),
          counts: [one.active, one.reauthorizationRequired],
        }))}
      />
    </ChartPanel>
  );
}
