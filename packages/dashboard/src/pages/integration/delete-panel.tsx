import Checkbox from '@cloudscape-design/components/checkbox';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { deleteIntegration } from '../../data/delete-integration.ts';
import { useAction } from '../../data/use-action.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { Integration } from '../../gateway/library.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useNotices } from '../../ui/notices.tsx';

/** Deletes an integration after saying what goes with it. */
export function DeletePanel({ integration }: { integration: Integration }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Container
      header={
        <Header variant="h2" description="This also deletes all its connections; calls to them get 404 at once.">
          Delete
        </Header>
      }
    >
      <ActionButton onClick={() => setOpen(true)}>Delete the integration</ActionButton>
      {isOpen && <DeleteDialog integration={integration} onClose={() => setOpen(false)} />}
    </Container>
  );
}

function DeleteDialog({ integration, onClose }: { integration: Integration; onClose: () => void }) {
  const gateway = useGateway();
  const notices = useNotices();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [isRevoking, setRevoking] = useState(false);
  const remove = useAction(async () => {
    await deleteIntegration(gateway, integration.uniqueKey, isRevoking);
    notices.success(`Deleted ${integration.displayName}.`);
    navigate('/integrations');
  });
  return (
    <Dialog
      title={`Delete ${integration.displayName}?`}
      actionLabel="Delete it"
      isRunning={remove.isRunning}
      isDisabled={typed !== integration.uniqueKey}
      error={remove.error}
      onAction={() => void remove.run()}
      onClose={onClose}
    >
      <ul className="plain-list">
        <li>All its connections and their tokens are deleted; end users must connect again.</li>
        <li>Calls that use it get 404 unknown_integration.</li>
        <li>The app keeps its access in the users' Google accounts, unless the grants are revoked too.</li>
        <li>This cannot be undone. Events are kept for 400 days.</li>
      </ul>
      <Checkbox
        checked={isRevoking}
        description="Google ends all tokens of a user under the same Cloud project, also those of other integrations."
        onChange={({ detail }) => setRevoking(detail.checked)}
      >
        Also revoke the grants at Google
      </Checkbox>
      <FormField label={`Type ${integration.uniqueKey} to confirm`}>
        <Input value={typed} autoComplete={false} onChange={({ detail }) => setTyped(detail.value)} />
      </FormField>
    </Dialog>
  );
}
