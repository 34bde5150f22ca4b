import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { ActionButton } from '../action-button.tsx';
import { ShareLinkDialog } from './share-link-dialog.tsx';
import { TestConnectDialog } from './test-connect-dialog.tsx';

/** Two ways to a new connection: do it here, or send somebody a link. */
export function ConnectMenu({
  integrationId,
  onConnected,
}: {
  /** Undefined lets the operator choose. */
  integrationId?: string;
  onConnected: () => void;
}) {
  const [open, setOpen] = useState<'test' | 'share' | undefined>(undefined);
  const close = (): void => setOpen(undefined);
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <ActionButton onClick={() => setOpen('share')}>Share a connect link</ActionButton>
      <ActionButton variant="primary" onClick={() => setOpen('test')}>
        Create a test connection
      </ActionButton>
      {open === 'test' && <TestConnectDialog integrationId={integrationId} onConnected={onConnected} onClose={close} />}
      {open === 'share' && <ShareLinkDialog integrationId={integrationId} onClose={close} />}
    </SpaceBetween>
  );
}
