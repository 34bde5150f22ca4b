import Box from '@cloudscape-design/components/box';
import Table from '@cloudscape-design/components/table';
import { useNarrow } from '../../data/use-narrow.ts';
import type { Connection, ReviewedScope } from '../../gateway/library.ts';
import { shortScope } from '../../model/scopes.ts';
import { ClassBadge } from '../../ui/scope-list.tsx';
import { Status } from '../../ui/status.tsx';

/** What fits on a phone. */
const NARROW_COLUMNS = ['scope', 'granted'];

/** What was asked for against what was granted. */
export function ScopesPanel({
  connection,
  catalogue,
}: {
  connection: Connection;
  catalogue: readonly ReviewedScope[];
}) {
  const isNarrow = useNarrow();
  const { requestedScopes, grantedScopes, missingScopes } = connection;
  const scopes = [...new Set([...requestedScopes, ...grantedScopes])].map((scope) => ({
    scope,
    known: catalogue.find((one) => one.scope === scope),
    isRequested: requestedScopes.includes(scope),
    isMissing: missingScopes.includes(scope),
  }));
  return (
    <Table
      items={scopes}
      trackBy="scope"
      wrapLines
      variant="embedded"
      {...(isNarrow ? { visibleColumns: NARROW_COLUMNS } : {})}
      ariaLabels={{ tableLabel: 'Scopes' }}
      columnDefinitions={[
        {
          id: 'scope',
          header: 'Scope',
          isRowHeader: true,
          ...(isNarrow ? {} : { minWidth: 140 }),
          cell: ({ scope, known }) => (
            <>
              <code>{shortScope(scope)}</code>
              {isNarrow && known && <div className="soft">{known.meaning}</div>}
            </>
          ),
        },
        { id: 'meaning', header: 'Meaning', cell: ({ known }) => known?.meaning ?? '–' },
        {
          id: 'class',
          header: 'Review',
          minWidth: 135,
          cell: ({ known }) => (known ? <ClassBadge reviewClass={known.reviewClass} /> : '–'),
        },
        { id: 'asked', header: 'Asked for', cell: ({ isRequested }) => (isRequested ? 'Yes' : 'No') },
        {
          id: 'granted',
          header: 'Granted',
          minWidth: 120,
          cell: ({ isMissing }) => (
            <Status type={isMissing ? 'warning' : 'success'}>{isMissing ? 'Not granted' : 'Granted'}</Status>
          ),
        },
      ]}
      empty={<Box textAlign="center">No scopes are known.</Box>}
    />
  );
}
