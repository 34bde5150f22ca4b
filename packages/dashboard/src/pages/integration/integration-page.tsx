import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useParams } from 'react-router';
import { useLoad } from '../../data/use-load.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { ConnectMenu } from '../../ui/connect/connect-menu.tsx';
import { ConsoleButton } from '../../ui/link-button.tsx';
import { LoadView } from '../../ui/load-view.tsx';
import { Page } from '../../ui/page.tsx';
import { ClientStatus } from '../../ui/status.tsx';
import { FullTime } from '../../ui/time.tsx';
import { UsageChart } from '../../ui/usage/usage-chart.tsx';
import { ConnectUserDialog } from './connect-user-dialog.tsx';
import { ConnectionsPanel } from './connections-panel.tsx';
import { CredentialsPanel } from './credentials-panel.tsx';
import { DelegationPanel } from './delegation-panel.tsx';
import { DeletePanel } from './delete-panel.tsx';
import { loadIntegration } from './load-integration.ts';
import { ReadinessPanel } from './readiness-panel.tsx';
import { ScopesPanel } from './scopes-panel.tsx';
import { SettingsPanel } from './settings-panel.tsx';

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
          <Button onClick={() => setConnecting(true)}>Connect a user</Button>
        ) : loaded.load.kind === 'failed' ? null : (
          <ConnectMenu integrationId={uniqueKey} onConnected={() => setConnected((count) => count + 1)} />
        )
      }
    >
      <LoadView loaded={loaded} height="70vh" what="the integration">
        {({ integration, readiness, provider }) => (
          <SpaceBetween size="l">
            <Container header={<Header variant="h2">Details</Header>}>
              <KeyValuePairs
                columns={3}
                items={[
                  { label: 'Id', value: <code>{integration.uniqueKey}</code> },
                  { label: 'Provider', value: provider.displayName },
                  ...(integration.agentic === true
                    ? [{ label: 'Used by', value: 'AI agents only, with Google’s MCP servers' }]
                    : []),
                  { label: 'Google', value: <ClientStatus integration={integration} /> },
                  { label: 'Created', value: <FullTime iso={integration.createdAt} /> },
                  { label: 'Changed', value: <FullTime iso={integration.updatedAt} /> },
                ]}
              />
            </Container>
            {integration.testingSeenAt !== undefined && (
              <Alert
                type="warning"
                header="Google treats this app as Testing"
                action={<ConsoleButton section="audience">Publish the app at Google</ConsoleButton>}
              >
                The consent of <FullTime iso={integration.testingSeenAt} /> was given for seven days only, as Google
                does for External apps in Testing
                {integration.publishingStatus === 'testing' ? '' : ', although it is declared published here'}. Publish
                the app in the Google Cloud console. Existing connections still end after their seven days and need a
                new authorization.
              </Alert>
            )}
            <UsageChart integration={uniqueKey} />
            <ReadinessPanel readiness={readiness} integrationId={uniqueKey} />
            {integration.delegation === undefined ? (
              <CredentialsPanel
                integration={integration}
                redirectUri={readiness.redirectUri}
                onChanged={loaded.reload}
              />
            ) : (
              <DelegationPanel
                integration={integration}
                delegation={integration.delegation}
                onChanged={loaded.reload}
              />
            )}
            <SettingsPanel
              integration={integration}
              onSaving={(saved) => loaded.replace((value) => ({ ...value, integration: saved }))}
              onSaved={loaded.reload}
            />
            <ScopesPanel integration={integration} provider={provider} onChanged={loaded.reload} />
            <ConnectionsPanel integrationId={uniqueKey} round={connected} />
            <DeletePanel integration={integration} />
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
