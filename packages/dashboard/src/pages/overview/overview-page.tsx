import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { Loaded } from '../../data/use-load.ts';
import { useLoad } from '../../data/use-load.ts';
import { useGateway, useWorkplace } from '../../gateway/gateway-context.tsx';
import type { Overview, Quota } from '../../gateway/library.ts';
import { attentionRows } from '../../model/attention.ts';
import { ownUses } from '../../model/features.ts';
import { type QuotaBar, quotaBars } from '../../model/quota.ts';
import { absoluteTime } from '../../model/time.ts';
import { ActionLink } from '../../ui/action-button.tsx';
import { Freshness } from '../../ui/freshness.tsx';
import { LoadView } from '../../ui/load-view.tsx';
import { Page } from '../../ui/page.tsx';
import { UsageChart } from '../../ui/usage/usage-chart.tsx';
import { AttentionPanel } from './attention-panel.tsx';
import { CausesChart } from './causes-chart.tsx';
import { EndsChart } from './ends-chart.tsx';
import { FiguresPanel } from './figures-panel.tsx';
import { QuotaPanel } from './quota-panel.tsx';
import { RefreshesChart } from './refreshes-chart.tsx';
import { StatusChart } from './status-chart.tsx';

/** What is alive, what is not, and what needs somebody. */
export default function OverviewPage() {
  const gateway = useGateway();
  const overview = useLoad('overview', (signal) => gateway.overview({ signal }));
  const atMs = overview.load.kind === 'ready' ? overview.load.atMs : undefined;
  const quota = useLoad('quota', (signal) => gateway.quota({ signal }), atMs);
  return (
    <Page
      title="Overview"
      description="Which connections work, which do not, and what needs your attention."
      freshness={<Freshness loaded={overview} />}
    >
      <LoadView loaded={overview} height="70vh" what="the overview">
        {(data) => (hasNothing(data) ? <Nothing data={data} /> : <Everything data={data} quota={quota} atMs={atMs} />)}
      </LoadView>
    </Page>
  );
}

function Everything({ data, quota, atMs }: { data: Overview; quota: Loaded<Quota>; atMs: number | undefined }) {
  const { without } = useWorkplace();
  const bars = quota.load.kind === 'ready' ? barsOf(quota.load.value, data, without) : [];
  return (
    <SpaceBetween size="l">
      <FiguresPanel data={data} />
      <AttentionPanel rows={attentionRows(data.attention, bars)} unknown={notKnown(data, quota)} />
      <div className="tile-grid">
        <div className="tile-wide">
          <UsageChart since={atMs} />
        </div>
        <div className="tile-wide">
          <QuotaPanel loaded={quota} bars={bars} />
        </div>
        <StatusChart data={data} />
        <CausesChart data={data} />
        <RefreshesChart data={data} />
        <EndsChart data={data} />
      </div>
      <Box color="text-body-secondary" fontSize="body-s">
        Read {absoluteTime(data.readAt)}. {countText(data)}
      </Box>
    </SpaceBetween>
  );
}

function barsOf({ projects }: Quota, { byIntegration }: Overview, without: ReadonlySet<string>): QuotaBar[] {
  const nameOf = (id: string) => byIntegration.find(({ uniqueKey }) => uniqueKey === id)?.displayName ?? id;
  return quotaBars(projects, absoluteTime, nameOf, ownUses(without));
}

/** What has not been counted or read yet, as sentences. */
function notKnown({ countedAt }: Overview, { load }: Loaded<Quota>): string[] {
  return [
    ...(countedAt === undefined
      ? ['Not known yet: connections that fail or end soon. All are counted within a minute or two.']
      : []),
    ...(load.kind === 'loading' ? ['Google’s quotas are being read.'] : []),
    ...(load.kind === 'failed' ? ['Not known: Google’s quotas could not be read.'] : []),
    ...(load.kind === 'ready' && load.value.countedUntil === undefined
      ? ['Not known yet: the use of quotas. No call is counted yet.']
      : []),
  ];
}

function hasNothing({ statuses, changesByDay }: Overview): boolean {
  const changed = changesByDay.some(({ created, deleted, died }) => created + deleted + died > 0);
  return statuses.active + statuses.reauthorizationRequired === 0 && !changed;
}

function countText({ countedAt }: Overview): string {
  return countedAt === undefined
    ? 'These figures come from counters; all connections will be counted within a minute or two.'
    : `All connections were last counted ${absoluteTime(countedAt)}; statuses and causes include later changes; failing connections and upcoming ends are from that count.`;
}

function Nothing({ data }: { data: Overview }) {
  const isEmpty = data.integrations === 0;
  return (
    <Box textAlign="center" padding="xxl">
      <SpaceBetween size="m">
        <Box variant="h2">{isEmpty ? 'Nothing is set up yet' : 'Nobody is connected yet'}</Box>
        <Box color="text-body-secondary">
          {isEmpty
            ? 'Create an integration with test credentials: it takes a minute and needs no setup at Google.'
            : 'Create a test connection to see how it works, or send an end user a connect link.'}
        </Box>
        <ActionLink variant="primary" href={isEmpty ? '/new-integration' : '/connections'}>
          {isEmpty ? 'Create an integration' : 'Connect an account'}
        </ActionLink>
      </SpaceBetween>
    </Box>
  );
}
