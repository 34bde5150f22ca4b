import { useEffect } from 'react';
import { useLocation } from 'react-router';
import type { EndingConnection, Overview } from '../../gateway/library.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { connectionHref, PageLink } from '../../ui/link.tsx';
import { Time } from '../../ui/time.tsx';
import { ChartPanel, EmptyChart } from './chart-panel.tsx';
import { DayChart, type Series } from './day-chart.tsx';

const DAYS = 7;
/** The rest is shown when it is asked for. */
const NAMED_MAX = 3;
/** Where the figure of the same number leads. */
export const ENDING_ANCHOR = 'ending-connections';
const SERIES: readonly Series[] = [{ title: 'End that day', color: 'warn' }];

/** Connections that will die in the next days. */
export function EndsChart({ data }: { data: Overview }) {
  const ends = data.ending;
  const isAsked = useLocation().hash === `#${ENDING_ANCHOR}`;
  useEffect(() => {
    if (isAsked) document.getElementById(ENDING_ANCHOR)?.scrollIntoView({ block: 'center' });
  }, [isAsked]);
  return (
    <ChartPanel
      title="Ending in the next days"
      covers={`The next ${DAYS} days (UTC): grants of apps in Testing end seven days after consent, and users can grant access for a limited time.`}
    >
      {data.endingTotal === 0 ? (
        <EmptyChart>
          {data.countedAt === undefined ? 'Not counted yet.' : `No known end within ${DAYS} days.`}
        </EmptyChart>
      ) : (
        <>
          <DayChart
            label={`Connections that end within ${DAYS} days`}
            series={SERIES}
            days={data.endingByDay.map(({ day, count }) => ({ dayMs: Date.parse(day), counts: [count] }))}
          />
          <ul className="plain-list below-chart" id={ENDING_ANCHOR}>
            {ends.slice(0, NAMED_MAX).map((end) => (
              <NamedEnd key={connectionHref(end)} end={end} />
            ))}
          </ul>
          {ends.length > NAMED_MAX && (
            <details open={isAsked}>
              <summary>{ends.length < data.endingTotal ? `The next ${ends.length}` : `All ${ends.length}`}</summary>
              <ul className="plain-list">
                {ends.slice(NAMED_MAX).map((end) => (
                  <NamedEnd key={connectionHref(end)} end={end} />
                ))}
              </ul>
            </details>
          )}
        </>
      )}
    </ChartPanel>
  );
}

function NamedEnd({ end }: { end: EndingConnection }) {
  const { endUser, connectionId, providerConfigKey, endsAt } = end;
  const why = end.reason === 'testing_mode' ? 'app in Testing' : 'time-limited access';
  return (
    <li className="wrap">
      <PageLink href={connectionHref(end)}>
        <Breakable text={endUser?.email ?? endUser?.id ?? connectionId} />
      </PageLink>{' '}
      <Time iso={endsAt} /> ({providerConfigKey}, {why})
    </li>
  );
}
