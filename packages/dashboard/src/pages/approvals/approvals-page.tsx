import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useNavigate, useParams } from 'react-router';
import { useLoad } from '../../data/use-load.ts';
import { useNarrow } from '../../data/use-narrow.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { Approval } from '../../gateway/library.ts';
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

/** What fits on a phone. */
const NARROW_COLUMNS = ['method', 'state'];

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
  const notices = useNotices();
  const navigate = useNavigate();
  const isNarrow = useNarrow();
  const { approvalId } = useParams();
  const loaded = useLoad('approvals', (signal) => gateway.approvals.list({ signal }));
  const { load, reload } = loaded;
  const approvals = load.kind === 'ready' ? load.value : [];
  const waiting = approvals.filter(({ status }) => status === 'pending').length;
  const leave = () => void navigate('/approvals');
  return (
    <Page
      title="Approvals"
      description="Calls that the limits of their key let pass only once a person has approved them."
      actions={<Freshness loaded={loaded} />}
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
          <Table
            items={approvals}
            loading={load.kind === 'loading'}
            loadingText="Loading approvals"
            trackBy="id"
            wrapLines
            ariaLabels={{ tableLabel: 'Approvals' }}
            columnDefinitions={COLUMNS}
            {...(isNarrow ? { visibleColumns: NARROW_COLUMNS } : {})}
            empty={
              <Box textAlign="center">
                No call has waited in the last day. Which calls do is said by the limits of a secret key.
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
            notices.success(decision === 'approve' ? 'Approved. The call is sent now.' : 'Refused. Nothing was sent.');
            leave();
            reload();
          }}
          onClose={leave}
        />
      )}
    </Page>
  );
}

function StateOf({ status }: { status: string }) {
  const [tone, text] = STATES[status] ?? (['info', status] as const);
  return <Status type={tone}>{text}</Status>;
}

const COLUMNS: TableProps.ColumnDefinition<Approval>[] = [
  {
    id: 'method',
    header: 'Call',
    isRowHeader: true,
    cell: (approval) => (
      <span className="wrap">
        <PageLink href={approvalHref(approval.id)}>
          <Breakable text={approval.method} />
        </PageLink>
        <div>
          <PageLink href={connectionHref(approval)}>
            <Breakable text={approval.connectionId} />
          </PageLink>{' '}
          <span className="soft">{approval.providerConfigKey}</span>
        </div>
      </span>
    ),
  },
  {
    id: 'state',
    header: 'State',
    minWidth: 140,
    cell: ({ status, requestedAt }) => (
      <>
        <StateOf status={status} />
        <div className="soft">
          Asked <Time iso={requestedAt} />
        </div>
      </>
    ),
  },
  {
    id: 'key',
    header: 'Secret key',
    cell: ({ keyName }) => <Breakable text={keyName} />,
  },
  {
    id: 'decided',
    header: 'Decided',
    cell: ({ decidedAt, status, expiresAt }) =>
      decidedAt !== undefined ? (
        <Time iso={decidedAt} />
      ) : status === 'pending' ? (
        <>
          Until <Time iso={expiresAt} />
        </>
      ) : (
        '–'
      ),
  },
];
