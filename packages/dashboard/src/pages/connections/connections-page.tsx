import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { loadWholeList } from '../../data/load-connection-page.ts';
import { saveFile } from '../../data/save-file.ts';
import { useAction } from '../../data/use-action.ts';
import { useAddress } from '../../data/use-address.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { ConnectionSummary } from '../../gateway/library.ts';
import { isFiltering, type ListFilter, readFilter, readPage, writeFilter } from '../../model/connection-filter.ts';
import { csv } from '../../model/csv.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { ConnectMenu } from '../../ui/connect/connect-menu.tsx';
import { ReconnectLinksDialog } from '../../ui/connect/reconnect-links-dialog.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { connectionHref, PageLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { ConnectionsTable, keyOf } from './connections-table.tsx';
import { FilterBar } from './filter-bar.tsx';

/** Connections chosen at once: as many as links an account may make in a minute. */
const CHOSEN_MAX = 600;

/** Every connection of the account. Filter, order and page are part of the address, so they can be sent to a colleague. */
export default function ConnectionsPage() {
  const gateway = useGateway();
  const [params, setParams] = useSearchParams();
  const [changes, setChanges] = useState(0);
  const [chosen, setChosen] = useState<ReadonlyMap<string, ConnectionSummary>>(new Map());
  const [isMending, setMending] = useState(false);
  const filter = readFilter(params);
  const page = readPage(params);
  const change = (next: ListFilter): void => setParams(writeFilter(next), { replace: true });
  const turnTo = (next: number): void => {
    const query = writeFilter(filter);
    if (next > 1) query.set('page', String(next));
    setParams(query);
    scrollTo(0, 0);
  };
  const key = writeFilter(filter).toString();
  const save = useAction(async () =>
    saveFile('connections.csv', 'text/csv', asCsv(await loadWholeList(gateway, filter))),
  );
  const chooseAll = useAction(async () => {
    const all = await loadWholeList(gateway, filter, CHOSEN_MAX);
    setChosen(new Map(all.map((one) => [keyOf(one), one])));
  });
  const [wish, setWish] = useAddress('do');
  const { run: choose } = chooseAll;
  useEffect(() => {
    if (wish !== 'reconnect') return;
    setWish('');
    void choose().then(() => setMending(true));
  }, [wish, setWish, choose]);
  const refs = [...chosen.values()];
  return (
    <Page
      title="Connections"
      description={
        <>
          A connection is one end user's account, connected through one integration.{' '}
          <PageLink href="/reconnect-links">Reconnect links that were sent</PageLink>
          {' · '}
          <PageLink href="/erase-person">Erase a person</PageLink>
        </>
      }
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <Button loading={save.isRunning} onClick={() => void save.run()}>
            Export as CSV
          </Button>
          <ConnectMenu onConnected={() => setChanges((count) => count + 1)} />
        </SpaceBetween>
      }
    >
      <FilterBar filter={filter} onChange={change} />
      <ErrorPanel error={save.error ?? chooseAll.error} />
      <section className="chosen-bar" aria-label="Selected connections">
        <span role="status">
          {refs.length === 0 ? 'Select connections to create reconnect links.' : `${refs.length} selected`}
        </span>
        <ActionButton variant="primary" disabled={refs.length === 0} onClick={() => setMending(true)}>
          Reconnect links
        </ActionButton>
        {isFiltering(filter) && (
          <Button loading={chooseAll.isRunning} onClick={() => void chooseAll.run()}>
            Select all matches
          </Button>
        )}
        <Button disabled={refs.length === 0} onClick={() => setChosen(new Map())}>
          Select none
        </Button>
      </section>
      <ConnectionsTable
        key={`${key} ${changes}`}
        filter={filter}
        page={page}
        isFiltering={isFiltering(filter)}
        chosen={chosen}
        onChoose={setChosen}
        onSort={(sort) => change({ ...filter, sort })}
        onPage={turnTo}
      />
      {isMending && refs.length > 0 && <ReconnectLinksDialog refs={refs} onClose={() => setMending(false)} />}
    </Page>
  );
}

function asCsv(connections: readonly ConnectionSummary[]): string {
  const head = [
    'integration',
    'connection',
    'name',
    'e-mail',
    'end user',
    'organization',
    'account',
    'status',
    'cause',
    'last used',
    'created',
    'page',
  ];
  const rows = connections.map((one) => [
    one.providerConfigKey,
    one.connectionId,
    one.endUser?.displayName,
    one.endUser?.email,
    one.endUser?.id,
    one.endUser?.organization?.displayName ?? one.endUser?.organization?.id,
    one.providerAccount?.email,
    one.status,
    one.cause,
    one.lastUsedAt,
    one.createdAt,
    new URL(connectionHref(one), location.origin).href,
  ]);
  return csv([head, ...rows]);
}
