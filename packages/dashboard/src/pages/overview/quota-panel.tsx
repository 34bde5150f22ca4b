import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import type { Loaded } from '../../data/use-load.ts';
import { useWorkplace } from '../../gateway/gateway-context.tsx';
import type { Quota } from '../../gateway/library.ts';
import { QUOTAS_ANCHOR } from '../../model/attention.ts';
import { listed, ownUses } from '../../model/features.ts';
import { billingSentences, partQuotaBars, type QuotaBar, toolSentences } from '../../model/quota.ts';
import { absoluteTime } from '../../model/time.ts';
import { LoadView } from '../../ui/load-view.tsx';
import { Status } from '../../ui/status.tsx';
import { ChartPanel, EmptyChart } from './chart-panel.tsx';

/** Today's use of Google's quotas, and its forecast. Limits below 1 % are one line. */
export function QuotaPanel({ loaded, bars }: { loaded: Loaded<Quota>; bars: readonly QuotaBar[] }) {
  const isAsked = useLocation().hash === `#${QUOTAS_ANCHOR}`;
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isAsked) top.current?.scrollIntoView({ block: 'center' });
  }, [isAsked]);
  return (
    <div ref={top} id={QUOTAS_ANCHOR}>
      <LoadView loaded={loaded} height="200px" what="the use of Google’s quotas">
        {(quota) => <Bars quota={quota} bars={bars} />}
      </LoadView>
    </div>
  );
}

const COLORS = { fine: 'var(--chart-good)', near: 'var(--chart-warn)', over: 'var(--chart-bad)' };

function Bars({
  quota: { countedUntil, resetsAt, billing, tools },
  bars,
}: {
  quota: Quota;
  bars: readonly QuotaBar[];
}) {
  const { without } = useWorkplace();
  const { shown, well } = partQuotaBars(bars);
  const counted =
    countedUntil === undefined ? 'Nothing is counted yet.' : `Counted until ${absoluteTime(countedUntil)}.`;
  return (
    <ChartPanel
      title="Google’s quotas today"
      covers={`What ${listed(['calls', ...ownUses(without)])} took by Cloud project and API. For Google’s day, which ends ${absoluteTime(resetsAt)}. ${counted}`}
    >
      {bars.length === 0 ? (
        <EmptyChart>No integration has an OAuth client of a Cloud project yet.</EmptyChart>
      ) : (
        <SpaceBetween size="s">
          {shown.length > 0 && (
            <ul className="share-bars">
              {shown.map((bar) => (
                <li key={bar.id}>
                  <span className="share-label">
                    <span>
                      {bar.label} <span className="soft">{bar.names.join(', ')}</span>
                    </span>
                  </span>
                  <span
                    className="share-bar"
                    aria-hidden="true"
                    style={{ width: `${Math.min(1, bar.share) * 100}%`, background: COLORS[bar.state] }}
                  />
                  <Words bar={bar} />
                  {bar.details !== '' && <div className="soft">{bar.details}</div>}
                </li>
              ))}
            </ul>
          )}
          {[...toolSentences(tools), ...billingSentences(billing)].map((sentence) => (
            <div key={sentence} className="soft">
              {sentence}
            </div>
          ))}
          {well > 0 && <Well count={well} isOnly={shown.length === 0} isCounted={countedUntil !== undefined} />}
        </SpaceBetween>
      )}
    </ChartPanel>
  );
}

/** Limits without a bar, in one line. */
function Well({ count, isOnly, isCounted }: { count: number; isOnly: boolean; isCounted: boolean }) {
  if (!isCounted) return <Status type="pending">Not known yet: no call is counted.</Status>;
  return (
    <Status type="success">
      {isOnly
        ? `All well: ${count === 1 ? 'the only limit is' : `all ${count} limits are`} below 1 %.`
        : `${count} other ${count === 1 ? 'limit is' : 'limits are'} below 1 %.`}
    </Status>
  );
}

function Words({ bar: { says, state } }: { bar: QuotaBar }) {
  if (state === 'fine') return <span>{says}</span>;
  return <Status type={state === 'over' ? 'error' : 'warning'}>{says}</Status>;
}
