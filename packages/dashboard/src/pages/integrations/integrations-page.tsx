import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Cards from '@cloudscape-design/components/cards';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useAddress } from '../../data/use-address.ts';
import { useLoad } from '../../data/use-load.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { Integration } from '../../gateway/library.ts';
import { shortScope } from '../../model/scopes.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { integrationHref, PageLink } from '../../ui/link.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from '../../ui/page.tsx';
import { ClientStatus, Status } from '../../ui/status.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import { TestCredentialsPanel } from './test-credentials-panel.tsx';

/** Every integration of the account. */
export default function IntegrationsPage() {
  const gateway = useGateway();
  const { load, reload } = useLoad('integrations', (signal) => gateway.integrations.list({ signal }));
  const [client, setClient] = useAddress('client');
  const all = load.kind === 'ready' ? load.value : [];
  const isRefusedOnly = client === 'refused';
  return (
    <Page
      title="Integrations"
      description="An integration is one OAuth client for one provider, with the scopes that are requested from users."
      actions={
        <LinkButton variant="primary" href="/new-integration">
          Create an integration
        </LinkButton>
      }
    >
      {load.kind === 'failed' ? (
        <ErrorPanel error={load.error} onRetry={reload} />
      ) : (
        <div className="cards-room">
          {isRefusedOnly && (
            <Box margin={{ bottom: 's' }}>
              Integrations whose OAuth client Google refuses.{' '}
              <Button variant="inline-link" onClick={() => setClient('')}>
                Show all {all.length}
              </Button>
            </Box>
          )}
          <Cards
            items={isRefusedOnly ? all.filter(({ credentialsFault }) => credentialsFault !== undefined) : all}
            loading={load.kind === 'loading'}
            loadingText="Loading integrations"
            trackBy="uniqueKey"
            ariaLabels={{ itemSelectionLabel: () => '', selectionGroupLabel: '' }}
            cardsPerRow={[{ cards: 1 }, { minWidth: 700, cards: 2 }, { minWidth: 1150, cards: 3 }]}
            cardDefinition={{
              header: (one) => (
                <PageLink fontSize="heading-m" href={integrationHref(one.uniqueKey)}>
                  {one.displayName}
                </PageLink>
              ),
              sections: [
                { id: 'key', header: 'Id', content: (one) => <code>{one.uniqueKey}</code> },
                { id: 'provider', header: 'Provider', content: (one) => one.provider },
                { id: 'credentials', header: 'Credentials', content: (one) => <Credentials integration={one} /> },
                { id: 'scopes', header: 'Scopes', content: (one) => <Scopes scopes={one.scopes} /> },
              ],
            }}
            empty={isRefusedOnly ? <Box textAlign="center">Google refuses none of the OAuth clients.</Box> : <Empty />}
          />
        </div>
      )}
      <TestCredentialsPanel />
      <PreviewPanel />
    </Page>
  );
}

function Credentials({ integration }: { integration: Integration }) {
  return (
    <SpaceBetween size="xxs">
      <span>
        {integration.credentialsSource === 'test' ? 'Test credentials' : 'Own client'}, {integration.mode} mode
      </span>
      <ClientStatus integration={integration} />
      {integration.publishingStatus === 'testing' && integration.audience === 'external' && (
        <Status type="warning">In Testing: grants last seven days</Status>
      )}
    </SpaceBetween>
  );
}

function Scopes({ scopes }: { scopes: readonly string[] }) {
  return <span className="wrap">{scopes.map(shortScope).join(', ')}</span>;
}

function Empty() {
  return (
    <Box textAlign="center" padding="l">
      <SpaceBetween size="s">
        <Box variant="strong">No integration yet</Box>
        <Box color="text-body-secondary">Start with test credentials; they need no setup at Google.</Box>
        <LinkButton href="/new-integration">Create an integration</LinkButton>
      </SpaceBetween>
    </Box>
  );
}
