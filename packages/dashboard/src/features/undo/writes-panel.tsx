import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { type ComponentProps, useMemo, useState } from 'react';
import { keyName, useKeys } from '../../data/use-key-names.ts';
import { useLoad } from '../../data/use-load.ts';
import { useNarrow } from '../../data/use-narrow.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { ConnectionRef, JournalRow, SecretKey, WritesOf, WritesOn } from '../../gateway/library.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Breakable } from '../../ui/breakable.tsx';
import { connectionHref, keyHref, PageLink } from '../../ui/link.tsx';
import { LoadView } from '../../ui/load-view.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { UndoDialog } from './undo-dialog.tsx';
import { canBeUndone, writeStatus } from './undo-words.ts';

/** Writes that are shown; the command line lists all. */
const SHOWN = 50;
/** What fits on a phone. */
const NARROW_COLUMNS = ['write', 'outcome'];

/** Writes of keys with a journal, newest first: on one connection, of one key, or to one file or event. Each can be undone. */
export function WritesPanel({ of }: { of: WritesOf | WritesOn }) {
  const gateway = useGateway();
  const isNarrow = useNarrow();
  const keys = useKeys();
  const [undoing, setUndoing] = useState<Undoing | undefined>(undefined);
  const columns = useMemo(() => columnsOf(keys, of, isNarrow, (row) => setUndoing(one(row))), [keys, of, isNarrow]);
  const [entered, setEntered] = useState('');
  const [found, setObjectId] = useState('');
  const objectId = 'objectId' in of ? of.objectId : found;
  const find = () => setObjectId(entered.trim());
  const isOfKey = 'keyId' in of;
  const loaded = useLoad(`writes ${JSON.stringify(of)} ${objectId}`, (signal) =>
    gateway.journal.list(objectId === '' ? of : { objectId }, { limit: SHOWN }, { signal }),
  );
  return (
    <SpaceBetween size="m">
      {!('objectId' in of) && (
        <FormField
          label="File or event"
          description="Enter its id to see everything that keys did to it, on every connection."
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
      )}
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
                    ? isOfKey
                      ? 'Nothing that this key wrote is on record'
                      : 'No key with a journal has written here'
                    : 'No key with a journal has changed this'}{' '}
                  in the last {keptDays} days. {isOfKey ? 'It is kept' : 'A key has one'} where its limits say so.
                </Box>
              }
            />
            {nextCursor !== undefined && (
              <Box color="text-body-secondary">
                Older writes: <code>gateway journal</code>.
              </Box>
            )}
            {!('objectId' in of) && objectId === '' && rows.length > 0 && (
              <ActionButton
                onClick={() =>
                  setUndoing({ of, what: isOfKey ? 'what this key wrote' : 'what keys wrote on this connection' })
                }
              >
                Undo writes
              </ActionButton>
            )}
          </SpaceBetween>
        )}
      </LoadView>
      {undoing !== undefined && (
        <UndoDialog
          {...undoing}
          onClose={() => {
            setUndoing(undefined);
            loaded.reload();
          }}
        />
      )}
    </SpaceBetween>
  );
}

/** Writes to undo: one of them, or those of a key or connection. */
type Undoing = Pick<ComponentProps<typeof UndoDialog>, 'of' | 'what' | 'writeId'>;

function one(row: JournalRow): Undoing {
  return { of: refOf(row), what: `one ${row.method ?? 'write'}`, writeId: row.id };
}

function refOf({ providerConfigKey, connectionId }: ConnectionRef): ConnectionRef {
  return { providerConfigKey, connectionId };
}

function columnsOf(
  keys: readonly SecretKey[],
  here: WritesOf | WritesOn,
  isNarrow: boolean,
  onUndo: (row: JournalRow) => void,
): TableProps.ColumnDefinition<JournalRow>[] {
  const isElsewhere = (row: ConnectionRef) =>
    'keyId' in here ||
    'objectId' in here ||
    row.providerConfigKey !== here.providerConfigKey ||
    row.connectionId !== here.connectionId;
  return [
    {
      id: 'write',
      header: 'Write',
      isRowHeader: true,
      cell: ({ method, time, keyId, undoes }) => (
        <>
          <Breakable text={method ?? 'unknown'} />
          <div className="soft">
            <Time iso={time} />
            {isNarrow && <> by {undoes === undefined ? keyName(keys, keyId) : 'an undo'}</>}
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
      cell: ({ keyId, undoes }) =>
        undoes === undefined ? <PageLink href={keyHref(keyId)}>{keyName(keys, keyId)}</PageLink> : 'an undo',
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
                <ActionButton
                  variant="inline-link"
                  ariaLabel={`Undo ${row.method ?? 'the write'} of ${row.time}`}
                  onClick={() => onUndo(row)}
                >
                  Undo
                </ActionButton>
              </div>
            )}
          </>
        );
      },
    },
  ];
}
