import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { isFiltering, type ListFilter, readFilter, writeFilter } from '../../model/connection-filter.ts';
import { ConnectMenu } from '../../ui/connect/connect-menu.tsx';
import { Page } from '../../ui/page.tsx';
import { ConnectionsTable } from './connections-table.tsx';
import { FilterBar } from './filter-bar.tsx';

/** Every connection of the account, newest first. The filter is part of the address, so it can be sent to a colleague. */
export default function ConnectionsPage() {
  const [params, setParams] = useSearchParams();
  const [connected, setConnected] = useState(0);
  const filter = readFilter(params);
  const change = (next: ListFilter): void => setParams(writeFilter(next), { replace: true });
  const key = writeFilter(filter).toString();
  return (
    <Page
      title="Connections"
      description="One end user's account, connected through one integration."
      actions={<ConnectMenu onConnected={() => setConnected((count) => count + 1)} />}
    >
      <FilterBar filter={filter} onChange={change} />
      <ConnectionsTable key={`${key} ${connected}`} filter={filter} isFiltering={isFiltering(filter)} />
    </Page>
  );
}
