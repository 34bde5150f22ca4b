import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { loadConnectionPage, PAGES_MAX, ROWS_PER_PAGE } from '../../data/load-connection-page.ts';
import { useLoad } from '../../data/use-load.ts';
import { useMedium, useNarrow } from '../../data/use-narrow.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { ConnectionPage, ConnectionSummary } from '../../gateway/library.ts';
import type { ListFilter, ListSort } from '../../model/connection-filter.ts';
import { detailsOf, titleOf } from '../../model/person.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { CopyValue } from '../../ui/copy.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Freshness } from '../../ui/freshness.tsx';
import { connectionHref, integrationHref, PageLink } from '../../ui/link.tsx';
import { BriefHealthStatus, ConnectionHealthStatus } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';

const COLUMNS: readonly TableProps.ColumnDefinition<ConnectionSummary>[] = [
  {
    id: 'connection',
    header: 'Person',
    isRowHeader: true,
    minWidth: 180,
    sortingField: 'name',
    cell: (one) => <Person of={one} />,
  },
  { id: 'status', header: 'Status', cell: (one) => <BriefHealthStatus connection={one} /> },
  {
    id: 'integration',
    header: 'Integration',
    cell: ({ providerConfigKey }) => (
      <span className="one-line short" title={providerConfigKey}>
        <PageLink href={integrationHref(providerConfigKey)}>{providerConfigKey}</PageLink>
      </span>
    ),
  },
  {
    id: 'used',
    header: 'Last used',
    sortingField: 'last_used',
    cell: (one) => <Time iso={one.lastUsedAt} />,
  },
  {
    id: 'created',
    header: 'Created',
    sortingField: 'created',
    cell: (one) => <Time iso={one.createdAt} />,
  },
];
/** So many the gateway puts into the order of their last use. */
const ORDERED_BY_USE_MAX = 2_000;
const COLUMNS_OF_MANY = COLUMNS.map((column) => {
  if (column.id !== 'used') return column;
  const { sortingField: _, ...rest } = column;
  return rest;
});
/** What fits on a phone; the rest is on the connection's own page. */
const NARROW_COLUMNS = ['connection', 'status'];
const MEDIUM_COLUMNS = [...NARROW_COLUMNS, 'integration', 'used'];
const NARROW_WIDTHS: Readonly<Record<string, number>> = { connection: 145, status: 105 };

/** A connection's person in one line, with its id while the row has the pointer or the focus. */
function Person({ of: one }: { of: ConnectionSummary }) {
  const title = titleOf(one);
  const details = detailsOf(one).join(' · ');
  return (
    <div className="person" title={[title, details].filter((text) => text !== '').join(' · ')}>
      <span className="person-title">
        <PageLink href={connectionHref(one)}>{title}</PageLink>
      </span>
      <span className="person-details">{details}</span>
      <span className="row-id">
        <CopyValue value={one.connectionId} what={`connection id of ${title}`} />
      </span>
    </div>
  );
}

/** The same on a phone, whose lines are too short for it. */
function PersonOnPhone({ of: one }: { of: ConnectionSummary }) {
  return (
    <div className="wrap">
      <PageLink href={connectionHref(one)}>
        <Breakable text={titleOf(one)} />
      </PageLink>
      {detailsOf(one).map((text) => (
        <div className="soft" key={text}>
          <Breakable text={text} />
        </div>
      ))}
    </div>
  );
}

const NARROW_CELLS: Readonly<Record<string, Pick<TableProps.ColumnDefinition<ConnectionSummary>, 'cell'>>> = {
  connection: { cell: (one) => <PersonOnPhone of={one} /> },
  status: { cell: (one) => <ConnectionHealthStatus connection={one} /> },
};

/** One page of connections at a time, however many there are; the selection persists from page to page. */
export function ConnectionsTable({
  filter,
  page,
  isFiltering,
  chosen,
  onChoose,
  onSort,
  onPage,
}: {
  filter: ListFilter;
  page: number;
  isFiltering: boolean;
  chosen: ReadonlyMap<string, ConnectionSummary>;
  onChoose: (chosen: ReadonlyMap<string, ConnectionSummary>) => void;
  onSort: (sort: ListSort) => void;
  onPage: (page: number) => void;
}) {
  const gateway = useGateway();
  const isNarrow = useNarrow();
  const isMedium = useMedium();
  const loaded = useLoad(`page ${page}`, (signal) => loadConnectionPage(gateway, filter, page, signal));
  const { load, reload } = loaded;
  if (load.kind === 'failed') return <ErrorPanel error={load.error} onRetry={reload} />;
  const shown = load.kind === 'ready' ? load.value : undefined;
  const rows = shown?.connections ?? [];
  const choose = (selected: readonly ConnectionSummary[]): void => {
    const next = new Map(chosen);
    for (const row of rows) next.delete(keyOf(row));
    for (const row of selected) next.set(keyOf(row), row);
    onChoose(next);
  };
  const hasNext = shown?.nextCursor !== undefined && page < PAGES_MAX;
  return (
    <SpaceBetween size="s">
      <div className={isNarrow ? '' : 'dense'}>
        <Table
          items={rows}
          columnDefinitions={columnsFor(isNarrow, isLong(shown))}
          {...(isMedium ? { visibleColumns: isNarrow ? NARROW_COLUMNS : MEDIUM_COLUMNS } : {})}
          header={
            <Header counter={counterOf(shown)} actions={<Freshness loaded={loaded} />}>
              {isFiltering ? 'Matching connections' : 'All connections'}
            </Header>
          }
          trackBy={keyOf}
          selectionType="multi"
          selectedItems={rows.filter((row) => chosen.has(keyOf(row)))}
          onSelectionChange={({ detail }) => choose(detail.selectedItems)}
          {...sortingOf(filter.sort)}
          onSortingChange={({ detail }) => onSort(sortOf(detail))}
          wrapLines={isNarrow}
          contentDensity="compact"
          stickyHeader
          loading={load.kind === 'loading'}
          loadingText="Loading connections"
          ariaLabels={{
            tableLabel: 'Connections',
            selectionGroupLabel: 'Select connections',
            allItemsSelectionLabel: () => 'Select all on this page',
            itemSelectionLabel: (_, one) => `Select ${titleOf(one)}, ${one.connectionId}`,
          }}
          empty={<Empty isFiltering={isFiltering} hasMore={hasNext} />}
        />
      </div>
      {isLong(shown) && (
        <Box color="text-body-secondary" fontSize="body-s">
          To sort by last use, search or filter first: sorting works for up to {ORDERED_BY_USE_MAX.toLocaleString('en')}{' '}
          connections.
        </Box>
      )}
      <nav className="pager" aria-label="Pages of the list">
        <Button disabled={page === 1} onClick={() => onPage(page - 1)}>
          Previous
        </Button>
        <span aria-live="polite">{pageText(page, rows.length, shown)}</span>
        <Button disabled={!hasNext} onClick={() => onPage(page + 1)}>
          Next
        </Button>
      </nav>
    </SpaceBetween>
  );
}

function columnsFor(isNarrow: boolean, isOfMany: boolean): readonly TableProps.ColumnDefinition<ConnectionSummary>[] {
  const columns = isOfMany ? COLUMNS_OF_MANY : COLUMNS;
  if (!isNarrow) return columns;
  return columns.map((column) => ({
    ...column,
    ...NARROW_CELLS[column.id ?? ''],
    minWidth: NARROW_WIDTHS[column.id ?? ''] ?? 0,
  }));
}

function isLong(shown: ConnectionPage | undefined): boolean {
  return shown?.total !== undefined && shown.total > ORDERED_BY_USE_MAX;
}

/** Identifies a connection, even where ids are the same under two integrations. */
export function keyOf({ providerConfigKey, connectionId }: ConnectionSummary): string {
  return JSON.stringify([providerConfigKey, connectionId]);
}

function counterOf(shown: ConnectionPage | undefined): string {
  if (shown?.total === undefined) return '';
  return `(${shown.total.toLocaleString('en')}${shown.totalIsComplete ? '' : '+'})`;
}

function pageText(page: number, rows: number, shown: ConnectionPage | undefined): string {
  if (shown?.total === undefined || rows === 0) return `Page ${page}`;
  const first = (page - 1) * ROWS_PER_PAGE + 1;
  return `Page ${page}: ${first} to ${first + rows - 1} of ${counterOf(shown).slice(1, -1)}`;
}

/** The newest first is the order without a name; its column is shown as sorted downwards. */
function sortingOf(sort: ListSort) {
  const name = sort === '' ? '-created' : sort;
  const column = COLUMNS.find(({ sortingField }) => sortingField === name.replace('-', ''));
  return column === undefined ? {} : { sortingColumn: column, sortingDescending: name.startsWith('-') };
}

function sortOf({ sortingColumn, isDescending }: TableProps.SortingState<ConnectionSummary>): ListSort {
  switch (sortingColumn.sortingField) {
    case 'name':
      return isDescending === true ? '-name' : 'name';
    case 'last_used':
      return isDescending === true ? '-last_used' : 'last_used';
    default:
      return isDescending === true ? '' : 'created';
  }
}

function Empty({ isFiltering, hasMore }: { isFiltering: boolean; hasMore: boolean }) {
  if (hasMore) return <Box textAlign="center">No match on this page. Continue on the next page.</Box>;
  return (
    <Box textAlign="center">
      {isFiltering
        ? 'No connection matches.'
        : 'Nobody is connected yet. Create a test connection, or share a connect link.'}
    </Box>
  );
}
