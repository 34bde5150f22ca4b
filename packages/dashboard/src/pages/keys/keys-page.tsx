import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useEffect, useState } from 'react';
import { Navigate } from 'react-router';
import { useAction } from '../../data/use-action.ts';
import { useAddress } from '../../data/use-address.ts';
import { shortKeyId } from '../../data/use-key-names.ts';
import { useLoad } from '../../data/use-load.ts';
import { useMedium, useNarrow } from '../../data/use-narrow.ts';
import { NEW_KEYS } from '../../features/new-keys.ts';
import { useGateway, useParts } from '../../gateway/gateway-context.tsx';
import type { SecretKey, Usage } from '../../gateway/library.ts';
import { agentInWords } from '../../model/agent-keys.ts';
import { makerText } from '../../model/event-texts.ts';
import type { NewKey } from '../../model/feature-slots.ts';
import { limitsInWords } from '../../model/key-limits.ts';
import { keyRightWords } from '../../model/key-rights.ts';
import { firstDayOfWeek, usesOf, weekText } from '../../model/key-uses.ts';
import { forgetKeyDraft, type KeyDraft, readKeyDraft } from '../../session/key-draft.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Breakable } from '../../ui/breakable.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Freshness } from '../../ui/freshness.tsx';
import { auditHref, integrationHref, keyHref, PageLink } from '../../ui/link.tsx';
import { useNotices } from '../../ui/notices.tsx';
import { Page } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { RevokeKeyDialog } from '../key/revoke-key-dialog.tsx';
import { CreateKeyDialog } from './create-key-dialog.tsx';

/** What is being made. */
interface Creating {
  readonly draft: KeyDraft | undefined;
  readonly isRole: boolean;
}

/** What fits on a phone. */
const NARROW_COLUMNS = ['name', 'used', 'actions'];
const MEDIUM_COLUMNS = ['name', 'right', 'used', 'status', 'actions'];

/** The secret keys of the account, and the IAM roles that call instead of keys: made, used, revoked. The text of a key is shown once, when it is made. */
export default function KeysPage() {
  const gateway = useGateway();
  const notices = useNotices();
  const isNarrow = useNarrow();
  const isMedium = useMedium();
  const [wanted] = useAddress('key');
  const loaded = useLoad('keys', (signal) => gateway.keys.list({ signal }));
  const { load, reload, replace } = loaded;
  const uses = useLoad('uses of keys', (signal) =>
    gateway.usage({ by: 'key', from: firstDayOfWeek(Date.now()) }, { signal }),
  );
  const calls = uses.load.kind === 'ready' ? uses.load.value : undefined;
  const [creating, setCreating] = useState<Creating | undefined>(() => {
    const draft = readKeyDraft();
    return draft === undefined ? undefined : { draft, isRole: draft.role !== undefined };
  });
  // It comes back once: a later visit begins again.
  useEffect(forgetKeyDraft, []);
  const kinds = useParts(NEW_KEYS);
  const [kind, setKind] = useState<NewKey | undefined>(undefined);
  const [revoking, setRevoking] = useState<SecretKey | undefined>(undefined);
  const revoke = useAction<SecretKey>(async (key) => {
    const mark = (revokedAt: string | undefined): void =>
      replace((keys) => keys.map((one) => (one.id === key.id ? { ...one, revokedAt } : one)));
    mark(new Date().toISOString());
    try {
      await gateway.keys.revoke(key.id);
    } catch (error) {
      mark(undefined);
      throw error;
    }
    notices.success(`Revoked ${key.name}. It stops working within a minute.`);
  });
  // The address that lists had before keys had pages.
  if (wanted !== '') return <Navigate to={keyHref(wanted)} replace />;
  return (
    <Page
      title="Secret keys"
      description="Your backend calls the gateway with a secret key. It gives access to all connections, so keep it on your servers."
      freshness={<Freshness loaded={loaded} others={[uses]} />}
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          {kinds.map((one) => (
            <ActionButton key={one.label} onClick={() => setKind(one)}>
              {one.label}
            </ActionButton>
          ))}
          <ActionButton onClick={() => setCreating({ draft: undefined, isRole: true })}>
            Register an IAM role
          </ActionButton>
          <ActionButton variant="primary" onClick={() => setCreating({ draft: undefined, isRole: false })}>
            Create a secret key
          </ActionButton>
        </SpaceBetween>
      }
    >
      <ErrorPanel error={revoke.error} />
      {uses.load.kind === 'failed' && load.kind === 'ready' && (
        <ErrorPanel error={uses.load.error} onRetry={uses.reload} />
      )}
      {load.kind === 'failed' ? (
        <ErrorPanel
          error={load.error}
          onRetry={() => {
            reload();
            uses.reload();
          }}
        />
      ) : (
        <Table
          items={load.kind === 'ready' ? load.value : []}
          loading={load.kind === 'loading'}
          loadingText="Loading secret keys"
          trackBy="id"
          wrapLines
          ariaLabels={{ tableLabel: 'Secret keys' }}
          columnDefinitions={columns(isNarrow, calls, setRevoking)}
          {...(isMedium ? { visibleColumns: isNarrow ? NARROW_COLUMNS : MEDIUM_COLUMNS } : {})}
          empty={<Box textAlign="center">There are no secret keys. Your backend needs one.</Box>}
        />
      )}
      {creating !== undefined && (
        <CreateKeyDialog
          draft={creating.draft}
          isRole={creating.isRole}
          onClose={() => {
            setCreating(undefined);
            reload();
          }}
        />
      )}
      {kind !== undefined && (
        <kind.Dialog
          onClose={() => {
            setKind(undefined);
            reload();
          }}
        />
      )}
      {revoking !== undefined && (
        <RevokeKeyDialog
          secretKey={revoking}
          usage={calls}
          onClose={() => setRevoking(undefined)}
          onConfirm={() => {
            setRevoking(undefined);
            void revoke.run(revoking);
          }}
        />
      )}
    </Page>
  );
}

function columns(
  isNarrow: boolean,
  usage: Usage | undefined,
  onRevoke: (key: SecretKey) => void,
): TableProps.ColumnDefinition<SecretKey>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      isRowHeader: true,
      ...(isNarrow ? {} : { minWidth: 120 }),
      cell: ({ id, name, right, integrationIds, hint, roleArn, agent }) => (
        <>
          <PageLink href={keyHref(id)}>
            <span className="wrap">{name}</span>
          </PageLink>
          {hint !== undefined && (
            <>
              {' '}
              <span className="soft one-piece">…{hint}</span>
            </>
          )}
          {roleArn !== undefined && <div className="soft wrap">IAM role {roleArn}</div>}
          {agent !== undefined && <div className="soft wrap">{agentInWords(agent)}</div>}
          {isNarrow && (
            <div className="soft wrap">
              {keyRightWords(right)}
              {integrationIds !== undefined && `: ${integrationIds.join(', ')}`}
            </div>
          )}
        </>
      ),
    },
    {
      id: 'right',
      header: 'May do',
      cell: ({ right, integrationIds, limits, canReadCredentials }) => (
        <>
          {keyRightWords(right)}
          {integrationIds !== undefined && (
            <div className="wrap">
              with{' '}
              {integrationIds.map((id, i) => (
                <span key={id}>
                  {i > 0 && ', '}
                  <PageLink href={integrationHref(id)}>{id}</PageLink>
                </span>
              ))}
            </div>
          )}
          {canReadCredentials && <div>and read access tokens</div>}
          {limits !== undefined && <div className="soft wrap">{limitsInWords(limits)}</div>}
        </>
      ),
    },
    {
      id: 'used',
      header: 'Last used',
      cell: ({ id, lastUsedAt }) => (
        <>
          <Time iso={lastUsedAt} />
          {usage !== undefined && <div className="soft">{weekText(usesOf(usage, id))}</div>}
        </>
      ),
    },
    {
      id: 'created',
      header: 'Created, by',
      minWidth: 125,
      cell: ({ createdAt, createdBy, createdByName }) => (
        <>
          <Time iso={createdAt} />
          <div className="soft wrap">
            <Breakable text={makerText(createdBy, createdByName)} />
          </div>
        </>
      ),
    },
    {
      id: 'status',
      header: 'Status',
      minWidth: 105,
      cell: ({ id, name, revokedAt }) =>
        revokedAt === undefined ? (
          <Status type="success">Active</Status>
        ) : (
          <>
            <Status type="stopped">
              Revoked <Time iso={revokedAt} />
            </Status>
            <div>
              <PageLink href={auditHref(shortKeyId(id))} ariaLabel={`Who revoked it: ${name}`}>
                Who revoked it
              </PageLink>
            </div>
          </>
        ),
    },
    {
      id: 'actions',
      header: <span className="visually-hidden">Actions</span>,
      cell: (key) =>
        key.revokedAt === undefined ? (
          <ActionButton
            variant="inline-icon"
            iconName="remove"
            ariaLabel={`Revoke ${key.name}`}
            onClick={() => onRevoke(key)}
          />
        ) : (
          // The column that has it does not fit on a phone.
          isNarrow && 'Revoked'
        ),
    },
  ];
}
