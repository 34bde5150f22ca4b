import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import Table from '@cloudscape-design/components/table';
import { useLoad } from '../../data/use-load.ts';
import { useNarrow } from '../../data/use-narrow.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { ConnectionPage } from '../../gateway/library.ts';
import { titleOf } from '../../model/person.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { connectionHref, PageLink } from '../../ui/link.tsx';
import { ConnectionHealthStatus } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';

/** The rest is one link away, where they can be searched. */
const SHOWN = 10;

function allText(page: ConnectionPage | undefined): string {
  if (page?.total === undefined) return 'All of them';
  return `All ${page.total.toLocaleString('en')}${page.totalIsComplete ? '' : ' or more'}`;
}

/** What fits on a phone. */
const NARROW_COLUMNS = ['connection', 'status'];

/** The newest connections of an integration. @param round another number loads them again */
export function ConnectionsPanel({ integrationId, round }: { integrationId: string; round: number }) {
  const gateway = useGateway();
  const isNarrow = useNarrow();
  const { load, reload } = useLoad(`connections of ${integrationId} ${round}`, (signal) =>
    gateway.connections.list({ integrationId, limit: SHOWN, include: ['total'] }, { signal }),
  );
  if (load.kind === 'failed') return <ErrorPanel error={load.error} onRetry={reload} />;
  const all = `/connections?integration=${encodeURIComponent(integrationId)}`;
  return (
    <Table
      header={
        <Header
          variant="h2"
          actions={<PageLink href={all}>{allText(load.kind === 'ready' ? load.value : undefined)}</PageLink>}
        >
          Newest connections
        </Header>
      }
      loading={load.kind === 'loading'}
      loadingText="Loading connections"
      items={load.kind === 'ready' ? load.value.connections : []}
      trackBy="id"
      wrapLines
      {...(isNarrow ? { visibleColumns: NARROW_COLUMNS } : {})}
      columnDefinitions={[
        {
          id: 'connection',
          header: 'Person',
          isRowHeader: true,
          cell: (one) => (
            <PageLink href={connectionHref(one)}>
              <Breakable text={titleOf(one)} />
            </PageLink>
          ),
        },
        {
          id: 'user',
          header: 'Account',
          cell: (one) => <Breakable text={one.providerAccount?.email ?? one.endUser?.email ?? '–'} />,
        },
        { id: 'status', header: 'Status', cell: (one) => <ConnectionHealthStatus connection={one} /> },
        { id: 'created', header: 'Created', cell: (one) => <Time iso={one.createdAt} /> },
      ]}
      empty={<Box textAlign="center">Nobody is connected through this integration yet.</Box>}
    />
  );
}
