import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useState } from 'react';
import { useAction } from '../../data/use-action.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { ConnectSession } from '../../gateway/library.ts';
import { CopyBlock } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FullTime } from '../../ui/time.tsx';

/** Makes a link for the administrator of a customer's domain, and shows it once. */
export function AdminLinkDialog({ integrationId, onClose }: { integrationId: string; onClose: () => void }) {
  const gateway = useGateway();
  const [id, setId] = useState('');
  const [name, setName] = useState('');
  const [made, setMade] = useState<ConnectSession | undefined>();
  const create = useAction(async () => {
    const displayName = name.trim();
    const organization = { id: id.trim(), ...(displayName === '' ? {} : { displayName }) };
    setMade(await gateway.connectSessions.admin({ providerConfigKey: integrationId, organization }));
  });
  if (made !== undefined) {
    return (
      <Dialog title="The link for the administrator" isKept onClose={onClose}>
        <p>
          It is valid until <FullTime iso={made.expiresAt} /> and is shown only now.
        </p>
        <CopyBlock text={made.connectLink} what="the link" />
      </Dialog>
    );
  }
  return (
    <Dialog
      title="Create a link for an administrator"
      actionLabel="Create the link"
      isRunning={create.isRunning}
      isDisabled={id.trim() === ''}
      error={create.error}
      onAction={() => void create.run()}
      onClose={onClose}
    >
      <p>
        Its page has what to list at Google, and checks it. A domain belongs to the customer whose administrator checked
        it first.
      </p>
      <FormField label="Your id of the customer">
        <Input value={id} autoComplete={false} onChange={({ detail }) => setId(detail.value)} />
      </FormField>
      <FormField label="Name of the customer" description="Shown on the page. If empty, the id is shown.">
        <Input value={name} autoComplete={false} onChange={({ detail }) => setName(detail.value)} />
      </FormField>
    </Dialog>
  );
}
