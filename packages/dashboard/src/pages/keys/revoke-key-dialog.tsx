import type { SecretKey } from '../../gateway/library.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Time } from '../../ui/time.tsx';

/** Asks before a secret key is revoked. */
export function RevokeKeyDialog({
  secretKey,
  onConfirm,
  onClose,
}: {
  secretKey: SecretKey;
  onConfirm: () => void;
  onClose: () => void;
}) {
  return (
    <Dialog title={`Revoke ${secretKey.name}?`} actionLabel="Revoke it" onAction={onConfirm} onClose={onClose}>
      <span>
        It was last used: <Time iso={secretKey.lastUsedAt} />. Within a minute, every call with it gets 401. To rotate
        without downtime, first create a new key and configure it in your service.
      </span>
    </Dialog>
  );
}
