import Alert from '@cloudscape-design/components/alert';
import Checkbox from '@cloudscape-design/components/checkbox';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useAction } from '../../data/use-action.ts';
import { useConnectFlow } from '../../data/use-connect-flow.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { Connection, ConnectSession } from '../../gateway/library.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { FlowStatus } from '../../ui/connect/flow-status.tsx';
import { SharedLink } from '../../ui/connect/share-link-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';

/** Has the owner of a connection select files for it: here in a window, or by a link. */
export function PickDialog({
  connection,
  onPicked,
  onClose,
}: {
  connection: Connection;
  onPicked: () => void;
  onClose: () => void;
}) {
  const gateway = useGateway();
  const [multiple, setMultiple] = useState(true);
  const [folders, setFolders] = useState(false);
  const [session, setSession] = useState<ConnectSession | undefined>(undefined);
  const { flow, start } = useConnectFlow(onPicked);
  const { connectionId, providerConfigKey } = connection;
  const makeSession = (): Promise<ConnectSession> =>
    gateway.connectSessions.create({
      allowedIntegrations: [providerConfigKey],
      pick: { connectionId, multiple, folders },
    });
  const makeLink = useAction(async () => setSession(await makeSession()));
  if (session !== undefined) {
    return (
      <Dialog title="Link for selecting files" onClose={onClose}>
        <SharedLink session={session} />
      </Dialog>
    );
  }
  const isOver = flow.kind === 'connected';
  const isCancelled = flow.kind === 'closed' && flow.said === undefined;
  return (
    <Dialog
      title="Select files"
      {...(isOver ? {} : { actionLabel: flow.kind === 'open' ? 'Start again' : 'Open the picker' })}
      onAction={() => start(makeSession)}
      onClose={onClose}
    >
      {(flow.kind === 'idle' || isCancelled) && (
        <SpaceBetween size="m">
          {isCancelled && <Alert type="info">No file was selected, and nothing was changed.</Alert>}
          <span>
            With drive.file, the connection can access files that your app created and files that its user selects in
            Google's picker. Only the owner of the account,{' '}
            {connection.providerAccount?.email ?? 'the person who connected it'}, can select files: send them a link, or
            open the picker if it is your account.
          </span>
          <Checkbox checked={multiple} onChange={({ detail }) => setMultiple(detail.checked)}>
            Several files
          </Checkbox>
          <Checkbox
            checked={folders}
            description="Google does not say whether a folder gives access to its contents."
            onChange={({ detail }) => setFolders(detail.checked)}
          >
            Include folders
          </Checkbox>
          <ActionButton loading={makeLink.isRunning} onClick={() => void makeLink.run()}>
            Create a link for the end user
          </ActionButton>
          <ErrorPanel error={makeLink.error} />
        </SpaceBetween>
      )}
      {!isCancelled && <FlowStatus flow={flow} />}
    </Dialog>
  );
}
