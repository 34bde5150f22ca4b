import type { Overview } from '../../gateway/library.ts';
import { causeLabel } from '../../model/causes.ts';
import { NO_FILTER, writeFilter } from '../../model/connection-filter.ts';
import { PageLink } from '../../ui/link.tsx';
import { ChartPanel, EmptyChart } from './chart-panel.tsx';

function listHref(cause: string): string {
  return `/connections?${writeFilter({ ...NO_FILTER, cause })}`;
}

/** Dead connections by their most likely cause, as bars that lead to the connections behind them. */
export function CausesChart({ data }: { data: Overview }) {
  const { causes } = data;
  const dead = data.statuses.reauthorizationRequired;
  return (
    <ChartPanel
      title="Dead connections by cause"
      covers="Connections that need a new authorization today, whenever that began. Google seldom states a cause, so the most likely one is shown."
    >
      {dead === 0 ? (
        <EmptyChart>No connection needs a new authorization.</EmptyChart>
      ) : (
        <ul className="share-bars">
          {causes.map(({ cause, count }) => (
            <li key={cause}>
              <span className="share-label">
                <PageLink href={listHref(cause)}>{causeLabel(cause)}</PageLink>
                <PageLink href={listHref(cause)} ariaLabel={`${causeLabel(cause)}: ${count}`}>
                  {count.toLocaleString('en')}
                </PageLink>
              </span>
              <span className="share-bar" aria-hidden="true" style={{ width: `${(count / dead) * 100}%` }} />
            </li>
          ))}
        </ul>
      )}
    </ChartPanel>
  );
}
