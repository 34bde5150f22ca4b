import SpaceBetween from '@cloudscape-design/components/space-between';
import Tabs, { type TabsProps } from '@cloudscape-design/components/tabs';
import { useState } from 'react';
import { useParams } from 'react-router';
import { useAddress } from '../../data/use-address.ts';
import { useLoad } from '../../data/use-load.ts';
import { CONNECTION_TABS } from '../../features/connection-tabs.ts';
import { useGateway, useParts } from '../../gateway/gateway-context.tsx';
import { inserted } from '../../model/features.ts';
import { endUserIdOf, titleOf } from '../../model/person.ts';
import { CopyValue } from '../../ui/copy.tsx';
import { Freshness } from '../../ui/freshness.tsx';
import { erasePersonHref, integrationHref, PageLink } from '../../ui/link.tsx';
import { LoadView } from '../../ui/load-view.tsx';
import { Page } from '../../ui/page.tsx';
import { ActionBar } from './action-bar.tsx';
import { CallsPanel } from './calls-panel.tsx';
import { DeletedPanel } from './deleted-panel.tsx';
import { DiagnosisPanel } from './diagnosis-panel.tsx';
import { FactsPanel } from './facts-panel.tsx';
import { loadConnection } from './load-connection.ts';
import { ScopesPanel } from './scopes-panel.tsx';
import { Timeline } from './timeline.tsx';
import { TryPanel } from './try-panel.tsx';

/** One connection. */
export default function ConnectionPage() {
  const { providerConfigKey = '', connectionId = '' } = useParams();
  const ref = { providerConfigKey, connectionId };
  const gateway = useGateway();
  const added = useParts(CONNECTION_TABS);
  const loaded = useLoad(`connection ${providerConfigKey} ${connectionId}`, (signal) =>
    loadConnection(gateway, ref, signal),
  );
  const [tab, setTab] = useAddress('tab', 'scopes');
  const facts = loaded.load.kind === 'ready' ? loaded.load.value : undefined;
  const connection = facts === undefined || facts === 'deleted' ? undefined : facts.connection;
  const endUserId = connection === undefined ? undefined : endUserIdOf(connection);
  // Whatever was done may have left an event.
  const [round, setRound] = useState(0);
  const changed = (): void => {
    loaded.reload();
    setRound((count) => count + 1);
  };
  return (
    <Page
      title={connection === undefined ? connectionId : titleOf(connection)}
      description={
        <>
          Connection <CopyValue value={connectionId} what="connection id" /> through{' '}
          <PageLink href={integrationHref(providerConfigKey)}>{providerConfigKey}</PageLink>
          {endUserId !== undefined && (
            <>
              {' · '}
              <PageLink href={erasePersonHref(endUserId)}>Erase this person</PageLink>
            </>
          )}
        </>
      }
      freshness={<Freshness loaded={loaded} />}
      actions={<ActionBar connectionRef={ref} loaded={loaded} onChanged={changed} />}
    >
      <LoadView loaded={loaded} height="70vh" what="the connection">
        {(facts) =>
          facts === 'deleted' ? (
            <DeletedPanel connectionRef={ref} />
          ) : (
            <SpaceBetween size="l">
              <DiagnosisPanel {...facts} onChanged={changed} />
              <FactsPanel connection={facts.connection} />
              <Tabs
                ariaLabel="More about the connection"
                activeTabId={tab}
                onChange={({ detail }) => setTab(detail.activeTabId)}
                tabs={added.reduce<readonly TabsProps.Tab[]>(
                  (tabs, { id, label, before, Panel }) =>
                    inserted(tabs, { id, label, content: <Panel connectionRef={ref} /> }, (one) => one.id === before),
                  [
                    {
                      id: 'scopes',
                      label: 'Scopes',
                      content: <ScopesPanel connection={facts.connection} catalogue={facts.provider.scopes} />,
                    },
                    {
                      id: 'timeline',
                      label: 'Timeline',
                      content: <Timeline connectionRef={ref} round={round} />,
                    },
                    {
                      id: 'calls',
                      label: 'Calls',
                      content: <CallsPanel connectionRef={ref} />,
                    },
                    {
                      id: 'try',
                      label: 'Try it',
                      content: <TryPanel connectionRef={ref} provider={facts.provider} />,
                    },
                  ],
                )}
              />
            </SpaceBetween>
          )
        }
      </LoadView>
    </Page>
  );
}
