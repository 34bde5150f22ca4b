import PieChart from '@cloudscape-design/components/pie-chart';
import type { OverviewData } from '../../data/load-overview.ts';
import { causeLabel } from '../../model/causes.ts';
import { tally } from '../../model/overview.ts';
import { PageLink } from '../../ui/link.tsx';
import { ChartPanel, EmptyChart } from './chart-panel.tsx';

/** Dead connections by their most likely cause. */
export function CausesChart({ data }: { data: OverviewData }) {
  const dead = data.connections.filter(({ status }) => status !== 'active');
  const causes = tally(dead.map(({ cause }) => cause ?? 'unknown'));
  return (
    <ChartPanel
      title="Dead connections by cause"
      covers="Connections that need a new authorization today, whenever they died. Google seldom names a cause: it is the likeliest one."
    >
      {dead.length === 0 ? (
        <EmptyChart>Every connection is alive.</EmptyChart>
      ) : (
        <>
          <PieChart
            hideFilter
            variant="donut"
            size="medium"
            ariaLabel="Dead connections by cause"
            innerMetricValue={String(dead.length)}
            innerMetricDescription="dead"
            data={causes.map(({ name, count }) => ({ title: causeLabel(name), value: count, cause: name }))}
            segmentDescription={(datum, sum) => `${datum.value} of ${sum}`}
          />
          <PageLink href="/connections?status=reauthorization_required">Show them</PageLink>
        </>
      )}
    </ChartPanel>
  );
}
