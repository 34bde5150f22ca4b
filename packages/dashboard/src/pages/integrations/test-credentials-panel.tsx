import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table from '@cloudscape-design/components/table';
import { useState } from 'react';
import { useLoad } from '../../data/use-load.ts';
import { useNarrow } from '../../data/use-narrow.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { TestCredentials } from '../../gateway/library.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Breakable } from '../../ui/breakable.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Status } from '../../ui/status.tsx';
import { RemoveTestCredentialsDialog } from './remove-test-credentials-dialog.tsx';
import { TestCredentialsDialog } from './test-credentials-dialog.tsx';

/** What fits on a phone. */
const NARROW_COLUMNS = ['provider', 'actions'];

interface Row extends TestCredentials {
  readonly name: string;
}

/** The operator's own OAuth clients: what integrations on test credentials run on. */
export function TestCredentialsPanel() {
  const gateway = useGateway();
  const isNarrow = useNarrow();
  const { load, reload } = useLoad('test credentials', async (signal): Promise<readonly Row[]> => {
    const providers = await gateway.providers.list({ signal });
    return Promise.all(
      providers.map(async ({ name, displayName }) => ({
        ...(await gateway.testCredentials.get(name, { signal })),
        name: displayName,
      })),
    );
  });
  const [open, setOpen] = useState<{ kind: 'set' | 'remove'; row: Row } | undefined>(undefined);
  const close = (): void => setOpen(undefined);
  const done = (): void => {
    close();
    reload();
  };
  if (load.kind === 'failed') return <ErrorPanel error={load.error} onRetry={reload} />;
  return (
    <>
      <Table
        header={
          <Header variant="h2" description="One OAuth client per provider, for trying out integrations.">
            Test credentials
          </Header>
        }
        items={load.kind === 'ready' ? load.value : []}
        loading={load.kind === 'loading'}
        loadingText="Loading test credentials"
        trackBy="provider"
        wrapLines
        {...(isNarrow ? { visibleColumns: NARROW_COLUMNS } : {})}
        columnDefinitions={[
          {
            id: 'provider',
            header: 'Provider',
            isRowHeader: true,
            cell: ({ name, clientId }) => (
              <>
                {name}
                {isNarrow && <State clientId={clientId} />}
              </>
            ),
          },
          {
            id: 'state',
            header: 'State',
            cell: ({ clientId }) => <State clientId={clientId} />,
          },
          {
            id: 'actions',
            header: 'Actions',
            cell: (row) => (
              <Actions
                row={row}
                onSet={() => setOpen({ kind: 'set', row })}
                onRemove={() => setOpen({ kind: 'remove', row })}
              />
            ),
          },
        ]}
      />
      {open?.kind === 'set' && (
        <TestCredentialsDialog credentials={open.row} name={open.row.name} onDone={done} onClose={close} />
      )}
      {open?.kind === 'remove' && (
        <RemoveTestCredentialsDialog provider={open.row.provider} name={open.row.name} onDone={done} onClose={close} />
      )}
    </>
  );
}

function State({ clientId }: { clientId: string | undefined }) {
  return clientId === undefined ? (
    <div>
      <Status type="stopped">None</Status>
    </div>
  ) : (
    <div>
      <Status type="success">Active</Status>
      <div className="soft">
        <code>
          <Breakable text={clientId} />
        </code>
      </div>
    </div>
  );
}

function Actions({ row, onSet, onRemove }: { row: Row; onSet: () => void; onRemove: () => void }) {
  const isSet = row.clientId !== undefined;
  const verb = isSet ? 'Replace' : 'Activate';
  return (
    <SpaceBetween direction="horizontal" size="s">
      <ActionButton variant="inline-link" ariaLabel={`${verb} test credentials of ${row.name}`} onClick={onSet}>
        {verb}
      </ActionButton>
      {isSet && (
        <ActionButton variant="inline-link" ariaLabel={`Remove test credentials of ${row.name}`} onClick={onRemove}>
          Remove
        </ActionButton>
      )}
    </SpaceBetween>
  );
}
