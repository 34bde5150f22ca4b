import Alert from '@cloudscape-design/components/alert';
import { useState } from 'react';
import { useAction } from '../../data/use-action.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { Integration } from '../../gateway/library.ts';
import { delegationDraft, delegationProblem, delegationSettings } from '../../model/delegation.ts';
import { DelegationFields } from '../../ui/delegation-fields.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useNotices } from '../../ui/notices.tsx';

/** Changes how a service account signs and the users it may act for. */
export function DelegationDialog({
  integration,
  delegation,
  onClose,
  onDone,
}: {
  integration: Integration;
  delegation: NonNullable<Integration['delegation']>;
  onClose: () => void;
  onDone: () => void;
}) {
  const gateway = useGateway();
  const notices = useNotices();
  const [draft, setDraft] = useState(() => delegationDraft(delegation));
  const hasKey = delegation.via === 'key';
  const problem = delegationProblem(draft, hasKey);
  const save = useAction(async () => {
    const { warnings } = await gateway.integrations.update(integration.uniqueKey, {
      delegation: delegationSettings(draft),
    });
    notices.success('Saved.');
    for (const warning of warnings) notices.warning(warning);
    onDone();
  });
  return (
    <Dialog
      title="Change the service account"
      actionLabel="Save"
      isRunning={save.isRunning}
      isDisabled={problem !== undefined}
      error={save.error}
      onAction={() => void save.run()}
      onClose={onClose}
    >
      <DelegationFields
        draft={draft}
        hasKey={hasKey}
        onChange={(change) => setDraft((before) => ({ ...before, ...change }))}
      />
      <div aria-live="polite">{problem !== undefined && <Alert type="info">{problem}</Alert>}</div>
    </Dialog>
  );
}
