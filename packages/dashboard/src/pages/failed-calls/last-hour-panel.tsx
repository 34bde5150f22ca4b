import Alert, { type AlertProps } from '@cloudscape-design/components/alert';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { Loaded } from '../../data/use-load.ts';
import type { LastHour } from '../../gateway/library.ts';
import { failedCallsHref } from '../../model/failures.ts';
import { absoluteTime, clockLabel, MINUTE_MS } from '../../model/time.ts';
import { LoadView } from '../../ui/load-view.tsx';
import { ChartPanel, EmptyChart } from '../overview/chart-panel.tsx';
import { type ChartDay, DayChart, type Series } from '../overview/day-chart.tsx';

const SERIES: readonly Series[] = [
  { title: 'Google’s errors (5xx)', color: 'bad' },
  { title: 'Google’s rate limit (429)', color: 'warn' },
  { title: 'The gateway’s errors (5xx)', color: 'own' },
  { title: 'Refused (other 4xx)', color: 'soft-part' },
];

/** Labels that fit under an hour of columns. */
const LABEL_EVERY = 10;

/** The last hour by minute, and in words whether it is Google. */
export function LastHourPanel({ loaded, integration }: { loaded: Loaded<LastHour>; integration: string | undefined }) {
  return (
    <LoadView loaded={loaded} height="380px" what="the last hour">
      {(hour) => (
        <SpaceBetween size="s">
          <Alert type={toneOf(hour.verdict)} header={hour.text}>
            {hour.evidence.length > 0 && (
              <ul className="plain-list">
                {hour.evidence.map((one) => (
                  <li key={one}>{one}</li>
                ))}
              </ul>
            )}
          </Alert>
          <Chart hour={hour} integration={integration} />
        </SpaceBetween>
      )}
    </LoadView>
  );
}

function Chart({ hour: { minutes, countedUntil }, integration }: { hour: LastHour; integration: string | undefined }) {
  const columns = minutes.map((minute): ChartDay => {
    const atMs = Date.parse(minute.time);
    const counts = [minute.providerFailed, minute.rateLimited, minute.gatewayFailed, minute.refused];
    return { dayMs: atMs, counts };
  });
  const failed = columns.reduce((sum, { counts }) => sum + counts.reduce((all, one) => all + one, 0), 0);
  const calls = minutes.reduce((sum, minute) => sum + minute.calls, 0);
  const until =
    countedUntil === undefined ? 'No minute is counted yet.' : `Counted until ${absoluteTime(countedUntil)}.`;
  return (
    <ChartPanel
      title="Failed calls of the last hour by minute"
      covers={`${failed.toLocaleString('en')} of ${calls.toLocaleString('en')} calls failed. ${until} Choose a column to see its calls.`}
    >
      {failed === 0 ? (
        <EmptyChart>No failed call in the last hour.</EmptyChart>
      ) : (
        <DayChart
          label="Failed calls of the last hour by minute"
          series={SERIES}
          days={columns}
          columnName="Minute (UTC)"
          labelOf={clockLabel}
          labelEvery={LABEL_EVERY}
          hrefOf={({ dayMs }) =>
            failedCallsHref({
              ...(integration === undefined ? {} : { integration }),
              since: new Date(dayMs).toISOString(),
              until: new Date(dayMs + MINUTE_MS).toISOString(),
            })
          }
        />
      )}
    </ChartPanel>
  );
}

function toneOf(verdict: string): AlertProps.Type {
  if (verdict === 'healthy') return 'success';
  if (verdict === 'no_calls') return 'info';
  return verdict === 'callers' || verdict === 'mixed' ? 'warning' : 'error';
}
