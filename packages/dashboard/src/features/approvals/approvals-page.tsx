import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import Toggle from '@cloudscape-design/components/toggle';
import { useEffect, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { useAction } from '../../data/use-action.ts';
import { useLoad } from '../../data/use-load.ts';
import { useNarrow } from '../../data/use-narrow.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { AboutApproval, Approval } from '../../gateway/library.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Breakable } from '../../ui/breakable.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Freshness } from '../../ui/freshness.tsx';
import { connectionHref, PageLink } from '../../ui/link.tsx';
import { useNotices } from '../../ui/notices.tsx';
import { Page } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { approvalHref } from './approval-href.ts';
import { DecideDialog } from './decide-dialog.tsx';
import { waitingCallsOf } from './waiting-calls.ts';

/** What fits on a phone. */
const NARROW_COLUMNS = ['what', 'state'];

const STATES: Readonly<Record<string, readonly [tone: 'info' | 'success' | 'warning' | 'error', text: string]>> = {
  pending: ['warning', 'Waits'],
  approved: ['info', 'Approved'],
  running: ['info', 'Being sent'],
  done: ['success', 'Carried out'],
  refused: ['info', 'Refused'],
  expired: ['info', 'Expired'],
  stale: ['warning', 'Changed meanwhile'],
  failed: ['error', 'Failed'],
  unknown: ['error', 'Outcome unknown'],
};

/** Calls of the last day that wait, or have waited, until a person approves them; the address of one opens it. */
export default function ApprovalsPage() {
  const gateway = useGateway();
  const waitingCalls = waitingCallsOf(gateway);
  const notices = useNotices();
  const navigate = useNavigate();
  const isNarrow = useNarrow();
  const { approvalId } = useParams();
  const loaded = useLoad('approvals', (signal) => gateway.approvals.list({ signal }));
  const { load, reload } = loaded;
  const approvals = load.kind === 'ready' ? load.value : [];
  const waiting = approvals.filter(isWaiting).length;
  useEffect(() => {
    if (load.kind === 'ready') waitingCalls.take(waiting);
  }, [waitingCalls, load, waiting]);
  const [isFiltered, setFiltered] = useState(false);
  const leave = () => void navigate('/approvals');
  const decided = (decision: 'approve' | 'refuse') => {
    notices.success(decision === 'approve' ? 'Approved. The call is sent now.' : 'Refused. Nothing was sent.');
    reload();
  };
  const decide = useAction<{ approval: Approval; decision: 'approve' | 'refuse' }>(async ({ approval, decision }) => {
    await gateway.approvals.decide(approval.id, decision, { seen: approval.about?.seen });
    decided(decision);
  });
  const columns = [
    WHAT,
    stateColumn(decide.isRunning, (approval, decision) => void decide.run({ approval, decision })),
    ...OTHER_COLUMNS,
  ];
  return (
    <Page
      title="Approvals"
      description="Calls that wait until a person approves them, because the limits of their key say so."
      freshness={<Freshness loaded={loaded} />}
    >
      {load.kind === 'failed' ? (
        <ErrorPanel error={load.error} onRetry={reload} />
      ) : (
        <SpaceBetween size="m">
          {load.kind === 'ready' && (
            <Status type={waiting === 0 ? 'success' : 'warning'}>
              {waiting === 0 ? 'No call waits.' : waiting === 1 ? 'One call waits.' : `${waiting} calls wait.`}
            </Status>
          )}
          <ErrorPanel error={decide.error} />
          <Toggle checked={isFiltered} onChange={({ detail }) => setFiltered(detail.checked)}>
            Show waiting calls only
          </Toggle>
          <Table
            items={isFiltered ? approvals.filter(isWaiting) : approvals}
            loading={load.kind === 'loading'}
            loadingText="Loading approvals"
            trackBy="id"
            wrapLines
            ariaLabels={{ tableLabel: 'Approvals' }}
            columnDefinitions={columns}
            {...(isNarrow ? { visibleColumns: NARROW_COLUMNS } : {})}
            empty={
              <Box textAlign="center">
                No call has waited in the last day. The limits of a secret key decide which calls wait.
              </Box>
            }
          />
        </SpaceBetween>
      )}
      {approvalId !== undefined && (
        <DecideDialog
          key={approvalId}
          approvalId={approvalId}
          onDecided={(decision) => {
            leave();
            decided(decision);
          }}
          onClose={leave}
        />
      )}
    </Page>
  );
}

function isWaiting({ status }: Approval): boolean {
  return status === 'pending';
}

/** Characters of facts up to which a row shows all of them. */
const ROW_MAX_CHARACTERS = 600;

/** Whether a row shows everything that the call does, so that the call can be approved there. */
function fitsRow({ facts, remarks }: AboutApproval): boolean {
  const texts = [...facts.flatMap(({ name, before = '', after = '' }) => [name, before, after]), ...remarks];
  return texts.reduce((sum, text) => sum + text.length, 0) <= ROW_MAX_CHARACTERS;
}

/** The state, and for waiting calls the decision; both buttons look alike. */
function stateColumn(
  isRunning: boolean,
  decide: (approval: Approval, decision: 'approve' | 'refuse') => void,
): TableProps.ColumnDefinition<Approval> {
  return {
    id: 'state',
    header: 'State',
    minWidth: 150,
    cell: (approval) => {
      const { about, id, requestedAt } = approval;
      return (
        <SpaceBetween size="xxs">
          <div>
            <StateOf status={approval.status} />
            <div className="soft">
              Asked <Time iso={requestedAt} />
            </div>
          </div>
          {isWaiting(approval) && about !== undefined && (
            <div className="approval-decision">
              {about.isCertain && fitsRow(about) && (
                <ActionButton
                  fullWidth
                  disabled={isRunning}
                  ariaLabel={`Approve: ${about.sentence}`}
                  onClick={() => decide(approval, 'approve')}
                >
                  Approve
                </ActionButton>
              )}
              {about.isCertain && !fitsRow(about) && <PageLink href={approvalHref(id)}>Read all and decide</PageLink>}
              <ActionButton
                fullWidth
                disabled={isRunning}
                ariaLabel={`Refuse: ${about.sentence}`}
                onClick={() => decide(approval, 'refuse')}
              >
                Refuse
              </ActionButton>
            </div>
          )}
        </SpaceBetween>
      );
    },
  };
}

/** What a call does, as far as a row has room. */
function Effect({ about }: { about: AboutApproval }) {
  const { risks, facts, remarks } = about;
  return (
    <>
      {risks.map((risk) => (
        <Box key={risk} color="text-status-error" fontWeight="bold">
          {risk}
        </Box>
      ))}
      {(fitsRow(about) ? facts : facts.filter(({ isRisk }) => isRisk)).map(({ name, before, after }) => (
        <div key={`${name} ${after}`} className="soft">
          <Breakable text={`${name}: ${before === undefined ? '' : `${before} → `}${after ?? 'nothing'}`} />
        </div>
      ))}
      {remarks.map((remark) => (
        <div key={remark}>{remark}</div>
      ))}
    </>
  );
}

function StateOf({ status }: { status: string }) {
  const [tone, text] = STATES[status] ?? (['info', status] as const);
  return <Status type={tone}>{text}</Status>;
}

const WHAT: TableProps.ColumnDefinition<Approval> = {
  id: 'what',
  header: 'What it does',
  isRowHeader: true,
  cell: ({ id, about, method, ...connection }) => (
    <span className="wrap">
      <PageLink href={approvalHref(id)}>
        <Breakable text={about?.sentence ?? method} />
      </PageLink>
      {about !== undefined && <Effect about={about} />}
      <div>
        As{' '}
        <PageLink href={connectionHref(connection)}>
          <Breakable text={about?.account ?? connection.connectionId} />
        </PageLink>{' '}
        <span className="soft">{connection.providerConfigKey}</span>
      </div>
    </span>
  ),
};

const OTHER_COLUMNS: TableProps.ColumnDefinition<Approval>[] = [
  {
    id: 'key',
    header: 'Secret key',
    cell: ({ keyName }) => <Breakable text={keyName} />,
  },
  {
    id: 'decided',
    header: 'Decided',
    cell: ({ decidedAt, decidedBy, status, expiresAt }) =>
      decidedAt !== undefined ? (
        <span className="wrap">
          <Time iso={decidedAt} />
          <div className="soft">
            <Breakable text={decidedBy ?? ''} />
          </div>
        </span>
      ) : status === 'pending' ? (
        <>
          Waits until <Time iso={expiresAt} />
        </>
      ) : (
        '–'
      ),
  },
];
