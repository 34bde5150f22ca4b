import type { OverviewData } from '../../data/load-overview.ts';
import { refreshesByDay } from '../../model/overview.ts';
import { ChartPanel, EmptyChart } from './chart-panel.tsx';
import { DayChart, type Series } from './day-chart.tsx';

const DAYS = 7;
const SERIES: readonly Series[] = [
  { title: 'Renewed', color: 'good' },
  { title: 'Refused: the grant is dead', color: 'bad' },
];

/** How the latest refresh of each connection ended. */
export function RefreshesChart({ data }: { data: OverviewData }) {
  const days = refreshesByDay(data.details, DAYS, data.readAtMs);
  const of = data.details.length < data.connections.length ? `the ${data.details.length} newest` : 'all';
  const covers = [
    `The latest refresh of ${of} connections, where it fell into the last ${DAYS} days (UTC).`,
    'Earlier refreshes of a connection are not kept.',
    ...(data.unread > 0 ? [`${data.unread} could not be read.`] : []),
  ].join(' ');
  return (
    <ChartPanel title="Refreshes by outcome" covers={covers}>
      {days.every(({ renewed, refused }) => renewed + refused === 0) ? (
        <EmptyChart>No connection was refreshed in the last {DAYS} days. New ones have a fresh token.</EmptyChart>
      ) : (
        <DayChart
          label={`Latest refreshes by outcome over the last ${DAYS} days`}
          series={SERIES}
          days={days.map(({ dayMs, renewed, refused }) => ({ dayMs, counts: [renewed, refused] }))}
        />
      )}
    </ChartPanel>
  );
}
