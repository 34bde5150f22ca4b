import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useEffect, useMemo, useState } from 'react';
import { useAction } from '../../data/use-action.ts';
import { useAddress } from '../../data/use-address.ts';
import { keyName, useKeys } from '../../data/use-key-names.ts';
import { useLoad } from '../../data/use-load.ts';
import { useMedium, useNarrow } from '../../data/use-narrow.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { CallPage, ConnectionRef, LoggedCall, SecretKey } from '../../gateway/library.ts';
import { callRule, callTone, whyText } from '../../model/calls.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Breakable } from '../../ui/breakable.tsx';
import { CopyValue } from '../../ui/copy.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { keyHref, PageLink } from '../../ui/link.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';

/** How often new calls are looked for while the tab is open. */
const LOOK_EVERY_MS = 3_000;

const FILTERS = [
  { value: '', label: 'All logged calls' },
  { value: 'failed', label: 'Failed calls' },
  { value: 'ok', label: 'Successful calls' },
];

/** Characters of a request id, a UUID, that tell calls apart; it is copied as a whole. */
const REQUEST_ID_SHOWN = 8;

/** What fits on a phone. */
const NARROW_COLUMNS = ['time', 'status', 'call'];

/** The logged calls of a connection, newest first; new ones appear by themselves while the tab is open. */
export function CallsPanel({ connectionRef }: { connectionRef: ConnectionRef }) {
  const gateway = useGateway();
  const isNarrow = useNarrow();
  const keys = useKeys();
  const isMedium = useMedium();
  const columns = useMemo(() => columnsOf(keys, isMedium), [keys, isMedium]);
  const [requestId, setRequestId] = useAddress('request');
  const looked = useLoad(`call ${requestId}`, async (signal) =>
    requestId === '' ? undefined : await gateway.calls.get(requestId, { signal }),
  );
  const one = looked.load.kind === 'ready' ? looked.load.value : undefined;
  const [chosen, setStatus] = useAddress('calls');
  const status = FILTERS.some(({ value }) => value === chosen) ? chosen : '';
  const name = `calls ${connectionRef.providerConfigKey} ${connectionRef.connectionId} ${status}`;
  const { load, reload } = useLoad(name, (signal) =>
    gateway.calls.list(connectionRef, status === '' ? {} : { status }, { signal }),
  );
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [reload]);
  const [older, setOlder] = useState<{ readonly name: string; readonly pages: readonly CallPage[] }>({
    name,
    pages: [],
  });
  const pages = [...(load.kind === 'ready' ? [load.value] : []), ...(older.name === name ? older.pages : [])];
  const next = pages.at(-1)?.nextCursor;
  const more = useAction(async () => {
    if (next === undefined) return;
    const page = await gateway.calls.list(connectionRef, { cursor: next, ...(status === '' ? {} : { status }) });
    setOlder((all) => ({ name, pages: [...(all.name === name ? all.pages : []), page] }));
  });
  const record = useAction<boolean>(async (wanted) => {
    if (wanted) await gateway.calls.record(connectionRef);
    else await gateway.calls.stopRecording(connectionRef);
    reload();
  });
  const log = pages[0]?.log;
  return (
    <SpaceBetween size="m">
      <SpaceBetween direction="horizontal" size="s">
        <Select
          ariaLabel="Which calls"
          selectedOption={FILTERS.find(({ value }) => value === status) ?? null}
          options={FILTERS}
          onChange={({ detail }) => setStatus(detail.selectedOption.value ?? '')}
        />
        {log !== undefined && log.mode !== 'off' && (
          <ActionButton loading={record.isRunning} onClick={() => void record.run(log.recordingUntil === undefined)}>
            {log.recordingUntil === undefined ? 'Record all calls for an hour' : 'Stop recording'}
          </ActionButton>
        )}
      </SpaceBetween>
      {log !== undefined && (
        <Box color="text-body-secondary" fontSize="body-s">
          {callRule(log)}
          {log.recordingUntil !== undefined && (
            <>
              {' '}
              Every call is recorded. Recording ends <Time iso={log.recordingUntil} />.
            </>
          )}
        </Box>
      )}
      <ErrorPanel error={record.error ?? more.error} />
      {requestId !== '' && looked.load.kind === 'failed' && <ErrorPanel error={looked.load.error} />}
      {one !== undefined && (
        <Box>
          The call with request id <code>{one.requestId}</code>.{' '}
          <Button variant="inline-link" onClick={() => setRequestId('')}>
            Show all calls
          </Button>
        </Box>
      )}
      {load.kind === 'failed' ? (
        <ErrorPanel error={load.error} onRetry={reload} />
      ) : (
        <Table
          items={one === undefined ? distinct(pages) : [one]}
          loading={load.kind === 'loading'}
          loadingText="Loading calls"
          trackBy="id"
          wrapLines
          ariaLabels={{ tableLabel: 'Calls' }}
          columnDefinitions={columns}
          {...(isNarrow ? { visibleColumns: NARROW_COLUMNS } : {})}
          empty={<Box textAlign="center">No matching call was logged.</Box>}
        />
      )}
      {next !== undefined && one === undefined && (
        <Button loading={more.isRunning} onClick={() => void more.run()}>
          Show older calls
        </Button>
      )}
    </SpaceBetween>
  );
}

/** The first page moves on while older ones were loaded: what is on both is shown once. */
function distinct(pages: readonly CallPage[]): LoggedCall[] {
  return [...new Map(pages.flatMap(({ calls }) => calls).map((call) => [call.id, call])).values()];
}

const columnsOf = (keys: readonly SecretKey[], isMedium: boolean): TableProps.ColumnDefinition<LoggedCall>[] => [
  { id: 'time', header: 'When', cell: ({ time }) => <Time iso={time} /> },
  {
    id: 'status',
    header: 'Status',
    cell: (call) => <Status type={callTone(call)}>{String(call.status)}</Status>,
  },
  {
    id: 'call',
    header: 'Call',
    isRowHeader: true,
    minWidth: 180,
    cell: (call) => (
      <span className="wrap">
        {call.method} <Breakable text={call.path} />
        {call.standsFor > 1 && <span className="soft"> (one of {call.standsFor})</span>}
        <div className="soft">{whyText(call)}</div>
      </span>
    ),
  },
  { id: 'ms', header: 'Took', cell: ({ totalMs }) => <span className="no-wrap">{totalMs} ms</span> },
  {
    id: 'key',
    header: 'Secret key',
    cell: ({ keyId }) => (
      <PageLink href={keyHref(keyId)}>
        <span className="wrap">{keyName(keys, keyId)}</span>
      </PageLink>
    ),
  },
  {
    id: 'request',
    header: 'Request id',
    minWidth: 150,
    cell: ({ requestId }) => (
      <CopyValue
        value={requestId}
        what="request id"
        {...(isMedium ? { shown: `${requestId.slice(0, REQUEST_ID_SHOWN)}…` } : {})}
      />
    ),
  },
];
