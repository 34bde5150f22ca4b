import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import { loadConnectionPage } from '../../data/load-connection-page.ts';
import { useLoad } from '../../data/use-load.ts';
import { useNarrow } from '../../data/use-narrow.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { ConnectionSummary } from '../../gateway/library.ts';
import type { ListFilter } from '../../model/connection-filter.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { connectionHref, integrationHref, PageLink } from '../../ui/link.tsx';
import { ConnectionStatus } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';

const COLUMNS: readonly TableProps.ColumnDefinition<ConnectionSummary>[] = [
  {
    id: 'connection',
    header: 'Connection',
    isRowHeader: true,
    cell: (one) => (
      <>
        <PageLink href={connectionHref(one)}>{one.connectionId}</PageLink>
        <Box color="text-body-secondary" fontSize="body-s">
          {one.endUser?.email ?? one.endUser?.id ?? 'No end user'}
        </Box>
      </>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    cell: (one) => <ConnectionStatus status={one.status} cause={one.cause} />,
  },
  { id: 'account', header: 'Provider account', cell: (one) => one.providerAccount?.email ?? '–' },
  {
    id: 'integration',
    header: 'Integration',
    cell: (one) => <PageLink href={integrationHref(one.providerConfigKey)}>{one.providerConfigKey}</PageLink>,
  },
  { id: 'created', header: 'Created', cell: (one) => <Time iso={one.createdAt} /> },
];
/** What fits on a phone; the rest is on the connection's own page. */
const NARROW_COLUMNS = ['connection', 'status'];

/** One page of connections at a time, however many there are. */
export function ConnectionsTable({ filter, isFiltering }: { filter: ListFilter; isFiltering: boolean }) {
  const gateway = useGateway();
  const isNarrow = useNarrow();
  /** Cursors of the pages before this one; the first page has none. */
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const { load, reload } = useLoad(`page ${cursor ?? ''}`, (signal) =>
    loadConnectionPage(gateway, filter, cursor, signal),
  );
  if (load.kind === 'failed') return <ErrorPanel error={load.error} onRetry={reload} />;
  const rows = load.kind === 'ready' ? load.value.connections : [];
  const next = load.kind === 'ready' ? load.value.nextCursor : undefined;
  return (
    <SpaceBetween size="s">
      <Table
        items={rows}
        columnDefinitions={COLUMNS}
        {...(isNarrow ? { visibleColumns: NARROW_COLUMNS } : {})}
        trackBy="id"
        wrapLines
        stickyHeader
        loading={load.kind === 'loading'}
        loadingText="Loading connections"
        ariaLabels={{ tableLabel: 'Connections' }}
        empty={<Empty isFiltering={isFiltering} hasMore={next !== undefined} />}
      />
      <div className="pager">
        <Button disabled={cursors.length === 0} onClick={() => setCursors((all) => all.slice(0, -1))}>
          Newer
        </Button>
        <span aria-live="polite">Page {cursors.length + 1}</span>
        <Button
          disabled={next === undefined}
          onClick={() => setCursors((all) => (next === undefined ? all : [...all, next]))}
        >
          Older
        </Button>
      </div>
    </SpaceBetween>
  );
}

function Empty({ isFiltering, hasMore }: { isFiltering: boolean; hasMore: boolean }) {
  if (hasMore) return <Box textAlign="center">None so far. Older ones are on the next page.</Box>;
  return (
    <Box textAlign="center">
      {isFiltering
        ? 'No connection matches.'
        : 'Nobody is connected yet. Create a test connection, or share a connect link.'}
    </Box>
  );
}
