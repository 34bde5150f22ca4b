import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useAction } from '../../data/use-action.ts';
import { useLoad } from '../../data/use-load.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { AboutApproval } from '../../gateway/library.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Breakable } from '../../ui/breakable.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LoadView } from '../../ui/load-view.tsx';
import { FullTime } from '../../ui/time.tsx';

/** What a waiting call will do, with names as they are now, and the decision about it; after the decision, what the person read. */
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
  const decide = useAction<'approve' | 'refuse'>(async (decision) => {
    await gateway.approvals.decide(approvalId, decision, { seen: shown?.about?.seen });
    onDecided(decision);
  });
  return (
    <Dialog
      title={shown?.status === 'pending' ? 'Approve this call?' : 'A call that waited for approval'}
      closeLabel="Close"
      isRunning={decide.isRunning}
      error={decide.error}
      onClose={onClose}
    >
      <LoadView loaded={loaded} height="160px" what="the call">
        {({
          about,
          status,
          method,
          keyName,
          providerConfigKey,
          connectionId,
          expiresAt,
          decidedAt,
          decidedBy,
          outcome,
        }) => (
          <SpaceBetween size="m">
            {about !== undefined && <WhatItDoes about={about} />}
            <KeyValuePairs
              columns={2}
              items={[
                { label: 'Method', value: <Breakable text={method} /> },
                { label: 'Secret key', value: <Breakable text={keyName} /> },
                { label: 'Integration', value: <Breakable text={providerConfigKey} /> },
                { label: 'Google account', value: <Breakable text={about?.account ?? '–'} /> },
                { label: 'Connection', value: <Breakable text={connectionId} /> },
                ...(status === 'pending'
                  ? [{ label: 'Waits until', value: <FullTime iso={expiresAt} /> }]
                  : [
                      { label: 'Decided', value: <FullTime iso={decidedAt} otherwise="Not decided" /> },
                      { label: 'Decided by', value: <Breakable text={decidedBy ?? '–'} /> },
                      { label: 'Outcome', value: <Breakable text={outcome ?? '–'} /> },
                    ]),
              ]}
            />
            {status === 'pending' && (
              <SpaceBetween size="xs" direction="horizontal">
                {about?.isCertain === true && (
                  <ActionButton disabled={decide.isRunning} onClick={() => void decide.run('approve')}>
                    Approve it
                  </ActionButton>
                )}
                <ActionButton disabled={decide.isRunning} onClick={() => void decide.run('refuse')}>
                  Refuse it
                </ActionButton>
              </SpaceBetween>
            )}
          </SpaceBetween>
        )}
      </LoadView>
    </Dialog>
  );
}

/** The sentence, its risks, and every change with old and new values. */
function WhatItDoes({ about: { sentence, facts, risks, remarks, isCertain, request } }: { about: AboutApproval }) {
  return (
    <SpaceBetween size="s">
      <strong className="wrap">{sentence}</strong>
      {risks.map((risk) => (
        <Alert key={risk} type="error">
          {risk}
        </Alert>
      ))}
      {remarks.map((remark) => (
        <Alert key={remark} type={isCertain ? 'info' : 'warning'}>
          <span className="wrap">{remark}</span>
        </Alert>
      ))}
      {facts.length > 0 && (
        <dl className="approval-facts">
          {facts.map(({ name, before, after, isRisk }) => (
            <div key={`${name} ${after}`}>
              <dt>{name}</dt>
              <dd>
                <Box {...(isRisk ? { color: 'text-status-error', fontWeight: 'bold' } : {})}>
                  {before !== undefined && (
                    <>
                      <del>{before}</del> →{' '}
                    </>
                  )}
                  {after ?? 'nothing'}
                </Box>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {request !== undefined && (
        <ExpandableSection headerText="Show the request">
          <pre className="approval-request">
            {`${request.method} ${request.target}`}
            {request.contentType === undefined ? '' : `\nContent-Type: ${request.contentType}`}
            {request.body === undefined ? '' : `\n\n${request.body}`}
          </pre>
        </ExpandableSection>
      )}
    </SpaceBetween>
  );
}
