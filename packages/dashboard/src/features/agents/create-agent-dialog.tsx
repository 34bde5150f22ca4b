import Alert from '@cloudscape-design/components/alert';
import Checkbox from '@cloudscape-design/components/checkbox';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import RadioGroup from '@cloudscape-design/components/radio-group';
import { useState } from 'react';
import { useAction } from '../../data/use-action.ts';
import { useFeature, useGateway } from '../../gateway/gateway-context.tsx';
import type { CreatedAgent } from '../../gateway/library.ts';
import { problemOf } from '../../model/describe-error.ts';
import { CopyBlock } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { assistantSettings } from './assistant-settings.ts';

const READS = ['drive:read', 'calendar:read'];
const WRITES = ['drive:write', 'calendar:write'];

/** Creates a key for an assistant and shows it only once, with the configuration of each assistant; all of it is discarded with the dialog. */
export function CreateAgentDialog({ onClose }: { onClose: () => void }) {
  const gateway = useGateway();
  const [name, setName] = useState('');
  const [endUserId, setEndUserId] = useState('');
  const [may, setMay] = useState('read');
  const hasUndo = useFeature('undo');
  const [isJournalled, setJournalled] = useState(true);
  const [made, setMade] = useState<CreatedAgent | undefined>(undefined);
  const create = useAction(async () => {
    const allow = may === 'write' ? [...READS, ...WRITES] : READS;
    setMade(
      await gateway.keys.createAgent({
        name: name.trim(),
        endUserId: endUserId.trim(),
        limits: { mode: 'enforce', allow, ...(hasUndo ? { journal: isJournalled } : {}) },
      }),
    );
  });
  if (made !== undefined) {
    return (
      <Dialog title="Your new agent key" onClose={onClose} isKept>
        <Alert type="warning">Copy it now: it is not stored and cannot be shown again.</Alert>
        <CopyBlock text={made.agentKey} what="agent key" />
        {made.warnings.map((warning) => (
          <Alert key={warning} type="info">
            {warning}
          </Alert>
        ))}
        {assistantSettings(made.mcpUrl, made.agentKey).map(({ name: assistant, where, text }) => (
          <FormField key={assistant} label={assistant} description={where} stretch>
            <CopyBlock text={text} what={`settings of ${assistant}`} />
          </FormField>
        ))}
      </Dialog>
    );
  }
  return (
    <Dialog
      title="Create an agent key"
      actionLabel="Create the key"
      isRunning={create.isRunning}
      isDisabled={name.trim() === '' || endUserId.trim() === ''}
      error={create.error}
      onAction={() => void create.run()}
      onClose={onClose}
    >
      <FormField label="Name" description="The assistant, and whose it is." errorText={problemOf(create.error, 'name')}>
        <Input value={name} autoComplete={false} onChange={({ detail }) => setName(detail.value)} />
      </FormField>
      <FormField
        label="End user"
        description="Your id of the user. The assistant has this user’s connections and nobody else’s."
        errorText={problemOf(create.error, 'end_user_id')}
      >
        <Input
          value={endUserId}
          autoComplete={false}
          spellcheck={false}
          onChange={({ detail }) => setEndUserId(detail.value)}
        />
      </FormField>
      <FormField
        label="What it may do"
        description="For 30 days, at most 60 calls a minute and 500 a day. Deleting and sharing are not included. Limits can be changed later."
      >
        <RadioGroup
          value={may}
          onChange={({ detail }) => setMay(detail.value)}
          items={[
            { value: 'read', label: 'Read files and events' },
            {
              value: 'write',
              label:
                'Read, create and change; a person approves first what replaces contents, goes to the trash or invites',
            },
          ]}
        />
      </FormField>
      {hasUndo && (
        <Checkbox checked={isJournalled} onChange={({ detail }) => setJournalled(detail.checked)}>
          Keep what it changes for seven days, so that it can be undone
        </Checkbox>
      )}
    </Dialog>
  );
}
