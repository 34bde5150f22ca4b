import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useMemo, useState } from 'react';
import { keyName, useKeys } from '../../data/use-key-names.ts';
import { useLoad } from '../../data/use-load.ts';
import { useNarrow } from '../../data/use-narrow.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { ConnectionRef, JournalRow, SecretKey } from '../../gateway/library.ts';
import { writeStatus } from '../../model/undo.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { LoadView } from '../../ui/load-view.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { UndoDialog } from '../keys/undo-dialog.tsx';

/** Writes that are shown; the command line lists all. */
const SHOWN = 50;
/** What fits on a phone. */
const NARROW_COLUMNS = ['write', 'outcome'];

/** What agents and other keys with a journal have written on a connection, newest first, and the way back. */
export function WritesPanel({ connectionRef }: { connectionRef: ConnectionRef }) {
  const gateway = useGateway();
  const isNarrow = useNarrow();
  const keys = useKeys();
  const columns = useMemo(() => columnsOf(keys), [keys]);
  const [isUndoing, setUndoing] = useState(false);
  const { providerConfigKey, connectionId } = connectionRef;
  const loaded = useLoad(`writes ${providerConfigKey} ${connectionId}`, (signal) =>
    gateway.journal.list(connectionRef, { limit: SHOWN }, { signal }),
  );
  return (
    <LoadView loaded={loaded} height="20vh" what="what keys wrote">
      {({ rows, nextCursor, keptDays }) => (
        <SpaceBetween size="m">
          <Table
            items={rows}
            trackBy="id"
            wrapLines
            variant="embedded"
            ariaLabels={{ tableLabel: 'What keys wrote' }}
            columnDefinitions={columns}
            {...(isNarrow ? { visibleColumns: NARROW_COLUMNS } : {})}
            empty={
              <Box textAlign="center">
                No key with a journal has written here in the last {keptDays} days. A key has one where its limits say
                so.
              </Box>
            }
          />
          {nextCursor !== undefined && (
            <Box color="text-body-secondary">
              Older writes: <code>gateway journal</code>.
            </Box>
          )}
          {rows.length > 0 && <Button onClick={() => setUndoing(true)}>Undo writes</Button>}
          {isUndoing && (
            <UndoDialog
              of={connectionRef}
              what="what keys wrote on this connection"
              onClose={() => {
                setUndoing(false);
                loaded.reload();
              }}
            />
          )}
        </SpaceBetween>
      )}
    </LoadView>
  );
}

function columnsOf(keys: readonly SecretKey[]): TableProps.ColumnDefinition<JournalRow>[] {
  return [
    {
      id: 'write',
      header: 'Write',
      isRowHeader: true,
      cell: ({ method, time }) => (
        <>
          <Breakable text={method ?? 'unknown'} />
          <div className="soft">
            <Time iso={time} />
          </div>
        </>
      ),
    },
    { id: 'object', header: 'On', cell: ({ object }) => <span className="wrap">{object?.ids.at(-1) ?? '–'}</span> },
    {
      id: 'key',
      header: 'By',
      cell: ({ keyId, undoes }) => (undoes === undefined ? keyName(keys, keyId) : 'an undo'),
    },
    {
      id: 'outcome',
      header: 'Outcome',
      cell: (row) => {
        const { tone, text } = writeStatus(row);
        return <Status type={tone}>{text}</Status>;
      },
    },
  ];
}
