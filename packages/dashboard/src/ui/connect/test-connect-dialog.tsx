import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useCallback, useState } from 'react';
import { useConnectFlow } from '../../data/use-connect-flow.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { Dialog } from '../dialog.tsx';
import { type EndUserDraft, EndUserFields, endUserOf } from './end-user-fields.tsx';
import { FlowStatus } from './flow-status.tsx';
import { IntegrationField } from './integration-field.tsx';

/** Connects an account in a window of its own, as an end user would. */
export function TestConnectDialog({
  integrationId,
  onConnected,
  onClose,
}: {
  integrationId: string | undefined;
  onConnected: () => void;
  onClose: () => void;
}) {
  const gateway = useGateway();
  const [chosen, setChosen] = useState(integrationId ?? '');
  const [endUser, setEndUser] = useState<EndUserDraft>({ id: 'test-user', email: '' });
  const { flow, start } = useConnectFlow(onConnected);
  const choose = useCallback((uniqueKey: string) => setChosen(uniqueKey), []);
  const isOpen = flow.kind === 'open';
  const isOver = flow.kind === 'connected';
  return (
    <Dialog
      title="Create a test connection"
      {...(isOver ? {} : { actionLabel: isOpen ? 'Start again' : 'Open the connect window' })}
      isDisabled={chosen === '' || endUser.id.trim() === ''}
      onAction={() =>
        start(() => gateway.connectSessions.create({ endUser: endUserOf(endUser), allowedIntegrations: [chosen] }))
      }
      onClose={onClose}
    >
      <Box>You see what an end user sees: the connect page, then the provider's consent.</Box>
      {!isOpen && !isOver && (
        <SpaceBetween size="m">
          {integrationId === undefined && <IntegrationField value={chosen} onChoose={choose} />}
          <EndUserFields
            draft={endUser}
            error={flow.kind === 'failed' ? flow.error : undefined}
            onChange={setEndUser}
          />
        </SpaceBetween>
      )}
      <FlowStatus flow={flow} />
    </Dialog>
  );
}
