import Alert from '@cloudscape-design/components/alert';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useState } from 'react';
import { useAction } from '../../data/use-action.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { Integration } from '../../gateway/library.ts';
import { problemOf } from '../../model/describe-error.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useNotices } from '../../ui/notices.tsx';
import { clientProblems } from '../new-integration/draft.ts';

/** Replaces the client secret, or the whole client. */
export function RotateDialog({
  integration,
  onClose,
  onDone,
}: {
  integration: Integration;
  onClose: () => void;
  onDone: () => void;
}) {
  const gateway = useGateway();
  const notices = useNotices();
  const isTest = integration.credentialsSource === 'test';
  const known = integration.clientId ?? '';
  const [clientId, setClientId] = useState(isTest ? '' : known);
  const [clientSecret, setClientSecret] = useState('');
  const id = clientId.trim();
  const isOtherClient = id !== known;
  const [problems, setProblems] = useState<ReturnType<typeof clientProblems>>({});
  const rotate = useAction(async () => {
    const typed = { clientId: id, clientSecret: clientSecret.trim() };
    const checked = await gateway.providers.checkClient(integration.provider, typed);
    const found = clientProblems(checked);
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    if (checked.verdict === 'unreachable') notices.warning(checked.message);
    const credentials = { clientSecret: clientSecret.trim(), ...(isOtherClient ? { clientId: id } : {}) };
    const { warnings } = await gateway.integrations.update(integration.uniqueKey, {
      credentials,
      ...(isTest ? { credentialsSource: 'own' } : {}),
    });
    notices.success(isTest ? 'The integration now uses your own client.' : 'The secret was replaced.');
    for (const warning of warnings) notices.warning(warning);
    onDone();
  });
  return (
    <Dialog
      title={isTest ? 'Use your own client' : 'Rotate the client secret'}
      actionLabel={isTest ? 'Switch to this client' : 'Replace the secret'}
      isRunning={rotate.isRunning}
      isDisabled={id === '' || clientSecret.trim() === ''}
      error={rotate.error}
      onAction={() => void rotate.run()}
      onClose={onClose}
    >
      {isOtherClient && known !== '' ? (
        <Alert type="warning">
          This is a different client ID. Grants belong to the client for which they were given, so every connection of
          this integration will need a new authorization.
        </Alert>
      ) : isTest ? (
        <Alert type="warning">
          Connections created with the test credentials will need a new authorization for your client.
        </Alert>
      ) : (
        <Alert type="info">
          Add the new secret in Google's console first, and keep the old one until this is saved; then no call fails.
        </Alert>
      )}
      <FormField label="Client ID" errorText={problems.clientId ?? problemOf(rotate.error, 'client_id')}>
        <Input value={clientId} autoComplete={false} onChange={({ detail }) => setClientId(detail.value)} />
      </FormField>
      <FormField
        label="New client secret"
        description="Stored in Secrets Manager and never shown again."
        errorText={problems.clientSecret ?? problemOf(rotate.error, 'client_secret')}
      >
        <Input
          type="password"
          autoComplete={false}
          value={clientSecret}
          onChange={({ detail }) => setClientSecret(detail.value)}
        />
      </FormField>
    </Dialog>
  );
}
