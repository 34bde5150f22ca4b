import Alert from '@cloudscape-design/components/alert';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useCallback, useState } from 'react';
import { useAction } from '../../data/use-action.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { ConnectSession } from '../../gateway/library.ts';
import { CopyBlock } from '../copy.tsx';
import { Dialog } from '../dialog.tsx';
import { FullTime } from '../time.tsx';
import { type EndUserDraft, EndUserFields, endUserOf } from './end-user-fields.tsx';
import { IntegrationField } from './integration-field.tsx';

/** Makes a link to send to an end user. */
export function ShareLinkDialog({
  integrationId,
  onClose,
}: {
  integrationId: string | undefined;
  onClose: () => void;
}) {
  const gateway = useGateway();
  const [chosen, setChosen] = useState(integrationId ?? '');
  const [endUser, setEndUser] = useState<EndUserDraft>({ id: '', email: '' });
  const [session, setSession] = useState<ConnectSession | undefined>(undefined);
  const choose = useCallback((uniqueKey: string) => setChosen(uniqueKey), []);
  const make = useAction(async () => {
    const wanted = { endUser: endUserOf(endUser), allowedIntegrations: [chosen] };
    setSession(await gateway.connectSessions.create(wanted));
  });
  if (session !== undefined) {
    return (
      <Dialog title="Connect link" onClose={onClose} isKept>
        <SharedLink session={session} />
      </Dialog>
    );
  }
  return (
    <Dialog
      title="Share a connect link"
      actionLabel="Create the link"
      isRunning={make.isRunning}
      isDisabled={chosen === '' || endUser.id.trim() === ''}
      error={make.error}
      onAction={() => void make.run()}
      onClose={onClose}
    >
      {integrationId === undefined && <IntegrationField value={chosen} onChoose={choose} />}
      <EndUserFields draft={endUser} error={make.error} onChange={setEndUser} />
    </Dialog>
  );
}

/** A link with its end and what to know about it. */
export function SharedLink({ session }: { session: ConnectSession }) {
  return (
    <SpaceBetween size="m">
      <CopyBlock text={session.connectLink} what="connect link" />
      <Alert type="info">
        Anyone who opens it first connects an account for this end user, so send it only to that person. It works once
        and ends on <FullTime iso={session.expiresAt} />.
      </Alert>
    </SpaceBetween>
  );
}
