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

/** Authorizes a connection again: here in a window, or by a link for the end user. */
export function ReconnectDialog({
  connection,
  onConnected,
  onClose,
}: {
  connection: Connection;
  onConnected: () => void;
  onClose: () => void;
}) {
  const gateway = useGateway();
  const [allowAccountChange, setAllow] = useState(false);
  const [session, setSession] = useState<ConnectSession | undefined>(undefined);
  const { flow, start } = useConnectFlow(onConnected);
  const { connectionId, providerConfigKey } = connection;
  const makeSession = (): Promise<ConnectSession> =>
    gateway.connectSessions.reconnect({ connectionId, providerConfigKey, allowAccountChange });
  const makeLink = useAction(async () => setSession(await makeSession()));
  if (session !== undefined) {
    return (
      <Dialog title="Reconnect link" onClose={onClose} isKept>
        <SharedLink session={session} />
      </Dialog>
    );
  }
  const isOver = flow.kind === 'connected';
  return (
    <Dialog
      title="Reconnect"
      {...(isOver ? {} : { actionLabel: flow.kind === 'open' ? 'Start again' : 'Open the connect window' })}
      onAction={() => start(makeSession)}
      onClose={onClose}
    >
      {flow.kind === 'idle' && (
        <SpaceBetween size="m">
          <span>
            The account that was connected, {connection.providerAccount?.email ?? 'whichever it is'}, must give consent
            again. Only its owner can do that: send them a link, which is valid for 30 minutes, or open the window if it
            is your account.
          </span>
          <Checkbox
            checked={allowAccountChange}
            description="The connection keeps its id and its history and uses the other account from then on."
            onChange={({ detail }) => setAllow(detail.checked)}
          >
            Allow another account
          </Checkbox>
          <ActionButton formAction="none" loading={makeLink.isRunning} onClick={() => void makeLink.run()}>
            Create a link for the end user
          </ActionButton>
          <ErrorPanel error={makeLink.error} />
        </SpaceBetween>
      )}
      <FlowStatus flow={flow} />
    </Dialog>
  );
}
