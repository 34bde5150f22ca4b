import type { OverviewData } from '../../data/load-overview.ts';
import { causeLabel } from '../../model/causes.ts';
import { NO_FILTER, writeFilter } from '../../model/connection-filter.ts';
import { tally } from '../../model/overview.ts';
import { PageLink } from '../../ui/link.tsx';
import { ChartPanel, EmptyChart } from './chart-panel.tsx';

/** Dead connections by their most likely cause, as bars that lead to the connections behind them. */
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
        <ul className="share-bars">
          {causes.map(({ name, count }) => (
            <li key={name}>
              <span className="share-label">
                <PageLink href={`/connections?${writeFilter({ ...NO_FILTER, cause: name })}`}>
                  {causeLabel(name)}
                </PageLink>
                <b>{count}</b>
              </span>
              <span className="share-bar" aria-hidden="true" style={{ width: `${(count / dead.length) * 100}%` }} />
            </li>
          ))}
        </ul>
      )}
    </ChartPanel>
  );
}
