import Box from '@cloudscape-design/components/box';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useEffect, useState } from 'react';
import { shortKeyId } from '../../data/use-key-names.ts';
import { useLoad } from '../../data/use-load.ts';
import { useNarrow } from '../../data/use-narrow.ts';
import { useFeature, useWorkplace } from '../../gateway/gateway-context.tsx';
import type { Approval, SecretKey } from '../../gateway/library.ts';
import { agentInWords, isOfAgent } from '../../model/agent-keys.ts';
import { limitsInWords } from '../../model/key-limits.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Breakable } from '../../ui/breakable.tsx';
import { Freshness } from '../../ui/freshness.tsx';
import { keyHref, PageLink } from '../../ui/link.tsx';
import { LoadView } from '../../ui/load-view.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { UndoDialog } from '../undo/undo-dialog.tsx';
import { CreateAgentDialog } from './create-agent-dialog.tsx';

/** What fits on a phone. */
const NARROW_COLUMNS = ['name', 'waiting', 'undo'];

/** A key and how many of its calls wait. */
interface AgentKey extends SecretKey {
  readonly waiting: number;
}

/** Keys of agents that still work: what waits for approval, what they may do, and a way back from what they wrote. */
export default function AgentsPage() {
  const { gateway, waitingCalls } = useWorkplace();
  const [hasAgents, hasApprovals, hasUndo] = [useFeature('agents'), useFeature('approvals'), useFeature('undo')];
  const isNarrow = useNarrow();
  const [undoing, setUndoing] = useState<SecretKey | undefined>(undefined);
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
            columnDefinitions={columnsOf(setUndoing).filter(
              ({ id }) => (id !== 'waiting' || hasApprovals) && (id !== 'undo' || hasUndo),
            )}
            {...(isNarrow ? { visibleColumns: NARROW_COLUMNS } : {})}
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
      {undoing !== undefined && (
        <UndoDialog
          of={{ keyId: shortKeyId(undoing.id) }}
          what={`what ${undoing.name} wrote`}
          onClose={() => setUndoing(undefined)}
        />
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

function columnsOf(onUndo: (key: SecretKey) => void): TableProps.ColumnDefinition<AgentKey>[] {
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
    {
      id: 'undo',
      header: 'Undo',
      minWidth: 110,
      cell: (key) =>
        key.limits?.journal === undefined ? (
          'No journal'
        ) : (
          <ActionButton variant="inline-link" ariaLabel={`Undo what ${key.name} wrote`} onClick={() => onUndo(key)}>
            Undo
          </ActionButton>
        ),
    },
  ];
}
