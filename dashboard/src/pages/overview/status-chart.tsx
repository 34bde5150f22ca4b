import type { OverviewData } from '../../data/load-overview.ts';
import { statusByDay } from '../../model/overview.ts';
import { ChartPanel } from './chart-panel.tsx';
import { DayChart, type Series } from './day-chart.tsx';

const DAYS = 14;
const SERIES: readonly Series[] = [
  { title: 'Active', color: 'good' },
  { title: 'Needs a new authorization', color: 'bad' },
];

/** Connections by status, day by day. */
export function StatusChart({ data }: { data: OverviewData }) {
  const deadSince = new Map(
    data.details.flatMap(({ id, diagnosis }) =>
      diagnosis?.since === undefined ? [] : [[id, diagnosis.since] as const],
    ),
  );
  const days = statusByDay(data.connections, deadSince, DAYS, data.readAtMs);
  const undated = data.connections.filter(({ id, status }) => status !== 'active' && !deadSince.has(id)).length;
  const covers = [
    `The last ${DAYS} days, UTC, of today's connections; a connection that was mended since counts as active throughout.`,
    ...(undated > 0 ? [`${undated} dead ones have no date here and count from the day they were made.`] : []),
  ].join(' ');
  return (
    <ChartPanel title="Connections by status" covers={covers}>
      <DayChart
        label={`Connections by status over the last ${DAYS} days`}
        series={SERIES}
        days={days.map(({ dayMs, active, dead }) => ({ dayMs, counts: [active, dead] }))}
      />
    </ChartPanel>
  );
}
