import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAction } from '../../data/use-action.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { connectionHref } from '../../ui/link.tsx';
import { useNotices } from '../../ui/notices.tsx';

/** Connects a user of a Workspace domain, without their being there. */
export function ConnectUserDialog({
  integrationId,
  onClose,
  onConnected,
}: {
  integrationId: string;
  onClose: () => void;
  onConnected: () => void;
}) {
  const gateway = useGateway();
  const navigate = useNavigate();
  const notices = useNotices();
  const [subject, setSubject] = useState('');
  const connect = useAction(async () => {
    const made = await gateway.connections.connectSubject({
      providerConfigKey: integrationId,
      subject: subject.trim(),
    });
    onConnected();
    notices.success(`Connected ${subject.trim()}.`);
    navigate(connectionHref(made));
  });
  return (
    <Dialog
      title="Connect a user"
      actionLabel="Connect"
      isRunning={connect.isRunning}
      isDisabled={subject.trim() === ''}
      error={connect.error}
      onAction={() => void connect.run()}
      onClose={onClose}
    >
      <FormField label="Address" description="The user’s first address. Google is asked with the first call.">
        <Input
          value={subject}
          autoComplete={false}
          placeholder="user@example.com"
          onChange={({ detail }) => setSubject(detail.value)}
        />
      </FormField>
    </Dialog>
  );
}
