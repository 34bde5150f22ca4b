import Box from '@cloudscape-design/components/box';
import { useLoad } from '../../data/use-load.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { Usage } from '../../gateway/library.ts';
import { failedCallsHref } from '../../model/failures.ts';
import { absoluteTime, DAY_MS } from '../../model/time.ts';
import { usageByDay, usageRemarks } from '../../model/usage.ts';
import { ChartPanel, EmptyChart } from '../../pages/overview/chart-panel.tsx';
import { DayChart, type Series } from '../../pages/overview/day-chart.tsx';
import { LoadView } from '../load-view.tsx';
import { Status } from '../status.tsx';

const SERIES: readonly Series[] = [
  { title: 'Good', color: 'good' },
  { title: 'Refused or rate-limited by Google or the gateway', color: 'warn' },
  { title: 'Failed at Google, or cut off', color: 'bad' },
];

/** Selects calls: of one integration, of one secret key by the first 12 characters of its id, or all of the account. */
interface Whose {
  readonly integration?: string | undefined;
  readonly keyId?: string | undefined;
}

/** Proxied calls by day, of the account, of one integration or of one secret key. @param since when the page around it was loaded */
export function UsageChart({ integration, keyId, since }: Whose & { since?: number | undefined }) {
  const gateway = useGateway();
  const loaded = useLoad(
    `usage ${integration ?? ''} ${keyId ?? ''}`,
    async (signal) => {
      const query = keyId === undefined ? {} : { by: 'key' as const };
      const of = integration === undefined ? {} : { providerConfigKey: integration };
      const usage = await gateway.usage({ ...query, ...of }, { signal });
      return keyId === undefined ? usage : { ...usage, rows: usage.rows.filter((row) => row.keyId === keyId) };
    },
    since,
  );
  return (
    <LoadView loaded={loaded} height="320px" what="the calls by day">
      {(usage) => <Chart usage={usage} integration={integration} keyId={keyId} />}
    </LoadView>
  );
}

function Chart({ usage, integration, keyId }: Whose & { usage: Usage }) {
  const days = usageByDay(usage);
  const total = days.reduce((sum, { calls }) => sum + calls, 0);
  const failed = days.reduce((sum, { counts }) => sum + (counts[1] ?? 0) + (counts[2] ?? 0), 0);
  const share =
    total === 0
      ? ''
      : ` ${total.toLocaleString('en')} ${total === 1 ? 'call' : 'calls'}, ${((failed / total) * 100).toFixed(1)} % not successful.`;
  const { covers, warnings } = usageRemarks(usage, Date.now());
  return (
    <ChartPanel
      title="Calls by day"
      covers={`Every proxied call of the last ${days.length} days (UTC).${share} ${covers}`}
    >
      {warnings.length > 0 && (
        <Box margin={{ bottom: 'l' }}>
          {warnings.map((warning) => (
            <Box key={warning} margin={{ bottom: 'xxs' }}>
              <Status type="warning">{warning}</Status>
            </Box>
          ))}
        </Box>
      )}
      {total === 0 ? (
        <EmptyChart>
          {usage.countedUntil === undefined
            ? 'No call is counted yet.'
            : `No calls in the last ${days.length} days, counted until ${absoluteTime(usage.countedUntil)}.`}
        </EmptyChart>
      ) : (
        <DayChart
          label={`Proxied calls over the last ${days.length} days`}
          series={SERIES}
          days={days}
          hrefOf={({ dayMs }) =>
            failedCallsHref({
              ...(integration === undefined ? {} : { integration }),
              ...(keyId === undefined ? {} : { key: keyId }),
              since: new Date(dayMs).toISOString(),
              until: new Date(dayMs + DAY_MS).toISOString(),
            })
          }
        />
      )}
    </ChartPanel>
  );
}
