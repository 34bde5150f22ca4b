import Box from '@cloudscape-design/components/box';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useEffect, useState } from 'react';
import { useLoad } from '../../data/use-load.ts';
import { useNarrow } from '../../data/use-narrow.ts';
import { useFeature, useGateway, useParts } from '../../gateway/gateway-context.tsx';
import type { Approval, SecretKey } from '../../gateway/library.ts';
import { agentInWords, isOfAgent } from '../../model/agent-keys.ts';
import type { KeyAction } from '../../model/feature-slots.ts';
import { limitsInWords } from '../../model/key-limits.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Breakable } from '../../ui/breakable.tsx';
import { Freshness } from '../../ui/freshness.tsx';
import { keyHref, PageLink } from '../../ui/link.tsx';
import { LoadView } from '../../ui/load-view.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { waitingCallsOf } from '../approvals/waiting-calls.ts';
import { KEY_ACTIONS } from '../key-actions.ts';
import { CreateAgentDialog } from './create-agent-dialog.tsx';

/** What fits on a phone. */
const NARROW_COLUMNS = ['name', 'waiting'];

/** A key and how many of its calls wait. */
interface AgentKey extends SecretKey {
  readonly waiting: number;
}

/** Something that is being done with a key. */
interface Acting {
  readonly action: KeyAction;
  readonly secretKey: SecretKey;
}

/** Keys of agents that still work: what waits for approval, what they may do, and a way back from what they wrote. */
export default function AgentsPage() {
  const gateway = useGateway();
  const waitingCalls = waitingCallsOf(gateway);
  const [hasAgents, hasApprovals] = [useFeature('agents'), useFeature('approvals')];
  const actions = useParts(KEY_ACTIONS);
  const isNarrow = useNarrow();
  const [acting, setActing] = useState<Acting | undefined>(undefined);
  const [isCreating, setCreating] = useState(false);
  const loaded = useLoad('agents', async (signal) => {
    const [keys, approvals] = await Promise.all([
      gateway.keys.list({ signal }),
      hasApprovals ? gateway.approvals.list({ about: false, signal }) : [],
    ]);
    return { keys, waiting: approvals.filter(({ status }) => status === 'pending') };
  });
  const { load } = loaded;
  useEffect(() => {
    if (load.kind === 'ready') waitingCalls.take(load.value.waiting.length);
  }, [waitingCalls, load]);
  return (
    <Page
      title="Agent keys"
      description="Keys of assistants, and keys whose writes wait for approval or can be undone."
      freshness={<Freshness loaded={loaded} />}
      actions={hasAgents && <ActionButton onClick={() => setCreating(true)}>Create an agent key</ActionButton>}
    >
      <LoadView loaded={loaded} height="40vh" what="the keys of agents">
        {({ keys, waiting }) => (
          <Table
            items={agentKeys(keys, waiting)}
            trackBy="id"
            wrapLines
            ariaLabels={{ tableLabel: 'Agent keys' }}
            columnDefinitions={columnsOf(actions, setActing).filter(({ id }) => id !== 'waiting' || hasApprovals)}
            {...(isNarrow ? { visibleColumns: [...NARROW_COLUMNS, ...actions.map(({ id }) => id)] } : {})}
            empty={<Box textAlign="center">No agent has a key.</Box>}
          />
        )}
      </LoadView>
      {isCreating && (
        <CreateAgentDialog
          onClose={() => {
            setCreating(false);
            loaded.reload();
          }}
        />
      )}
      {acting !== undefined && (
        <acting.action.Dialog secretKey={acting.secretKey} onClose={() => setActing(undefined)} />
      )}
    </Page>
  );
}

function agentKeys(keys: readonly SecretKey[], waiting: readonly Approval[]): readonly AgentKey[] {
  return keys
    .filter((key) => key.revokedAt === undefined && isOfAgent(key))
    .map((key) => ({ ...key, waiting: waiting.filter(({ keyId }) => key.id.startsWith(keyId)).length }))
    .sort((a, b) => b.waiting - a.waiting);
}

function columnsOf(
  actions: readonly KeyAction[],
  onAct: (acting: Acting) => void,
): TableProps.ColumnDefinition<AgentKey>[] {
  return [
    {
      id: 'name',
      header: 'Key',
      isRowHeader: true,
      cell: ({ id, name, agent }) => (
        <>
          <PageLink href={keyHref(id)}>
            <Breakable text={name} />
          </PageLink>
          {agent !== undefined && <div className="soft wrap">{agentInWords(agent)}</div>}
        </>
      ),
    },
    {
      id: 'waiting',
      header: 'Waiting calls',
      cell: ({ waiting, name }) =>
        waiting === 0 ? (
          'None'
        ) : (
          <PageLink href="/approvals" ariaLabel={`${waiting} waiting calls of ${name}`}>
            {waiting.toLocaleString('en')}
          </PageLink>
        ),
    },
    { id: 'limits', header: 'Limits', cell: ({ limits }) => <span className="wrap">{limitsInWords(limits)}</span> },
    { id: 'used', header: 'Last used', cell: ({ lastUsedAt }) => <Time iso={lastUsedAt} otherwise="Not seen yet" /> },
    ...actions.map((action) => ({
      id: action.id,
      header: action.column.header,
      minWidth: 110,
      cell: (secretKey: AgentKey) =>
        action.isFor(secretKey) ? (
          <ActionButton
            variant="inline-link"
            ariaLabel={action.ariaLabel(secretKey)}
            onClick={() => onAct({ action, secretKey })}
          >
            {action.column.label}
          </ActionButton>
        ) : (
          action.column.otherwise
        ),
    })),
  ];
}
