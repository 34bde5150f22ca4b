import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useAction } from '../../data/use-action.ts';
import { keyName, useKeys } from '../../data/use-key-names.ts';
import { useLoad } from '../../data/use-load.ts';
import { useNarrow } from '../../data/use-narrow.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { FailedCall, FailedCallFilter, FailedCallPage, SecretKey } from '../../gateway/library.ts';
import { callTone, whyText } from '../../model/calls.ts';
import { failedCallsHref, failureLabel } from '../../model/failures.ts';
import { absoluteTime } from '../../model/time.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { CopyValue } from '../../ui/copy.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Freshness } from '../../ui/freshness.tsx';
import { connectionHref, PageLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { FailureFilters } from './failure-filters.tsx';
import { LastHourPanel } from './last-hour-panel.tsx';

/** What fits on a phone. */
const NARROW_COLUMNS = ['status', 'call'];

/** Characters of a request id, a UUID, that tell calls apart; it is copied as a whole. */
const REQUEST_ID_SHOWN = 8;

/** Whether Google or the gateway makes calls fail, and the failed calls of all connections, newest first. */
export default function FailedCallsPage() {
  const gateway = useGateway();
  const isNarrow = useNarrow();
  const keys = useKeys();
  const [address] = useSearchParams();
  const filter = filterOf(address);
  const name = `failed calls ${address.toString()}`;
  const loaded = useLoad(name, (signal) => gateway.calls.failed(filter, { signal }));
  const { load, reload } = loaded;
  const ofIntegration = filter.providerConfigKey;
  const hour = useLoad(`last hour ${ofIntegration ?? ''}`, (signal) =>
    gateway.calls.lastHour(ofIntegration === undefined ? {} : { providerConfigKey: ofIntegration }, { signal }),
  );
  const [older, setOlder] = useState<{ readonly name: string; readonly pages: readonly FailedCallPage[] }>({
    name,
    pages: [],
  });
  const pages = [...(load.kind === 'ready' ? [load.value] : []), ...(older.name === name ? older.pages : [])];
  const next = pages.at(-1)?.nextCursor;
  const more = useAction(async () => {
    if (next === undefined) return;
    const page = await gateway.calls.failed({ ...filter, cursor: next });
    setOlder((all) => ({ name, pages: [...(all.name === name ? all.pages : []), page] }));
  });
  const log = pages[0]?.log;
  const columns = useMemo(() => columnsOf(keys, isNarrow), [keys, isNarrow]);
  return (
    <Page
      title="Failed calls"
      description="Whether Google or the gateway makes calls fail, and every failed call of all connections, newest first."
      freshness={<Freshness loaded={loaded} others={[hour]} />}
    >
      <SpaceBetween size="l">
        <LastHourPanel loaded={hour} integration={ofIntegration} />
        <FailureFilters keys={keys} />
        <ErrorPanel error={more.error} />
        {load.kind === 'failed' ? (
          <ErrorPanel error={load.error} onRetry={reload} />
        ) : (
          <Table
            items={distinct(pages)}
            loading={load.kind === 'loading'}
            loadingText="Loading failed calls"
            trackBy="id"
            wrapLines
            ariaLabels={{ tableLabel: 'Failed calls' }}
            columnDefinitions={columns}
            {...(isNarrow ? { visibleColumns: NARROW_COLUMNS } : {})}
            empty={
              <Box textAlign="center">{next === undefined ? 'No failed call matches.' : 'None among the newest.'}</Box>
            }
          />
        )}
        {next !== undefined && (
          <Button loading={more.isRunning} onClick={() => void more.run()}>
            Show older calls
          </Button>
        )}
        {log !== undefined && (
          <Box color="text-body-secondary" fontSize="body-s">
            {log.mode === 'off'
              ? 'This deployment keeps no call log (option gateway:callLog).'
              : `Failed calls are kept for ${log.retentionDays} days, without query, headers, body or ids.`}
          </Box>
        )}
      </SpaceBetween>
    </Page>
  );
}

function filterOf(address: URLSearchParams): FailedCallFilter {
  const given = (name: string) => address.get(name) ?? undefined;
  const failure = given('failure');
  const [reason, keyId, integration, connectionId, since, until] = [
    ...['reason', 'key', 'integration', 'connection', 'since', 'until'],
  ].map(given);
  return {
    // One that nobody knows is refused by the gateway, which says what there is.
    ...(failure === undefined ? {} : { failure }),
    ...(reason === undefined ? {} : { reason }),
    ...(keyId === undefined ? {} : { keyId }),
    ...(integration === undefined ? {} : { providerConfigKey: integration }),
    ...(connectionId === undefined ? {} : { connectionId }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  };
}

/** The first page moves on while older ones were loaded: what is on both is shown once. */
function distinct(pages: readonly FailedCallPage[]): FailedCall[] {
  return [...new Map(pages.flatMap(({ calls }) => calls).map((call) => [call.id, call])).values()];
}

function columnsOf(keys: readonly SecretKey[], isNarrow: boolean): TableProps.ColumnDefinition<FailedCall>[] {
  return [
    {
      id: 'time',
      header: 'When',
      cell: ({ time }) => (
        <span title={absoluteTime(time)}>
          <Time iso={time} />
        </span>
      ),
    },
    {
      id: 'status',
      header: 'Status',
      minWidth: 100,
      cell: (call) => (
        <>
          <Status type={callTone(call)}>{String(call.status)}</Status>
          <div className="soft no-wrap">{call.totalMs} ms</div>
          {isNarrow && (
            <div className="soft">
              <Time iso={call.time} />
            </div>
          )}
        </>
      ),
    },
    {
      id: 'call',
      header: 'Call',
      isRowHeader: true,
      ...(isNarrow ? {} : { minWidth: 220 }),
      cell: (call) => (
        <span className="wrap">
          {call.method} <Breakable text={call.path} />
          {call.standsFor > 1 && <span className="soft"> (one of {call.standsFor})</span>}
          <div className="soft">{whyText(call) || failureLabel(call.failure)}</div>
          <div>
            <PageLink href={`${connectionHref(call)}?tab=calls&calls=failed`}>
              <Breakable text={call.connectionName} />
            </PageLink>{' '}
            <span className="soft">{call.providerConfigKey}</span>
          </div>
        </span>
      ),
    },
    {
      id: 'key',
      header: 'Secret key',
      minWidth: 110,
      cell: ({ keyId }) => (
        <PageLink href={failedCallsHref({ key: keyId })}>
          <span className="wrap">{keyName(keys, keyId)}</span>
        </PageLink>
      ),
    },
    {
      id: 'request',
      header: 'Request id',
      minWidth: 150,
      cell: ({ requestId }) => (
        <CopyValue value={requestId} shown={`${requestId.slice(0, REQUEST_ID_SHOWN)}…`} what="request id" />
      ),
    },
  ];
}
