import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Tabs from '@cloudscape-design/components/tabs';
import { useState } from 'react';
import { useParams } from 'react-router';
import { useAction } from '../../data/use-action.ts';
import { useAddress } from '../../data/use-address.ts';
import { shortKeyId } from '../../data/use-key-names.ts';
import { type Loaded, useLoad } from '../../data/use-load.ts';
import { KEY_ACTIONS } from '../../features/key-actions.ts';
import { KEY_TABS } from '../../features/key-tabs.ts';
import { useGateway, useParts } from '../../gateway/gateway-context.tsx';
import type { AgentBinding, SecretKey, Usage } from '../../gateway/library.ts';
import { makerText } from '../../model/event-texts.ts';
import { failedCallsHref } from '../../model/failures.ts';
import { keyKindWords, keyRightWords } from '../../model/key-rights.ts';
import { firstDayOfWeek, usesOf, weekText } from '../../model/key-uses.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Breakable } from '../../ui/breakable.tsx';
import { DeclaredBy } from '../../ui/declared-by.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Freshness } from '../../ui/freshness.tsx';
import { auditHref, connectionHref, integrationHref, PageLink, searchHref } from '../../ui/link.tsx';
import { LoadView } from '../../ui/load-view.tsx';
import { useNotices } from '../../ui/notices.tsx';
import { Page } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { FullTime, Time } from '../../ui/time.tsx';
import { UsageChart } from '../../ui/usage/usage-chart.tsx';
import { KeyLimitsDialog } from './key-limits-dialog.tsx';
import { LimitsPanel } from './limits-panel.tsx';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';

/** The dialog that is open; those of features by the ids of their actions. */
type Open = 'limits' | 'revoke' | `feature:${string}`;

/** One secret key or IAM role: what it may do, how it is used, and what it did. Its address has the beginning of its id. */
export default function KeyPage() {
  const { keyId = '' } = useParams();
  const gateway = useGateway();
  const loaded = useLoad(`key ${keyId}`, async (signal) => {
    const found = (await gateway.keys.list({ signal })).find(({ id }) => id.startsWith(keyId));
    return found ?? 'unknown';
  });
  const uses = useLoad('uses of keys', (signal) =>
    gateway.usage({ by: 'key', from: firstDayOfWeek(Date.now()) }, { signal }),
  );
  const [open, setOpen] = useState<Open | undefined>(undefined);
  const actions = useParts(KEY_ACTIONS);
  const key = loaded.load.kind === 'ready' && loaded.load.value !== 'unknown' ? loaded.load.value : undefined;
  return (
    <Page
      title={key?.name ?? 'Secret key'}
      description={<Kind of={key} />}
      freshness={<Freshness loaded={loaded} others={[uses]} />}
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          {key !== undefined && isLimitable(key) && (
            <ActionButton onClick={() => setOpen('limits')}>Change the limits</ActionButton>
          )}
          {actions.map(
            ({ id, label, isFor }) =>
              key !== undefined &&
              isFor(key) && (
                <ActionButton key={id} onClick={() => setOpen(`feature:${id}`)}>
                  {label}
                </ActionButton>
              ),
          )}
          {key !== undefined && key.revokedAt === undefined && (
            <ActionButton onClick={() => setOpen('revoke')}>Revoke</ActionButton>
          )}
        </SpaceBetween>
      }
    >
      <LoadView loaded={loaded} height="60vh" what="the key">
        {(found) =>
          found === 'unknown' ? (
            <Box>
              No key has an id that begins with <code>{keyId}</code>.{' '}
              <PageLink href={auditHref(keyId)}>Look for it in the audit trail</PageLink>
            </Box>
          ) : (
            <KeyView secretKey={found} loaded={loaded} uses={uses} open={open} onClose={() => setOpen(undefined)} />
          )
        }
      </LoadView>
    </Page>
  );
}

function isLimitable({ right, canReadCredentials, revokedAt }: SecretKey): boolean {
  return revokedAt === undefined && right === 'proxy' && !canReadCredentials;
}

function Kind({ of: key }: { of: SecretKey | undefined }) {
  if (key === undefined) return null;
  return (
    <span className="wrap">
      {keyKindWords(key)} {key.roleArn ?? (key.hint === undefined ? '' : `that ends with ${key.hint}`)}
    </span>
  );
}

function KeyView({
  secretKey,
  loaded,
  uses,
  open,
  onClose,
}: {
  secretKey: SecretKey;
  loaded: Loaded<SecretKey | 'unknown'>;
  uses: Loaded<Usage>;
  open: Open | undefined;
  onClose: () => void;
}) {
  const gateway = useGateway();
  const notices = useNotices();
  const [tabs, actions] = [useParts(KEY_TABS), useParts(KEY_ACTIONS)];
  const [tab, setTab] = useAddress('tab', 'limits');
  const usage = uses.load.kind === 'ready' ? uses.load.value : undefined;
  const revoke = useAction(async () => {
    await gateway.keys.revoke(secretKey.id);
    loaded.replace((key) => (key === 'unknown' ? key : { ...key, revokedAt: new Date().toISOString() }));
    notices.success(`Revoked ${secretKey.name}. It stops working within a minute.`);
  });
  const { id } = secretKey;
  return (
    <SpaceBetween size="l">
      <ErrorPanel error={revoke.error} />
      {uses.load.kind === 'failed' && <ErrorPanel error={uses.load.error} onRetry={uses.reload} />}
      <DeclaredBy of={secretKey} />
      <Facts secretKey={secretKey} usage={usage} />
      <Tabs
        ariaLabel="More about the key"
        activeTabId={tab}
        onChange={({ detail }) => setTab(detail.activeTabId)}
        tabs={[
          {
            id: 'limits',
            label: 'Limits',
            content: <LimitsPanel secretKey={secretKey} isLimitable={isLimitable(secretKey)} />,
          },
          {
            id: 'use',
            label: 'Use',
            content: (
              <SpaceBetween size="m">
                <UsageChart keyId={shortKeyId(id)} />
                <PageLink href={failedCallsHref({ key: shortKeyId(id) })}>Its failed calls</PageLink>
              </SpaceBetween>
            ),
          },
          ...tabs.map(({ Panel, ...tab }) => ({ ...tab, content: <Panel keyId={id} /> })),
        ]}
      />
      {open === 'limits' && (
        <KeyLimitsDialog
          secretKey={secretKey}
          onChanged={(changed) => loaded.replace(() => changed)}
          onClose={onClose}
        />
      )}
      {actions.map(
        ({ id: action, Dialog }) =>
          open === `feature:${action}` && <Dialog key={action} secretKey={secretKey} onClose={onClose} />,
      )}
      {open === 'revoke' && (
        <RevokeKeyDialog
          secretKey={secretKey}
          usage={usage}
          onClose={onClose}
          onConfirm={() => {
            onClose();
            void revoke.run();
          }}
        />
      )}
    </SpaceBetween>
  );
}

function Facts({ secretKey, usage }: { secretKey: SecretKey; usage: Usage | undefined }) {
  const { id, right, integrationIds, canReadCredentials, agent, roleId, revokedAt } = secretKey;
  return (
    <Container>
      <KeyValuePairs
        columns={3}
        items={[
          {
            label: 'Status',
            value:
              revokedAt === undefined ? (
                <Status type="success">Active</Status>
              ) : (
                <>
                  <Status type="stopped">
                    Revoked <Time iso={revokedAt} />
                  </Status>{' '}
                  <PageLink href={auditHref(shortKeyId(id))}>Who revoked it</PageLink>
                </>
              ),
          },
          {
            label: 'May do',
            value: `${keyRightWords(right)}${canReadCredentials ? ', and read access tokens' : ''}`,
          },
          { label: 'Integrations', value: <Integrations ids={integrationIds} /> },
          { label: 'Last used', value: <FullTime iso={secretKey.lastUsedAt} otherwise="Never" /> },
          {
            label: 'Proxied calls',
            value: usage === undefined ? 'Not known yet' : weekText(usesOf(usage, id)),
          },
          { label: 'Created', value: <FullTime iso={secretKey.createdAt} /> },
          {
            label: 'Created by',
            value: <Breakable text={makerText(secretKey.createdBy, secretKey.createdByName)} />,
          },
          ...(agent === undefined ? [] : [{ label: 'Assistant of', value: <Agent of={agent} /> }]),
          ...(roleId === undefined ? [] : [{ label: 'Unique id of the role', value: <code>{roleId}</code> }]),
        ]}
      />
    </Container>
  );
}

function Integrations({ ids }: { ids: readonly string[] | undefined }) {
  if (ids === undefined) return 'All';
  return (
    <span className="wrap">
      {ids.map((id, i) => (
        <span key={id}>
          {i > 0 && ', '}
          <PageLink href={integrationHref(id)}>{id}</PageLink>
        </span>
      ))}
    </span>
  );
}

function Agent({ of: { endUserId, connections } }: { of: AgentBinding }) {
  return (
    <span className="wrap">
      {endUserId === undefined ? 'nobody in particular' : <PageLink href={searchHref(endUserId)}>{endUserId}</PageLink>}
      , with{' '}
      {connections.map(({ integrationId, connectionId }, i) => (
        <span key={integrationId}>
          {i > 0 && ', '}
          <PageLink href={connectionHref({ providerConfigKey: integrationId, connectionId })}>{integrationId}</PageLink>
        </span>
      ))}
    </span>
  );
}
