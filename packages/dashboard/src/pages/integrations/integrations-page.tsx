import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Cards from '@cloudscape-design/components/cards';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useAddress } from '../../data/use-address.ts';
import { useLoad } from '../../data/use-load.ts';
import { INTEGRATIONS_LINKS } from '../../features/integrations-links.ts';
import { useGateway, useParts } from '../../gateway/gateway-context.tsx';
import type { Integration, IntegrationFigures, UsageDay } from '../../gateway/library.ts';
import { type ListStatus, NO_FILTER, writeFilter } from '../../model/connection-filter.ts';
import { shortScope } from '../../model/scopes.ts';
import { DAY_MS, startOfDay } from '../../model/time.ts';
import { ActionLink } from '../../ui/action-button.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Freshness } from '../../ui/freshness.tsx';
import { integrationHref, PageLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { ClientStatus, Status } from '../../ui/status.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import { TestCredentialsPanel } from './test-credentials-panel.tsx';

/** Days whose changes and calls a card sums up, today included: as many as the overview counts by integration. */
const WEEK_DAYS = 7;

/** Every integration of the account. */
export default function IntegrationsPage() {
  const gateway = useGateway();
  const links = useParts(INTEGRATIONS_LINKS);
  const loaded = useLoad('integrations', (signal) => gateway.integrations.list({ signal }));
  const { load, reload } = loaded;
  const [client, setClient] = useAddress('client');
  const all = load.kind === 'ready' ? load.value : [];
  const isRefusedOnly = client === 'refused';
  const figures = useLoad('figures of integrations', (signal) => gateway.overview({ signal }));
  const from = new Date(startOfDay(Date.now()) - (WEEK_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  const usage = useLoad(`usage since ${from}`, (signal) => gateway.usage({ from }, { signal }));
  const figuresOf = (uniqueKey: string) =>
    figures.load.kind === 'ready'
      ? figures.load.value.byIntegration.find((one) => one.uniqueKey === uniqueKey)
      : undefined;
  const callsOf = (uniqueKey: string) =>
    usage.load.kind === 'ready'
      ? usage.load.value.rows.filter(({ providerConfigKey }) => providerConfigKey === uniqueKey)
      : undefined;
  return (
    <Page
      title="Integrations"
      description={
        <>
          An integration is one OAuth client or service account for one provider, with the scopes that are requested
          from users.{' '}
          {links.map(({ label, href }) => (
            <PageLink key={href} href={href}>
              {label}
            </PageLink>
          ))}
        </>
      }
      freshness={<Freshness loaded={loaded} others={[figures, usage]} />}
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <ActionLink href="/new-delegation">Use a service account</ActionLink>
          <ActionLink variant="primary" href="/new-integration">
            Create an integration
          </ActionLink>
        </SpaceBetween>
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
                {
                  id: 'connections',
                  header: 'Connections',
                  content: (one) => <ConnectionFigures uniqueKey={one.uniqueKey} figures={figuresOf(one.uniqueKey)} />,
                },
                {
                  id: 'week',
                  header: 'Last seven days',
                  content: (one) => <Week figures={figuresOf(one.uniqueKey)} calls={callsOf(one.uniqueKey)} />,
                },
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
        {integration.delegation === undefined
          ? `${integration.credentialsSource === 'test' ? 'Test credentials' : 'Own client'}, ${integration.mode} mode`
          : `Service account, ${integration.delegation.via === 'aws' ? 'without a key' : 'with a key'}`}
      </span>
      <ClientStatus integration={integration} />
      {integration.publishingStatus === 'testing' && integration.audience === 'external' && (
        <Status type="warning">In Testing: grants last seven days</Status>
      )}
    </SpaceBetween>
  );
}

/** How many connections work, fail and are dead, each a link to them. */
function ConnectionFigures({ uniqueKey, figures }: { uniqueKey: string; figures: IntegrationFigures | undefined }) {
  if (figures === undefined) return <span>–</span>;
  const { working, failing, refusedByProvider, clientRefused, dead } = figures;
  const all: readonly (readonly [count: number, words: string, status: ListStatus])[] = [
    [working, 'working', 'working'],
    [failing, 'failing', 'failing'],
    [refusedByProvider, 'not renewed', 'refused_by_provider'],
    [clientRefused, 'of a refused client', 'client_refused'],
    [dead, 'dead', 'reauthorization_required'],
  ];
  const always: readonly ListStatus[] = ['working', 'failing', 'reauthorization_required'];
  return (
    <span className="wrap">
      {all
        .filter(([count, , status]) => count > 0 || always.includes(status))
        .map(([count, words, status], at) => (
          <span key={status}>
            {at > 0 && ', '}
            <PageLink href={`/connections?${writeFilter({ ...NO_FILTER, integration: uniqueKey, status })}`}>
              {count.toLocaleString('en')} {words}
            </PageLink>
          </span>
        ))}
    </span>
  );
}

/** What became of the connections in the week, and how their calls went. */
function Week({ figures, calls }: { figures: IntegrationFigures | undefined; calls: readonly UsageDay[] | undefined }) {
  const total = calls?.reduce((sum, one) => sum + one.calls, 0);
  const ok = calls?.reduce((sum, one) => sum + one.ok, 0);
  return (
    <SpaceBetween size="xxs">
      {figures !== undefined && (
        <span>
          {figures.week.created} connected, {figures.week.died} died, {figures.week.mended} came back
        </span>
      )}
      {total !== undefined && ok !== undefined && (
        <span>
          {total.toLocaleString('en')} {total === 1 ? 'call' : 'calls'}, {(total - ok).toLocaleString('en')} not
          successful
        </span>
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
        <ActionLink href="/new-integration">Create an integration</ActionLink>
      </SpaceBetween>
    </Box>
  );
}
