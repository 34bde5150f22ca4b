import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useNarrow } from '../../data/use-narrow.ts';
import type { FeedChange } from '../../gateway/library.ts';
import { Time } from '../../ui/time.tsx';
import type { WatchedFeed } from './load-feeds.ts';

interface Shown {
  readonly key: string;
  readonly storedAt: string | undefined;
  readonly resource: string;
  readonly what: string;
  readonly id: string;
}

const SHOWN = 10;
const NARROW_COLUMNS = ['time', 'id'];

/** What changed last in the resources under watch, newest first; never more than ids. */
export function LatestChanges({ feeds }: { feeds: readonly WatchedFeed[] }) {
  const isNarrow = useNarrow();
  return (
    <Table
      items={latest(feeds)}
      trackBy="key"
      wrapLines
      variant="embedded"
      header={<Header variant="h3">Latest changes</Header>}
      ariaLabels={{ tableLabel: 'Latest changes' }}
      columnDefinitions={COLUMNS}
      {...(isNarrow ? { visibleColumns: NARROW_COLUMNS } : {})}
      empty={<Box textAlign="center">Nothing has changed yet. Changes at Google appear here.</Box>}
    />
  );
}

function latest(feeds: readonly WatchedFeed[]): Shown[] {
  const all = feeds.flatMap(({ feed, newest }) =>
    newest.flatMap(({ sequence, kind, storedAt, changes }) => {
      const common = { storedAt, resource: feed.resource };
      const gap = {
        ...common,
        key: `${feed.id} ${sequence}`,
        what: 'gap',
        id: 'Changes may be missing before this one',
      };
      return kind === 'gap'
        ? [gap]
        : changes
            .map((change, index) => ({
              ...common,
              key: `${feed.id} ${sequence} ${index}`,
              what: wordsFor(change),
              id: change.id,
            }))
            .reverse();
    }),
  );
  return all.sort((a, b) => (b.storedAt ?? '').localeCompare(a.storedAt ?? '')).slice(0, SHOWN);
}

function wordsFor({ kind, removed, what, subtree, minutesBefore }: FeedChange): string {
  if (minutesBefore !== undefined) return `${kind}, starts within ${minutesBefore} min`;
  const below = subtree ? ['with all below it'] : [];
  return [kind, ...(what ?? (removed ? ['removed'] : [])), ...below].join(', ');
}

const COLUMNS: TableProps.ColumnDefinition<Shown>[] = [
  { id: 'time', header: 'Time', cell: ({ storedAt }) => (storedAt === undefined ? '-' : <Time iso={storedAt} />) },
  { id: 'resource', header: 'Resource', cell: ({ resource }) => <span className="wrap">{resource}</span> },
  { id: 'what', header: 'What', cell: ({ what }) => what },
  { id: 'id', header: 'Id', isRowHeader: true, cell: ({ id }) => <span className="wrap">{id}</span> },
];
