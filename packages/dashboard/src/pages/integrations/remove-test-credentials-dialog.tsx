import { useAction } from '../../data/use-action.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useNotices } from '../../ui/notices.tsx';

/** Asks before the test credentials of a provider are removed. */
export function RemoveTestCredentialsDialog({
  provider,
  name,
  onDone,
  onClose,
}: {
  provider: string;
  /** Of the provider, for people. */
  name: string;
  onDone: () => void;
  onClose: () => void;
}) {
  const gateway = useGateway();
  const notices = useNotices();
  const remove = useAction(async () => {
    await gateway.testCredentials.delete(provider);
    notices.success(`Test credentials of ${name} were removed.`);
    onDone();
  });
  return (
    <Dialog
      title={`Remove the test credentials of ${name}?`}
      actionLabel="Remove them"
      isRunning={remove.isRunning}
      error={remove.error}
      onAction={() => void remove.run()}
      onClose={onClose}
    >
      <span>
        Integrations that use them cannot refresh tokens or connect users until new test credentials are set or the
        integrations get their own client.
      </span>
    </Dialog>
  );
}
