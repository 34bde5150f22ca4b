import { useState } from 'react';
import { useAction } from '../../data/use-action.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { SecretKey } from '../../gateway/library.ts';
import { draftOfLimits, limitsOfDraft, limitsProblems } from '../../model/key-limits.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { LimitsField } from '../../ui/limits-field.tsx';
import { useNotices } from '../../ui/notices.tsx';
import { ObservedPanel } from './observed-panel.tsx';

/** Changes what a key is limited to, and shows what limits that only observe would have refused. */
export function KeyLimitsDialog({
  secretKey,
  onChanged,
  onClose,
}: {
  secretKey: SecretKey;
  onChanged: (key: SecretKey) => void;
  onClose: () => void;
}) {
  const { id, name, limits: before } = secretKey;
  const gateway = useGateway();
  const notices = useNotices();
  const [draft, setDraft] = useState(() => draftOfLimits(before));
  const limits = limitsOfDraft(draft);
  const save = useAction(async () => {
    onChanged(await gateway.keys.setLimits(id, limits ?? null));
    notices.success(
      limits === undefined
        ? `Took the limits of ${name} away.`
        : `Changed the limits of ${name}. They hold everywhere within a minute.`,
    );
    onClose();
  });
  return (
    <Dialog
      title={`Limits of ${name}`}
      actionLabel={limits === undefined && before !== undefined ? 'Take the limits away' : 'Save the limits'}
      isRunning={save.isRunning}
      isDisabled={(limits === undefined && before === undefined) || Object.keys(limitsProblems(draft)).length > 0}
      error={save.error}
      onAction={() => void save.run()}
      onClose={onClose}
    >
      {before?.mode === 'observe' && <ObservedPanel id={id} />}
      <LimitsField draft={draft} error={save.error} onChange={setDraft} />
    </Dialog>
  );
}
