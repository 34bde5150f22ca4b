import Alert from '@cloudscape-design/components/alert';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useState } from 'react';
import { useAction } from '../../data/use-action.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { TestCredentials } from '../../gateway/library.ts';
import { problemOf } from '../../model/describe-error.ts';
import { CopyValue } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useNotices } from '../../ui/notices.tsx';

/** Takes the OAuth client that integrations on test credentials use. */
export function TestCredentialsDialog({
  credentials,
  name,
  onDone,
  onClose,
}: {
  credentials: TestCredentials;
  /** Of the provider, for people. */
  name: string;
  onDone: () => void;
  onClose: () => void;
}) {
  const gateway = useGateway();
  const notices = useNotices();
  const [clientId, setClientId] = useState(credentials.clientId ?? '');
  const [clientSecret, setClientSecret] = useState('');
  const save = useAction(async () => {
    const client = { clientId: clientId.trim(), clientSecret: clientSecret.trim() };
    await gateway.testCredentials.put(credentials.provider, client);
    notices.success(`Test credentials of ${name} are active.`);
    onDone();
  });
  const isOther = credentials.clientId !== undefined && clientId.trim() !== credentials.clientId;
  return (
    <Dialog
      title={`Test credentials of ${name}`}
      actionLabel="Save"
      isRunning={save.isRunning}
      isDisabled={clientId.trim() === '' || clientSecret.trim() === ''}
      error={save.error}
      onAction={() => void save.run()}
      onClose={onClose}
    >
      <span>
        Create an OAuth client of the type Web application in Google's console, with this redirect URI:{' '}
        <CopyValue what="redirect URI" value={`${gateway.baseUrl}/oauth/callback`} />
      </span>
      {isOther && (
        <Alert type="warning">
          This is a different client: connections created with the previous one will need a new authorization.
        </Alert>
      )}
      <FormField label="Client ID" errorText={problemOf(save.error, 'client_id')}>
        <Input value={clientId} autoComplete={false} onChange={({ detail }) => setClientId(detail.value)} />
      </FormField>
      <FormField
        label="Client secret"
        description="Stored in Secrets Manager and never shown again."
        errorText={problemOf(save.error, 'client_secret')}
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
