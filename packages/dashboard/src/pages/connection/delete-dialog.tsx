import Alert from '@cloudscape-design/components/alert';
import FormField from '@cloudscape-design/components/form-field';
import RadioGroup from '@cloudscape-design/components/radio-group';
import { useState } from 'react';
import { useAction } from '../../data/use-action.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { Connection, Revocation } from '../../gateway/library.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useNotices } from '../../ui/notices.tsx';

type Wish = 'keep' | 'if_last' | 'revoke';

/** Deletes a connection, and says first what a revocation would end in addition to it. */
export function DeleteDialog({
  connection,
  onDeleted,
  onClose,
}: {
  connection: Connection;
  onDeleted: () => void;
  onClose: () => void;
}) {
  const gateway = useGateway();
  const notices = useNotices();
  const [wish, setWish] = useState<Wish>('keep');
  const remove = useAction(async () => {
    const revoke = wish === 'keep' ? false : wish === 'if_last' ? 'if_last' : 'force';
    const revocation = await gateway.connections.delete(connection, { revoke });
    notices.success(`Deleted. ${revocationText(revocation)}`);
    onClose();
    onDeleted();
  });
  const { sharesGrantWith } = connection;
  return (
    <Dialog
      title="Delete this connection?"
      actionLabel="Delete it"
      isRunning={remove.isRunning}
      error={remove.error}
      onAction={() => void remove.run()}
      onClose={onClose}
    >
      <span>Its tokens are erased at once, calls to it get 404, and the end user must connect again.</span>
      <FormField label="The grant at Google">
        <RadioGroup
          value={wish}
          onChange={({ detail }) => setWish(readWish(detail.value))}
          items={[
            { value: 'keep', label: 'Leave it', description: "The app keeps its access in the user's Google account." },
            {
              value: 'if_last',
              label: 'Revoke it if no other connection uses it',
              description: 'Keeps it if another connection shares it.',
            },
            { value: 'revoke', label: 'Revoke it', description: 'Ends every connection that shares it.' },
          ]}
        />
      </FormField>
      <div aria-live="polite">
        {wish === 'revoke' && (
          <Alert type="warning" header="Other connections may end too">
            {sharingWarning(sharesGrantWith)} Google ends all tokens of this user under the same Cloud project.
          </Alert>
        )}
      </div>
    </Dialog>
  );
}

function sharingWarning(count: number | undefined): string {
  if (count === undefined) return 'It is not known how many connections share this grant.';
  if (count === 0) return 'No other connection of this gateway shares it, but other apps of the project may.';
  return count === 1 ? '1 other connection shares this grant.' : `${count} other connections share this grant.`;
}

function revocationText({ status }: Revocation): string {
  switch (status) {
    case 'revoked':
      return 'The grant was revoked at Google.';
    case 'pending':
      return 'Google could not be reached; the gateway retries the revocation until it succeeds.';
    case 'skipped':
      return 'The grant was kept because something else uses it.';
    default:
      return 'The grant at Google was kept.';
  }
}

function readWish(value: string): Wish {
  return value === 'if_last' || value === 'revoke' ? value : 'keep';
}
