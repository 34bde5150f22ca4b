import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useEffect, useState } from 'react';
import { useAction } from '../../data/use-action.ts';
import { useAddress } from '../../data/use-address.ts';
import { shortKeyId } from '../../data/use-key-names.ts';
import { useLoad } from '../../data/use-load.ts';
import { useNarrow } from '../../data/use-narrow.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { AgentBinding, SecretKey, Usage } from '../../gateway/library.ts';
import { makerText } from '../../model/event-texts.ts';
import { limitsInWords } from '../../model/key-limits.ts';
import { keyRightWords } from '../../model/key-rights.ts';
import { firstDayOfWeek, usesOf, weekText } from '../../model/key-uses.ts';
import { forgetKeyDraft, type KeyDraft, readKeyDraft } from '../../session/key-draft.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Freshness } from '../../ui/freshness.tsx';
import { auditHref, integrationHref, PageLink } from '../../ui/link.tsx';
import { useNotices } from '../../ui/notices.tsx';
import { Page } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { CreateAgentDialog } from './create-agent-dialog.tsx';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { KeyLimitsDialog } from './key-limits-dialog.tsx';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';
import { UndoDialog } from './undo-dialog.tsx';

/** What is being made. */
interface Creating {
  readonly draft: KeyDraft | undefined;
  readonly isRole: boolean;
}

/** What fits on a phone. */
const NARROW_COLUMNS = ['name', 'used', 'actions'];

/** The secret keys of the account, and the IAM roles that call instead of keys: made, used, revoked. The text of a key is shown once, when it is made. */
export default function KeysPage() {
  const gateway = useGateway();
  const notices = useNotices();
  const isNarrow = useNarrow();
  const [wanted, setWanted] = useAddress('key');
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
  const [isCreatingAgent, setCreatingAgent] = useState(false);
  const [revoking, setRevoking] = useState<SecretKey | undefined>(undefined);
  const [limiting, setLimiting] = useState<SecretKey | undefined>(undefined);
  const [undoing, setUndoing] = useState<SecretKey | undefined>(undefined);
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
  return (
    <Page
      title="Secret keys"
      description="Your backend calls the gateway with a secret key. It gives access to all connections, so keep it on your servers."
      actions={
        <SpaceBetween direction="horizontal" size="s" alignItems="center">
          <Freshness loaded={loaded} others={[uses]} />
          <Button onClick={() => setCreatingAgent(true)}>Create an agent key</Button>
          <Button onClick={() => setCreating({ draft: undefined, isRole: true })}>Register an IAM role</Button>
          <Button variant="primary" onClick={() => setCreating({ draft: undefined, isRole: false })}>
            Create a secret key
          </Button>
        </SpaceBetween>
      }
    >
      <ErrorPanel error={revoke.error} />
      {uses.load.kind === 'failed' && load.kind === 'ready' && (
        <ErrorPanel error={uses.load.error} onRetry={uses.reload} />
      )}
      {wanted !== '' && (
        <Box>
          The key whose id begins with <code>{wanted}</code>.{' '}
          <Button variant="inline-link" onClick={() => setWanted('')}>
            Show all keys
          </Button>
        </Box>
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
          items={load.kind === 'ready' ? load.value.filter(({ id }) => id.startsWith(wanted)) : []}
          loading={load.kind === 'loading'}
          loadingText="Loading secret keys"
          trackBy="id"
          wrapLines
          ariaLabels={{ tableLabel: 'Secret keys' }}
          columnDefinitions={columns(isNarrow, calls, {
            onRevoke: setRevoking,
            onLimit: setLimiting,
            onUndo: setUndoing,
          })}
          {...(isNarrow ? { visibleColumns: NARROW_COLUMNS } : {})}
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
      {isCreatingAgent && (
        <CreateAgentDialog
          onClose={() => {
            setCreatingAgent(false);
            reload();
          }}
        />
      )}
      {limiting !== undefined && (
        <KeyLimitsDialog
          secretKey={limiting}
          onChanged={(changed) => replace((keys) => keys.map((one) => (one.id === changed.id ? changed : one)))}
          onClose={() => setLimiting(undefined)}
        />
      )}
      {undoing !== undefined && (
        <UndoDialog
          of={{ keyId: undoing.id }}
          what={`what ${undoing.name} wrote`}
          onClose={() => setUndoing(undefined)}
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

function agentInWords({ endUserId, connections }: AgentBinding): string {
  const integrations = connections.map(({ integrationId }) => integrationId).join(', ');
  return `Assistant${endUserId === undefined ? '' : ` of ${endUserId}`} with ${integrations}`;
}

function columns(
  isNarrow: boolean,
  usage: Usage | undefined,
  { onRevoke, onLimit, onUndo }: Readonly<Record<'onRevoke' | 'onLimit' | 'onUndo', (key: SecretKey) => void>>,
): TableProps.ColumnDefinition<SecretKey>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      isRowHeader: true,
      ...(isNarrow ? {} : { minWidth: 120 }),
      cell: ({ name, right, integrationIds, hint, roleArn, agent }) => (
        <>
          <span className="wrap">{name}</span>
          {hint !== undefined && <span className="soft"> …{hint}</span>}
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
              <PageLink href={auditHref(shortKeyId(id))} ariaLabel={`By whom ${name} was revoked`}>
                By whom
              </PageLink>
            </div>
          </>
        ),
    },
    {
      id: 'actions',
      header: 'Actions',
      cell: (key) =>
        key.revokedAt === undefined ? (
          <SpaceBetween size="xxs">
            {key.right === 'proxy' && !key.canReadCredentials && (
              <Button variant="inline-link" ariaLabel={`Limits of ${key.name}`} onClick={() => onLimit(key)}>
                Limits
              </Button>
            )}
            {key.limits?.journal !== undefined && (
              <Button variant="inline-link" ariaLabel={`Undo what ${key.name} wrote`} onClick={() => onUndo(key)}>
                Undo
              </Button>
            )}
            <Button variant="inline-link" ariaLabel={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
              Revoke
            </Button>
          </SpaceBetween>
        ) : (
          <SpaceBetween size="xxs">
            {/* The column that tells it does not fit on a phone. */}
            <span>{isNarrow ? 'Revoked' : key.limits?.journal === undefined ? '–' : ''}</span>
            {key.limits?.journal !== undefined && (
              <Button variant="inline-link" ariaLabel={`Undo what ${key.name} wrote`} onClick={() => onUndo(key)}>
                Undo
              </Button>
            )}
          </SpaceBetween>
        ),
    },
  ];
}
