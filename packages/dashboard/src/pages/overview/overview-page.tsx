import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useLoad } from '../../data/use-load.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { Overview } from '../../gateway/library.ts';
import { absoluteTime } from '../../model/time.ts';
import { Freshness } from '../../ui/freshness.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
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
  return (
    <Page
      title="Overview"
      description="Which connections work, which do not, and what needs your attention."
      actions={<Freshness loaded={overview} />}
    >
      <LoadView loaded={overview} height="70vh" what="the overview">
        {(data) => (hasNothing(data) ? <Nothing data={data} /> : <Everything data={data} atMs={atMs} />)}
      </LoadView>
    </Page>
  );
}

function Everything({ data, atMs }: { data: Overview; atMs: number | undefined }) {
  return (
    <SpaceBetween size="l">
      <FiguresPanel data={data} />
      <AttentionPanel data={data} />
      <div className="tile-grid">
        <div className="tile-wide">
          <UsageChart since={atMs} />
        </div>
        <div className="tile-wide">
          <QuotaPanel since={atMs} />
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
        <LinkButton variant="primary" href={isEmpty ? '/new-integration' : '/connections'}>
          {isEmpty ? 'Create an integration' : 'Connect an account'}
        </LinkButton>
      </SpaceBetween>
    </Box>
  );
}
