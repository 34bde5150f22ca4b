import { useLoad } from '../../data/use-load.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { Quota } from '../../gateway/library.ts';
import { type QuotaBar, quotaBars } from '../../model/quota.ts';
import { absoluteTime } from '../../model/time.ts';
import { LoadView } from '../../ui/load-view.tsx';
import { Status } from '../../ui/status.tsx';
import { ChartPanel, EmptyChart } from './chart-panel.tsx';

/** Today's use of Google's quotas, and its forecast. @param since when the surrounding page was loaded */
export function QuotaPanel({ since }: { since: number | undefined }) {
  const gateway = useGateway();
  const loaded = useLoad('quota', (signal) => gateway.quota({ signal }), since);
  return (
    <LoadView loaded={loaded} height="200px" what="the use of Google’s quotas">
      {(quota) => <Bars quota={quota} />}
    </LoadView>
  );
}

const COLORS = { fine: 'var(--chart-good)', near: 'var(--chart-warn)', over: 'var(--chart-bad)' };

function Bars({ quota }: { quota: Quota }) {
  const bars = quotaBars(quota.projects, absoluteTime);
  const counted =
    quota.countedUntil === undefined ? 'Nothing is counted yet.' : `Counted until ${absoluteTime(quota.countedUntil)}.`;
  return (
    <ChartPanel
      title="Google’s quotas today"
      covers={`What calls, feeds and checks took by Cloud project and API. For Google’s day, which ends ${absoluteTime(quota.resetsAt)}. ${counted}`}
    >
      {bars.length === 0 ? (
        <EmptyChart>No integration has an OAuth client of a Cloud project yet.</EmptyChart>
      ) : (
        <ul className="share-bars">
          {bars.map((bar) => (
            <li key={bar.id}>
              <span className="share-label">{bar.label}</span>
              <span
                className="share-bar"
                aria-hidden="true"
                style={{ width: `${Math.min(1, bar.share) * 100}%`, background: COLORS[bar.state] }}
              />
              <Words bar={bar} />
              {bar.besides !== '' && <div className="soft">{bar.besides}</div>}
            </li>
          ))}
        </ul>
      )}
    </ChartPanel>
  );
}

function Words({ bar: { says, state } }: { bar: QuotaBar }) {
  if (state === 'fine') return <span>{says}</span>;
  return <Status type={state === 'over' ? 'error' : 'warning'}>{says}</Status>;
}
