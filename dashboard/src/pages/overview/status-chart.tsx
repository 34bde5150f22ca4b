import BarChart from '@cloudscape-design/components/bar-chart';
import type { OverviewData } from '../../data/load-overview.ts';
import { statusByDay } from '../../model/overview.ts';
import { dayLabel } from '../../model/time.ts';
import { CHART_COLORS, CHART_HEIGHT_PX, ChartPanel } from './chart-panel.tsx';

const DAYS = 14;

/** Connections by status, day by day. */
export function StatusChart({ data }: { data: OverviewData }) {
  const deadSince = new Map(
    data.details.flatMap(({ id, diagnosis }) =>
      diagnosis?.since === undefined ? [] : [[id, diagnosis.since] as const],
    ),
  );
  const days = statusByDay(data.connections, deadSince, DAYS, data.readAtMs);
  const dead = data.connections.filter(({ status }) => status !== 'active').length;
  const undated = dead - deadSince.size;
  const covers = [
    `The last ${DAYS} days, UTC, of today's connections; a connection that was mended since counts as active throughout.`,
    ...(undated > 0 ? [`${undated} dead ones have no date here and count from the day they were made.`] : []),
  ].join(' ');
  return (
    <ChartPanel title="Connections by status" covers={covers}>
      <BarChart
        stackedBars
        hideFilter
        height={CHART_HEIGHT_PX}
        ariaLabel={`Connections by status over the last ${DAYS} days`}
        xScaleType="categorical"
        xTitle="Day"
        yTitle="Connections"
        yDomain={[0, Math.max(4, data.connections.length)]}
        i18nStrings={{ yTickFormatter: wholeNumber }}
        series={[
          {
            type: 'bar',
            title: 'Active',
            color: CHART_COLORS.good,
            data: days.map(({ dayMs, active }) => ({ x: dayLabel(dayMs), y: active })),
          },
          {
            type: 'bar',
            title: 'Needs a new authorization',
            color: CHART_COLORS.bad,
            data: days.map(({ dayMs, dead }) => ({ x: dayLabel(dayMs), y: dead })),
          },
        ]}
      />
    </ChartPanel>
  );
}

/** Ticks between whole connections would mean nothing. */
export function wholeNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : '';
}
