import BarChart from '@cloudscape-design/components/bar-chart';
import type { OverviewData } from '../../data/load-overview.ts';
import { refreshesByDay } from '../../model/overview.ts';
import { dayLabel } from '../../model/time.ts';
import { CHART_COLORS, CHART_HEIGHT_PX, ChartPanel, EmptyChart } from './chart-panel.tsx';
import { wholeNumber } from './status-chart.tsx';

const DAYS = 7;

/** How the latest refresh of each connection ended. */
export function RefreshesChart({ data }: { data: OverviewData }) {
  const days = refreshesByDay(data.details, DAYS, data.readAtMs);
  const most = Math.max(0, ...days.map(({ renewed, refused }) => renewed + refused));
  const of = data.details.length < data.connections.length ? `the ${data.details.length} newest` : 'all';
  const covers = `The latest refresh of ${of} connections, where it fell into the last ${DAYS} days (UTC). Earlier refreshes of a connection are not kept.${data.unread > 0 ? ` ${data.unread} could not be read.` : ''}`;
  return (
    <ChartPanel title="Refreshes by outcome" covers={covers}>
      {most === 0 ? (
        <EmptyChart>
          No connection was refreshed in the last {DAYS} days. New ones have a fresh token already.
        </EmptyChart>
      ) : (
        <BarChart
          stackedBars
          hideFilter
          height={CHART_HEIGHT_PX}
          ariaLabel={`Latest refreshes by outcome over the last ${DAYS} days`}
          xScaleType="categorical"
          xTitle="Day"
          yTitle="Connections"
          yDomain={[0, Math.max(4, most)]}
          i18nStrings={{ yTickFormatter: wholeNumber }}
          series={[
            {
              type: 'bar',
              title: 'Renewed',
              color: CHART_COLORS.good,
              data: days.map(({ dayMs, renewed }) => ({ x: dayLabel(dayMs), y: renewed })),
            },
            {
              type: 'bar',
              title: 'Refused: grant is dead',
              color: CHART_COLORS.bad,
              data: days.map(({ dayMs, refused }) => ({ x: dayLabel(dayMs), y: refused })),
            },
          ]}
        />
      )}
    </ChartPanel>
  );
}
