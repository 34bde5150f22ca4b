import type { Overview } from '../../gateway/library.ts';
import { detailText } from '../../model/overview.ts';
import { ChartPanel, EmptyChart } from './chart-panel.tsx';
import { DayChart, type Series } from './day-chart.tsx';

const SERIES: readonly Series[] = [
  { title: 'Renewed', color: 'good' },
  { title: 'Refused: the grant is dead', color: 'bad' },
];

/** How the latest refresh of each connection ended. */
export function RefreshesChart({ data }: { data: Overview }) {
  const days = data.refreshesByDay;
  const covers = [
    `The latest refresh of ${detailText(data.covered)} connections, where it fell into the last ${days.length} days (UTC).`,
    'Earlier refreshes of a connection are not kept.',
  ].join(' ');
  return (
    <ChartPanel title="Refreshes by outcome" covers={covers}>
      {days.every(({ renewed, refused }) => renewed + refused === 0) ? (
        <EmptyChart>
          No connection was refreshed in the last {days.length} days. New ones have a fresh token.
        </EmptyChart>
      ) : (
        <DayChart
          label={`Latest refreshes by outcome over the last ${days.length} days`}
          series={SERIES}
          days={days.map(({ day, renewed, refused }) => ({ dayMs: Date.parse(day), counts: [renewed, refused] }))}
        />
      )}
    </ChartPanel>
  );
}
