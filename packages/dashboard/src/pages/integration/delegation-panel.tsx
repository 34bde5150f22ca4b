import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table from '@cloudscape-design/components/table';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useLoad } from '../../data/use-load.ts';
import { useMedium, useNarrow } from '../../data/use-narrow.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { DelegationState, Integration } from '../../gateway/library.ts';
import { domainStanding } from '../../model/delegation.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { CopyValue } from '../../ui/copy.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { DOMAINS_ANCHOR } from '../../ui/link.tsx';
import { Status } from '../../ui/status.tsx';
import { FullTime, Time } from '../../ui/time.tsx';
import { AdminLinkDialog } from './admin-link-dialog.tsx';
import { CheckDomainDialog } from './check-domain-dialog.tsx';
import { DelegationDialog } from './delegation-dialog.tsx';

/** What fits on a phone, where a domain is checked by the button above. */
const NARROW_COLUMNS = ['domain', 'standing'];

/** A domain of the integration; without a state, nobody has checked or used it yet. */
type Domain = Pick<DelegationState['domains'][number], 'domain'> & {
  readonly state?: DelegationState['domains'][number];
};

/** The domains that were checked or used, and those that are only configured. */
function domainsOf(known: DelegationState['domains'], configured: readonly string[]): readonly Domain[] {
  const seen = new Set(known.map(({ domain }) => domain));
  return [
    ...known.map((state) => ({ domain: state.domain, state })),
    ...configured.filter((domain) => !seen.has(domain)).map((domain) => ({ domain })),
  ];
}

/** The service account of an integration: its allowed users, the values that administrators list, and its state in each domain. */
export function DelegationPanel({
  integration,
  delegation,
  onChanged,
}: {
  integration: Integration;
  delegation: NonNullable<Integration['delegation']>;
  onChanged: () => void;
}) {
  const gateway = useGateway();
  const { uniqueKey } = integration;
  const { load, reload } = useLoad(`delegation of ${uniqueKey}`, (signal) =>
    gateway.integrations.delegation(uniqueKey, { signal }),
  );
  const isNarrow = useNarrow();
  const isMedium = useMedium();
  const [open, setOpen] = useState<'check' | 'link' | 'change' | undefined>();
  const [address, setAddress] = useState('');
  const isAsked = useLocation().hash === `#${DOMAINS_ANCHOR}`;
  const isReady = load.kind === 'ready';
  useEffect(() => {
    if (isAsked && isReady) document.getElementById(DOMAINS_ANCHOR)?.scrollIntoView({ block: 'center' });
  }, [isAsked, isReady]);
  const close = (): void => setOpen(undefined);
  const check = (of: string): void => {
    setAddress(of);
    setOpen('check');
  };
  return (
    <SpaceBetween size="l">
      <Container
        header={
          <Header variant="h2" actions={<ActionButton onClick={() => setOpen('change')}>Change</ActionButton>}>
            Service account
          </Header>
        }
      >
        <KeyValuePairs
          columns={isNarrow ? 1 : isMedium ? 2 : 3}
          items={[
            { label: 'Address', value: <CopyValue value={delegation.serviceAccount} what="the address" /> },
            { label: 'Client ID', value: <CopyValue value={delegation.clientId} what="the client ID" /> },
            { label: 'Scopes', value: <CopyValue value={integration.scopes.join(',')} what="the scopes" /> },
            { label: 'Google Cloud project', value: delegation.projectNumber },
            { label: 'Signs', value: <Signing delegation={delegation} /> },
            { label: 'Domains', value: listOf(delegation.subjects.domains) },
            { label: 'Addresses', value: listOf(delegation.subjects.addresses) },
            { label: 'Exceptions', value: listOf(delegation.subjects.exceptions) },
            { label: 'New users an hour', value: delegation.newSubjectsPerHour ?? '–' },
            {
              label: 'Domain administrator access',
              value: delegation.allowDomainAdminAccess ? <Status type="warning">Allowed</Status> : 'Refused',
            },
          ]}
        />
      </Container>
      {load.kind === 'failed' ? (
        <ErrorPanel error={load.error} onRetry={reload} />
      ) : (
        <Table<Domain>
          header={
            <Header
              variant="h2"
              description="The administrator of each domain lists the client ID with the scopes. The gateway checks a lost domain every ten minutes."
              actions={
                <SpaceBetween direction="horizontal" size="xs">
                  <ActionButton onClick={() => check('')}>Check a domain</ActionButton>
                  <ActionButton variant="primary" onClick={() => setOpen('link')}>
                    Create a link for an administrator
                  </ActionButton>
                </SpaceBetween>
              }
            >
              <span id={DOMAINS_ANCHOR}>Domains</span>
            </Header>
          }
          items={load.kind === 'ready' ? domainsOf(load.value.domains, delegation.subjects.domains) : []}
          loading={load.kind === 'loading'}
          loadingText="Loading domains"
          trackBy="domain"
          wrapLines
          {...(isNarrow ? { visibleColumns: NARROW_COLUMNS } : {})}
          empty={<Box textAlign="center">No domain was checked or used yet.</Box>}
          columnDefinitions={[
            { id: 'domain', header: 'Domain', cell: ({ domain }) => domain, isRowHeader: true },
            { id: 'standing', header: 'State', cell: ({ state }) => <Standing of={state} /> },
            { id: 'since', header: 'Since', cell: ({ state }) => <Time iso={state?.since} otherwise="–" /> },
            {
              id: 'check',
              header: 'Check',
              cell: ({ domain }) => (
                <ActionButton variant="inline-link" ariaLabel={`Check ${domain}`} onClick={() => check(`@${domain}`)}>
                  Check
                </ActionButton>
              ),
            },
          ]}
        />
      )}
      {open === 'check' && (
        <CheckDomainDialog integrationId={uniqueKey} address={address} onClose={close} onChecked={reload} />
      )}
      {open === 'link' && <AdminLinkDialog integrationId={uniqueKey} onClose={close} />}
      {open === 'change' && (
        <DelegationDialog
          integration={integration}
          delegation={delegation}
          onClose={close}
          onDone={() => {
            close();
            onChanged();
          }}
        />
      )}
    </SpaceBetween>
  );
}

function listOf(entries: readonly string[]): string {
  return entries.length === 0 ? '–' : entries.join(', ');
}

function Signing({ delegation: { via, keyId, keyAddedAt } }: { delegation: NonNullable<Integration['delegation']> }) {
  if (via === 'aws') return 'Without a key, by the gateway’s AWS role';
  return (
    <>
      By the key <code>{keyId}</code>
      {keyAddedAt !== undefined && (
        <>
          {' '}
          of <FullTime iso={keyAddedAt} />
        </>
      )}
    </>
  );
}

function Standing({ of }: { of: Domain['state'] }) {
  if (of === undefined) return <Status type="pending">Not checked yet</Status>;
  switch (domainStanding(of, Date.now())) {
    case 'listed':
      return <Status type="success">Listed</Status>;
    case 'pending':
      return <Status type="pending">Not listed yet, or not known to Google: up to 24 hours</Status>;
    case 'lost':
      return <Status type="error">Not listed: no connection of it works</Status>;
    case 'unknown':
      return <Status type="info">Not known</Status>;
  }
}
