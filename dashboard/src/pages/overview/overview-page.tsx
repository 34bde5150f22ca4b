import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useLoad } from '../../data/use-load.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { Overview } from '../../gateway/library.ts';
import { absoluteTime } from '../../model/time.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { LoadView } from '../../ui/load-view.tsx';
import { Page } from '../../ui/page.tsx';
import { UsageChart } from '../../ui/usage/usage-chart.tsx';
import { AttentionPanel } from './attention-panel.tsx';
import { CausesChart } from './causes-chart.tsx';
import { EndsChart } from './ends-chart.tsx';
import { FiguresPanel } from './figures-panel.tsx';
import { RefreshesChart } from './refreshes-chart.tsx';
import { StatusChart } from './status-chart.tsx';

/** What is alive, what is not, and what needs somebody. */
export default function OverviewPage() {
  const gateway = useGateway();
  const overview = useLoad('overview', (signal) => gateway.overview({ signal }));
  const isBusy = overview.load.kind === 'ready' && overview.load.isRenewing;
  return (
    <Page
      title="Overview"
      description="What is alive, what is not, and what needs you."
      actions={<Button iconName="refresh" ariaLabel="Load again" loading={isBusy} onClick={overview.reload} />}
    >
      <LoadView loaded={overview} height="70vh" what="the overview">
        {(data) => (data.covered.connections === 0 ? <Nothing data={data} /> : <Everything data={data} />)}
      </LoadView>
    </Page>
  );
}

function Everything({ data }: { data: Overview }) {
  return (
    <SpaceBetween size="l">
      <FiguresPanel data={data} />
      <AttentionPanel data={data} />
      <div className="tile-grid">
        <UsageChart />
        <StatusChart data={data} />
        <CausesChart data={data} />
        <RefreshesChart data={data} />
        <EndsChart data={data} />
      </div>
      <Box color="text-body-secondary" fontSize="body-s">
        Read {absoluteTime(data.readAt)}. {coverageText(data)}
      </Box>
    </SpaceBetween>
  );
}

function coverageText({ covered, totals }: Overview): string {
  if (covered.complete) return 'Every connection is counted; deleted ones are not.';
  const newest = `the ${covered.connections} newest connections, of which there are more`;
  return totals === undefined
    ? `Counted are ${newest}.`
    : `Statuses and causes were counted over all connections by ${absoluteTime(totals.countedAt)}; everything else is of ${newest}.`;
}

function Nothing({ data }: { data: Overview }) {
  const isEmpty = data.integrations === 0;
  return (
    <Box textAlign="center" padding="xxl">
      <SpaceBetween size="m">
        <Box variant="h2">{isEmpty ? 'Nothing is set up yet' : 'Nobody is connected yet'}</Box>
        <Box color="text-body-secondary">
          {isEmpty
            ? 'Make an integration with test credentials: it takes a minute and nothing at Google.'
            : 'Make a test connection to see how it works, or send an end user a connect link.'}
        </Box>
        <LinkButton variant="primary" href={isEmpty ? '/new-integration' : '/connections'}>
          {isEmpty ? 'Create an integration' : 'Connect an account'}
        </LinkButton>
      </SpaceBetween>
    </Box>
  );
}
