import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useAction } from '../../data/use-action.ts';
import { useLoad } from '../../data/use-load.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { Breakable } from '../../ui/breakable.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LoadView } from '../../ui/load-view.tsx';
import { FullTime } from '../../ui/time.tsx';

/** What a call that waits will do, with names as they are now, and the decision about it. */
export function DecideDialog({
  approvalId,
  onDecided,
  onClose,
}: {
  approvalId: string;
  onDecided: (decision: 'approve' | 'refuse') => void;
  onClose: () => void;
}) {
  const gateway = useGateway();
  const loaded = useLoad(`approval ${approvalId}`, (signal) => gateway.approvals.get(approvalId, { signal }));
  const { load } = loaded;
  const shown = load.kind === 'ready' ? load.value : undefined;
  const isOpen = shown?.status === 'pending';
  const decide = useAction<'approve' | 'refuse'>(async (decision) => {
    await gateway.approvals.decide(approvalId, decision, { seen: shown?.about?.seen });
    onDecided(decision);
  });
  return (
    <Dialog
      title={isOpen ? 'Approve this call?' : 'A call that waited for approval'}
      {...(isOpen ? { actionLabel: 'Approve it' } : {})}
      isRunning={decide.isRunning}
      error={decide.error}
      onAction={() => void decide.run('approve')}
      onClose={onClose}
    >
      <LoadView loaded={loaded} height="160px" what="the call">
        {({ about, status, method, keyName, providerConfigKey, connectionId, expiresAt, decidedAt }) => (
          <SpaceBetween size="m">
            {about !== undefined && (
              <SpaceBetween size="xs">
                <strong className="wrap">{about.sentence}</strong>
                {about.remarks.map((remark) => (
                  <span key={remark} className="wrap">
                    {remark}
                  </span>
                ))}
                {!about.isCertain && (
                  <Alert type="warning">
                    Not all of what it will change could be read. Approve it only if you know it.
                  </Alert>
                )}
              </SpaceBetween>
            )}
            <KeyValuePairs
              columns={2}
              items={[
                { label: 'Method', value: <Breakable text={method} /> },
                { label: 'Secret key', value: <Breakable text={keyName} /> },
                { label: 'Integration', value: <Breakable text={providerConfigKey} /> },
                { label: 'Connection', value: <Breakable text={connectionId} /> },
                ...(status === 'pending'
                  ? [{ label: 'Waits until', value: <FullTime iso={expiresAt} /> }]
                  : [{ label: 'Decided', value: <FullTime iso={decidedAt} otherwise="Not decided" /> }]),
              ]}
            />
            {status === 'pending' && (
              <Button loading={decide.isRunning} onClick={() => void decide.run('refuse')}>
                Refuse it
              </Button>
            )}
          </SpaceBetween>
        )}
      </LoadView>
    </Dialog>
  );
}
