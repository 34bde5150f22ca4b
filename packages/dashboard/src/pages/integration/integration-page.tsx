import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Tabs from '@cloudscape-design/components/tabs';
import { useState } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { useAddress } from '../../data/use-address.ts';
import { type Loaded, useLoad } from '../../data/use-load.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { Integration, Readiness } from '../../gateway/library.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { ConnectMenu } from '../../ui/connect/connect-menu.tsx';
import { DeclaredBy } from '../../ui/declared-by.tsx';
import { DOMAINS_ANCHOR } from '../../ui/link.tsx';
import { ConsoleButton } from '../../ui/link-button.tsx';
import { LoadView } from '../../ui/load-view.tsx';
import { Page } from '../../ui/page.tsx';
import { ClientStatus, Status } from '../../ui/status.tsx';
import { FullTime } from '../../ui/time.tsx';
import { UsageChart } from '../../ui/usage/usage-chart.tsx';
import { ConnectUserDialog } from './connect-user-dialog.tsx';
import { ConnectionsPanel } from './connections-panel.tsx';
import { CredentialsPanel } from './credentials-panel.tsx';
import { DelegationPanel } from './delegation-panel.tsx';
import { DeletePanel } from './delete-panel.tsx';
import { type IntegrationFacts, loadIntegration } from './load-integration.ts';
import { ReadinessPanel } from './readiness-panel.tsx';
import { ScopesPanel } from './scopes-panel.tsx';
import { SETTINGS_ANCHOR, SettingsPanel } from './settings-panel.tsx';

/** One integration. */
export default function IntegrationPage() {
  const { uniqueKey = '' } = useParams();
  const gateway = useGateway();
  const loaded = useLoad(`integration ${uniqueKey}`, (signal) => loadIntegration(gateway, uniqueKey, signal));
  // A new connection belongs into the list below.
  const [connected, setConnected] = useState(0);
  const [isConnecting, setConnecting] = useState(false);
  const name = loaded.load.kind === 'ready' ? loaded.load.value.integration.displayName : uniqueKey;
  return (
    <Page
      title={name}
      description="Integration"
      actions={
        loaded.load.kind === 'ready' && loaded.load.value.integration.delegation !== undefined ? (
          <ActionButton onClick={() => setConnecting(true)}>Connect a user</ActionButton>
        ) : loaded.load.kind === 'failed' ? null : (
          <ConnectMenu integrationId={uniqueKey} onConnected={() => setConnected((count) => count + 1)} />
        )
      }
    >
      <LoadView loaded={loaded} height="70vh" what="the integration">
        {(facts) => (
          <SpaceBetween size="l">
            <DeclaredBy of={facts.integration} />
            {facts.integration.testingSeenAt !== undefined && <TreatedAsTesting of={facts.integration} />}
            <IntegrationTabs facts={facts} loaded={loaded} connected={connected} />
            {isConnecting && (
              <ConnectUserDialog
                integrationId={uniqueKey}
                onClose={() => setConnecting(false)}
                onConnected={() => setConnected((count) => count + 1)}
              />
            )}
          </SpaceBetween>
        )}
      </LoadView>
    </Page>
  );
}

function TreatedAsTesting({ of: { testingSeenAt, publishingStatus } }: { of: Integration }) {
  return (
    <Alert
      type="warning"
      header="Google treats this app as Testing"
      action={<ConsoleButton section="audience">Publish the app at Google</ConsoleButton>}
    >
      The consent of <FullTime iso={testingSeenAt} /> was given for seven days only, as Google does for External apps in
      Testing
      {publishingStatus === 'testing' ? '' : ', although it is declared published here'}. Publish the app in the Google
      Cloud console. Existing connections still end after their seven days and need a new authorization.
    </Alert>
  );
}

/** Whether end users may come, and how much is left to do. */
function Standing({ of: { ready, steps }, onShow }: { of: Readiness; onShow: () => void }) {
  if (ready) return <Status type="success">Ready, as far as the gateway can check</Status>;
  const left = steps.filter(({ needed, done }) => needed && done !== true).length;
  return (
    <Button variant="inline-link" onClick={onShow}>
      {left} {left === 1 ? 'step' : 'steps'} to do or to check
    </Button>
  );
}

/** Tab that a part of the address leads to: a dialog, or a section that pages link to. */
function tabOf(wish: string, hash: string): string {
  if (wish === 'rotate' || hash === `#${DOMAINS_ANCHOR}`) return 'credentials';
  return hash === `#${SETTINGS_ANCHOR}` ? 'settings' : 'overview';
}

/** Everything about an integration, a tab for each kind of work. @param connected another number loads the connections again */
function IntegrationTabs({
  facts: { integration, readiness, provider },
  loaded,
  connected,
}: {
  facts: IntegrationFacts;
  loaded: Loaded<IntegrationFacts>;
  connected: number;
}) {
  const { uniqueKey, delegation } = integration;
  const [wish] = useAddress('do');
  const [chosen, setChosen] = useAddress('tab');
  const navigate = useNavigate();
  const { hash, pathname } = useLocation();
  const asked = tabOf(wish, hash);
  const tab = asked === 'overview' ? chosen || asked : asked;
  return (
    <Tabs
      ariaLabel="Parts of the integration"
      activeTabId={tab}
      onChange={({ detail: { activeTabId } }) => {
        // The address may lead to another tab by a section of it.
        if (hash === '') setChosen(activeTabId);
        else navigate(`${pathname}?tab=${activeTabId}`, { replace: true });
      }}
      tabs={[
        {
          id: 'overview',
          label: 'Overview',
          content: (
            <SpaceBetween size="l">
              <Container header={<Header variant="h2">Details</Header>}>
                <KeyValuePairs
                  columns={3}
                  items={[
                    { label: 'Id', value: <code>{uniqueKey}</code> },
                    { label: 'Provider', value: provider.displayName },
                    ...(integration.agentic === true
                      ? [{ label: 'Used by', value: 'AI agents only, with Google’s MCP servers' }]
                      : []),
                    { label: 'Google', value: <ClientStatus integration={integration} /> },
                    { label: 'Going live', value: <Standing of={readiness} onShow={() => setChosen('live')} /> },
                    { label: 'Created', value: <FullTime iso={integration.createdAt} /> },
                    { label: 'Changed', value: <FullTime iso={integration.updatedAt} /> },
                  ]}
                />
              </Container>
              <UsageChart integration={uniqueKey} />
              <ConnectionsPanel integrationId={uniqueKey} round={connected} />
            </SpaceBetween>
          ),
        },
        {
          id: 'live',
          label: 'Going live',
          content: <ReadinessPanel readiness={readiness} integrationId={uniqueKey} />,
        },
        {
          id: 'credentials',
          label: delegation === undefined ? 'Credentials' : 'Service account',
          content:
            delegation === undefined ? (
              <CredentialsPanel
                integration={integration}
                redirectUri={readiness.redirectUri}
                onChanged={loaded.reload}
              />
            ) : (
              <DelegationPanel integration={integration} delegation={delegation} onChanged={loaded.reload} />
            ),
        },
        {
          id: 'scopes',
          label: 'Scopes',
          content: <ScopesPanel integration={integration} provider={provider} onChanged={loaded.reload} />,
        },
        {
          id: 'settings',
          label: 'Settings',
          content: (
            <SpaceBetween size="l">
              <SettingsPanel
                integration={integration}
                onSaving={(saved) => loaded.replace((value) => ({ ...value, integration: saved }))}
                onSaved={loaded.reload}
              />
              <DeletePanel integration={integration} />
            </SpaceBetween>
          ),
        },
      ]}
    />
  );
}
