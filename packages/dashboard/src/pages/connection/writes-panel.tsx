import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useMemo, useState } from 'react';
import { keyName, useKeys } from '../../data/use-key-names.ts';
import { useLoad } from '../../data/use-load.ts';
import { useNarrow } from '../../data/use-narrow.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { ConnectionRef, JournalRow, SecretKey } from '../../gateway/library.ts';
import { canBeUndone, writeStatus } from '../../model/undo.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { connectionHref, PageLink } from '../../ui/link.tsx';
import { LoadView } from '../../ui/load-view.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { UndoDialog } from '../keys/undo-dialog.tsx';

/** Writes that are shown; the command line lists all. */
const SHOWN = 50;
/** What fits on a phone. */
const NARROW_COLUMNS = ['write', 'outcome'];

/** Writes of keys with a journal, newest first: on one connection, or to one file or event on every connection. Each can be undone. */
export function WritesPanel({ connectionRef }: { connectionRef: ConnectionRef }) {
  const gateway = useGateway();
  const isNarrow = useNarrow();
  const keys = useKeys();
  const [undoing, setUndoing] = useState<JournalRow | 'several' | undefined>(undefined);
  const columns = useMemo(() => columnsOf(keys, connectionRef, setUndoing), [keys, connectionRef]);
  const [entered, setEntered] = useState('');
  const [objectId, setObjectId] = useState('');
  const find = () => setObjectId(entered.trim());
  const { providerConfigKey, connectionId } = connectionRef;
  const loaded = useLoad(`writes ${providerConfigKey} ${connectionId} ${objectId}`, (signal) =>
    gateway.journal.list(objectId === '' ? connectionRef : { objectId }, { limit: SHOWN }, { signal }),
  );
  return (
    <SpaceBetween size="m">
      <FormField
        label="File or event"
        description="Enter its ID to see everything that keys did to it, on every connection."
      >
        <SpaceBetween size="xs" direction="horizontal">
          <Input
            value={entered}
            autoComplete={false}
            spellcheck={false}
            onChange={({ detail }) => setEntered(detail.value)}
            onKeyDown={({ detail }) => detail.key === 'Enter' && find()}
          />
          <Button onClick={find}>Find</Button>
        </SpaceBetween>
      </FormField>
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
                  {objectId === ''
                    ? 'No key with a journal has written here'
                    : 'No key with a journal has changed this'}{' '}
                  in the last {keptDays} days. A key has one where its limits say so.
                </Box>
              }
            />
            {nextCursor !== undefined && (
              <Box color="text-body-secondary">
                Older writes: <code>gateway journal</code>.
              </Box>
            )}
            {objectId === '' && rows.length > 0 && <Button onClick={() => setUndoing('several')}>Undo writes</Button>}
          </SpaceBetween>
        )}
      </LoadView>
      {undoing !== undefined && (
        <UndoDialog
          {...(undoing === 'several'
            ? { of: connectionRef, what: 'what keys wrote on this connection' }
            : { of: refOf(undoing), what: `one ${undoing.method ?? 'write'}`, writeId: undoing.id })}
          onClose={() => {
            setUndoing(undefined);
            loaded.reload();
          }}
        />
      )}
    </SpaceBetween>
  );
}

function refOf({ providerConfigKey, connectionId }: ConnectionRef): ConnectionRef {
  return { providerConfigKey, connectionId };
}

function columnsOf(
  keys: readonly SecretKey[],
  here: ConnectionRef,
  onUndo: (row: JournalRow) => void,
): TableProps.ColumnDefinition<JournalRow>[] {
  const isElsewhere = (row: ConnectionRef) =>
    row.providerConfigKey !== here.providerConfigKey || row.connectionId !== here.connectionId;
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
    {
      id: 'object',
      header: 'On',
      cell: (row) => (
        <>
          <span className="wrap">{row.object?.ids.at(-1) ?? '–'}</span>
          {isElsewhere(row) && (
            <div>
              <PageLink href={connectionHref(row)}>{row.providerConfigKey}</PageLink>
            </div>
          )}
        </>
      ),
    },
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
        return (
          <>
            <Status type={tone}>{text}</Status>
            {canBeUndone(row) && (
              <div>
                <Button
                  variant="inline-link"
                  ariaLabel={`Undo ${row.method ?? 'the write'} of ${row.time}`}
                  onClick={() => onUndo(row)}
                >
                  Undo
                </Button>
              </div>
            )}
          </>
        );
      },
    },
  ];
}
