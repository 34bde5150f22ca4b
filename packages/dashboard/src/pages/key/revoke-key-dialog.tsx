import Alert from '@cloudscape-design/components/alert';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import type { SecretKey, Usage } from '../../gateway/library.ts';
import { failedCallsHref } from '../../model/failures.ts';
import { usesOf } from '../../model/key-uses.ts';
import { absoluteTime } from '../../model/time.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { PageLink } from '../../ui/link.tsx';
import { Time } from '../../ui/time.tsx';

/** Asks before a secret key is revoked, and says whether somebody still calls with it. */
export function RevokeKeyDialog({
  secretKey,
  usage,
  onConfirm,
  onClose,
}: {
  secretKey: SecretKey;
  /** Calls by key of seven days; undefined until they are there. */
  usage: Usage | undefined;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const uses = usage === undefined ? undefined : usesOf(usage, secretKey.id);
  const number = (calls: number | undefined) => (calls === undefined ? 'Not known' : calls.toLocaleString('en'));
  return (
    <Dialog title={`Revoke ${secretKey.name}?`} actionLabel="Revoke it" onAction={onConfirm} onClose={onClose}>
      <KeyValuePairs
        columns={2}
        items={[
          { label: 'Proxied calls today (UTC)', value: number(uses?.today) },
          { label: 'Yesterday', value: number(uses?.yesterday) },
          { label: 'In the last 7 days', value: number(uses?.week) },
          { label: 'Last used, for any call', value: <Time iso={secretKey.lastUsedAt} /> },
        ]}
      />
      {uses !== undefined && <Advice secretKey={secretKey} uses={uses} />}
      <span>
        Within a minute, every call with it gets 401.{' '}
        {secretKey.roleArn === undefined
          ? 'To rotate without downtime, first create a new key and configure it in your service; then wait until calls with this one have stopped.'
          : 'The role itself stays as it is in AWS, and can be registered again.'}
        {usage?.countedUntil !== undefined && ` Calls are counted until ${absoluteTime(usage.countedUntil)}.`}
      </span>
    </Dialog>
  );
}

function Advice({ secretKey: { id }, uses }: { secretKey: SecretKey; uses: ReturnType<typeof usesOf> }) {
  if (uses.week === 0) return <Alert type="success">No proxied call was made with it in the last 7 days.</Alert>;
  return (
    <Alert type={uses.today + uses.yesterday > 0 ? 'warning' : 'info'}>
      {uses.today + uses.yesterday > 0
        ? 'It is still used: whatever calls with it will fail.'
        : 'It was used in the last 7 days, but not since yesterday.'}{' '}
      <PageLink href={failedCallsHref({ key: id.slice(0, 12) })}>Its failed calls</PageLink>
    </Alert>
  );
}
