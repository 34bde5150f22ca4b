import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useEffect, useMemo } from 'react';
import { useAction } from '../../data/use-action.ts';
import { useLoad } from '../../data/use-load.ts';
import { useMedium, useNarrow } from '../../data/use-narrow.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { ConnectionRef, Feed } from '../../gateway/library.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Time } from '../../ui/time.tsx';
import { FeedState } from './feed-state.tsx';
import { LatestChanges } from './latest-changes.tsx';
import { feedWatcher } from './load-feeds.ts';

/** How often the feeds are looked at while the tab is open. */
const LOOK_EVERY_MS = 1_000;

/** What fits on a phone. */
const NARROW_COLUMNS = ['resource', 'state', 'pull'];
/** What fits next to the navigation of a small laptop. */
const MEDIUM_COLUMNS = ['resource', 'state', 'lag', 'pulled', 'pull'];

/** The feeds of a connection as they are now: state with its reason, last message and pull, lag of consumers. */
export function FeedsPanel({ connectionRef }: { connectionRef: ConnectionRef }) {
  const gateway = useGateway();
  const isNarrow = useNarrow();
  const isMedium = useMedium();
  const name = `feeds ${connectionRef.providerConfigKey} ${connectionRef.connectionId}`;
  const { providerConfigKey, connectionId } = connectionRef;
  const look = useMemo(
    () => feedWatcher(gateway, { providerConfigKey, connectionId }),
    [gateway, providerConfigKey, connectionId],
  );
  const { load, reload } = useLoad(name, look);
  const isLoaded = load.kind === 'ready' && !load.isRenewing;
  useEffect(() => {
    // The next look begins when the last one has ended, however long that took.
    if (!isLoaded) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [isLoaded, reload]);
  const pull = useAction<string>(async (id) => {
    await gateway.feeds.pull(id);
    reload();
  });
  const watched = load.kind === 'ready' ? load.value : [];
  if (load.kind === 'failed') return <ErrorPanel error={load.error} onRetry={reload} />;
  return (
    <SpaceBetween size="m">
      <ErrorPanel error={pull.error} />
      <Table
        items={watched.map(({ feed }) => feed)}
        loading={load.kind === 'loading'}
        loadingText="Loading feeds"
        trackBy="id"
        wrapLines
        ariaLabels={{ tableLabel: 'Feeds' }}
        columnDefinitions={[...COLUMNS, pullColumn((id) => void pull.run(id), pull.isRunning)]}
        {...(isMedium ? { visibleColumns: isNarrow ? NARROW_COLUMNS : MEDIUM_COLUMNS } : {})}
        empty={<Box textAlign="center">There are no feeds. Create one with POST /feeds.</Box>}
      />
      {watched.length > 0 && <LatestChanges feeds={watched} />}
    </SpaceBetween>
  );
}

function pullColumn(pull: (id: string) => void, isRunning: boolean): TableProps.ColumnDefinition<Feed> {
  return {
    id: 'pull',
    header: 'Action',
    cell: ({ id, resource }) => (
      <ActionButton
        variant="inline-link"
        disabled={isRunning}
        ariaLabel={`Pull now: ${resource}`}
        onClick={() => pull(id)}
      >
        Pull now
      </ActionButton>
    ),
  };
}

const COLUMNS: TableProps.ColumnDefinition<Feed>[] = [
  {
    id: 'resource',
    header: 'Resource',
    isRowHeader: true,
    cell: ({ resource, drives, meaning, reminders }) => (
      <>
        <span className="wrap">{resource}</span>
        {meaning && <div className="soft">Changes say what they were</div>}
        {reminders.length > 0 && <div className="soft">Reminders: {reminders.join(', ')} min before</div>}
        {drives !== undefined && <div className="soft">{sharedDrives(drives.length)}</div>}
      </>
    ),
  },
  {
    id: 'state',
    header: 'State',
    minWidth: 150,
    cell: (feed) => <FeedState feed={feed} />,
  },
  { id: 'batches', header: 'Batches', cell: ({ lastSequence }) => String(lastSequence) },
  {
    id: 'lag',
    header: 'Consumers',
    cell: ({ cursors }) =>
      cursors.length === 0
        ? '-'
        : cursors.map(({ name, lag }) => (
            <div key={name}>{lag === 0 ? `${name}: up to date` : `${name}: ${lag} behind`}</div>
          )),
  },
  { id: 'message', header: 'Last message', cell: ({ lastMessageAt }) => <Moment iso={lastMessageAt} /> },
  { id: 'pulled', header: 'Last pull', cell: ({ lastPullAt }) => <Moment iso={lastPullAt} /> },
];

/** How many shared drives a feed follows alongside the user's own files. */
function sharedDrives(count: number): string {
  if (count === 0) return 'My Drive; no shared drive';
  return count === 1 ? 'My Drive and 1 shared drive' : `My Drive and ${count} shared drives`;
}

function Moment({ iso }: { iso: string | undefined }) {
  return iso === undefined ? <>-</> : <Time iso={iso} />;
}
