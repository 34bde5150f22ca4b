import Checkbox from '@cloudscape-design/components/checkbox';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import type { DelegationDraft } from '../model/delegation.ts';

/** How a service account signs, and the users it may act for. */
export function DelegationFields({
  draft,
  hasKey,
  onChange,
}: {
  draft: DelegationDraft;
  /** A key is stored, which stays where none is pasted. */
  hasKey: boolean;
  onChange: (change: Partial<DelegationDraft>) => void;
}) {
  return (
    <SpaceBetween size="m">
      <FormField label="How the gateway signs for it">
        <RadioGroup
          value={draft.via}
          onChange={({ detail }) => onChange({ via: detail.value === 'key' ? 'key' : 'aws' })}
          items={[
            {
              value: 'aws',
              label: 'Without a key, by the gateway’s AWS role',
              description: 'Recommended: nothing can be copied or left behind.',
            },
            { value: 'key', label: 'By a key', description: 'Replace it every 90 days.' },
          ]}
        />
      </FormField>
      {draft.via === 'aws' ? (
        <FormField
          label="Workload identity pool provider"
          description="Its full name: //iam.googleapis.com/projects/…/providers/…"
        >
          <Input
            value={draft.audience}
            autoComplete={false}
            onChange={({ detail }) => onChange({ audience: detail.value })}
          />
        </FormField>
      ) : (
        <FormField
          label="Key file"
          description={`The JSON file from Google’s console. It is stored in Secrets Manager and never shown again.${hasKey ? ' Empty: the stored key stays.' : ''}`}
        >
          <Textarea
            value={draft.key}
            rows={4}
            autoComplete={false}
            spellcheck={false}
            onChange={({ detail }) => onChange({ key: detail.value })}
          />
        </FormField>
      )}
      <FormField
        label="Domains"
        description="One per line, without subdomains. It may act for every user of these Workspace domains."
      >
        <Textarea
          value={draft.domains}
          rows={3}
          spellcheck={false}
          placeholder="example.com"
          onChange={({ detail }) => onChange({ domains: detail.value })}
        />
      </FormField>
      <FormField label="Addresses" description="More users, one address per line.">
        <Textarea
          value={draft.addresses}
          rows={2}
          spellcheck={false}
          onChange={({ detail }) => onChange({ addresses: detail.value })}
        />
      </FormField>
      <FormField label="Exceptions" description="Users of these domains that it may never act for, one per line.">
        <Textarea
          value={draft.exceptions}
          rows={2}
          spellcheck={false}
          onChange={({ detail }) => onChange({ exceptions: detail.value })}
        />
      </FormField>
      <FormField label="New users an hour" description="So that a stolen secret key cannot empty a domain at once.">
        <Input
          value={draft.newSubjectsPerHour}
          inputMode="numeric"
          autoComplete={false}
          onChange={({ detail }) => onChange({ newSubjectsPerHour: detail.value })}
        />
      </FormField>
      <Checkbox
        checked={draft.allowDomainAdminAccess}
        description="With an administrator as its user, a connection then opens every shared drive of the domain."
        onChange={({ detail }) => onChange({ allowDomainAdminAccess: detail.checked })}
      >
        Allow useDomainAdminAccess
      </Checkbox>
    </SpaceBetween>
  );
}
