import Box from '@cloudscape-design/components/box';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useAddress } from '../../data/use-address.ts';
import { useLoad } from '../../data/use-load.ts';
import { useNarrow } from '../../data/use-narrow.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { Feed } from '../../gateway/library.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Freshness } from '../../ui/freshness.tsx';
import { connectionHref, PageLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { FeedState } from './feed-state.tsx';

/** What fits on a phone. */
const NARROW_COLUMNS = ['resource', 'state'];
/** Feeds whose consumers are asked for, which is a call each. */
const DETAILED_MAX = 25;
/** Each look costs that many calls. */
const LOOK_EVERY_MS = 60_000;

/** Feeds of the whole account: which are behind, why and since when, those first. */
export default function FeedsPage() {
  const gateway = useGateway();
  const isNarrow = useNarrow();
  const [shown, setShown] = useAddress('show', 'all');
  const loaded = useLoad('all feeds', (signal) => loadFeeds(gateway, signal));
  const { load, reload } = loaded;
  const feeds = load.kind === 'ready' ? load.value : [];
  const behind = feeds.filter(isBehind);
  const isNarrowed = shown === 'behind';
  return (
    <Page
      title="Feeds"
      description="Resources under watch in all connections: which are behind, why, and since when."
      freshness={<Freshness loaded={loaded} everyMs={LOOK_EVERY_MS} />}
    >
      {load.kind === 'failed' ? (
        <ErrorPanel error={load.error} onRetry={reload} />
      ) : (
        <SpaceBetween size="m">
          {load.kind === 'ready' && (
            <Status type={behind.length === 0 ? 'success' : 'error'}>
              {behind.length === 0
                ? `None of ${feeds.length} feeds is behind.`
                : `${behind.length} of ${feeds.length} feeds ${behind.length === 1 ? 'is' : 'are'} behind.`}
            </Status>
          )}
          <SegmentedControl
            label="Which feeds"
            selectedId={isNarrowed ? 'behind' : 'all'}
            options={[
              { id: 'all', text: 'All' },
              { id: 'behind', text: 'Behind' },
            ]}
            onChange={({ detail }) => setShown(detail.selectedId)}
          />
          <Table
            items={isNarrowed ? behind : feeds}
            loading={load.kind === 'loading'}
            loadingText="Loading feeds"
            trackBy="id"
            wrapLines
            ariaLabels={{ tableLabel: 'Feeds' }}
            columnDefinitions={COLUMNS}
            {...(isNarrow ? { visibleColumns: NARROW_COLUMNS } : {})}
            empty={
              <Box textAlign="center">
                {feeds.length > 0 ? 'No feed is behind.' : 'There are no feeds. Create one with POST /feeds.'}
              </Box>
            }
          />
          {feeds.length > DETAILED_MAX && (
            <Box color="text-body-secondary" fontSize="body-s">
              Consumers are shown of the first {DETAILED_MAX} feeds; those of others are on their connection’s page.
            </Box>
          )}
        </SpaceBetween>
      )}
    </Page>
  );
}

/** All feeds, what is behind first and then the longest behind; the first ones with their consumers. */
async function loadFeeds(gateway: Gateway, signal: AbortSignal): Promise<readonly Feed[]> {
  const listed = await gateway.feeds.list(undefined, { signal });
  const rank = ({ behindSince }: Feed) => behindSince ?? '~';
  const sorted = listed.toSorted((a, b) => rank(a).localeCompare(rank(b)));
  const detailed = await Promise.all(
    sorted.slice(0, DETAILED_MAX).map(async (feed) => {
      const { cursors } = await gateway.feeds.get(feed.id, { signal });
      return { ...feed, cursors };
    }),
  );
  const all = [...detailed, ...sorted.slice(DETAILED_MAX)];
  return all.toSorted((a, b) => Number(isBehind(b)) - Number(isBehind(a)));
}

/** A feed that is not pulled, or whose consumers have not read what it has. */
function isBehind({ behindSince, cursors }: Feed): boolean {
  return behindSince !== undefined || cursors.some(({ lag }) => lag > 0);
}

const COLUMNS: TableProps.ColumnDefinition<Feed>[] = [
  {
    id: 'resource',
    header: 'Feed',
    isRowHeader: true,
    minWidth: 160,
    cell: (feed) => (
      <span className="wrap">
        {feed.resource}
        <div>
          <PageLink href={`${connectionHref(feed)}?tab=feeds`}>
            <Breakable text={feed.connectionName ?? feed.connectionId} />
          </PageLink>{' '}
          <span className="soft">{feed.providerConfigKey}</span>
        </div>
        {feed.managedBy !== undefined && <div className="soft">Declared by the stack {feed.managedBy.stack}</div>}
      </span>
    ),
  },
  {
    id: 'state',
    header: 'State',
    minWidth: 140,
    cell: (feed) => (
      <>
        <FeedState feed={feed} />
        {feed.behindSince !== undefined && (
          <div>
            Behind: last pull <Time iso={feed.lastPullAt} />
          </div>
        )}
      </>
    ),
  },
  {
    id: 'consumers',
    header: 'Consumers',
    cell: ({ cursors }) =>
      cursors.length === 0
        ? '–'
        : cursors.map(({ name, lag, movedAt }) => (
            <div key={name}>
              {lag === 0 ? `${name}: up to date` : `${name}: ${lag} behind, last read `}
              {lag > 0 && <Time iso={movedAt} />}
            </div>
          )),
  },
  { id: 'changed', header: 'Last change', cell: ({ lastChangeAt }) => <Time iso={lastChangeAt} otherwise="–" /> },
  { id: 'pulled', header: 'Last pull', cell: ({ lastPullAt }) => <Time iso={lastPullAt} otherwise="–" /> },
];
