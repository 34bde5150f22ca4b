import Box from '@cloudscape-design/components/box';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Multiselect from '@cloudscape-design/components/multiselect';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useLoad } from '../../data/use-load.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import {
  approvalOptions,
  type LimitsDraft,
  limitsOfDraft,
  methodsOfDraft,
  otherLimitsInWords,
  setOptions,
} from '../../model/key-limits.ts';

const MODES = [
  {
    value: 'observe',
    label: 'Observe first',
    description: 'Every call passes. Calls that would be refused are counted.',
  },
  { value: 'enforce', label: 'Enforce', description: 'Calls outside the limits are refused.' },
];

const PRIORITIES = [
  { value: 'interactive', label: 'Somebody waits for its calls', description: 'They always begin.' },
  {
    value: 'background',
    label: 'All its calls are in the background',
    description: 'They begin only while less than 70 % of Google’s minute is taken, and are refused otherwise.',
  },
];

const JOURNALS = [
  { value: 'off', label: 'Keep nothing', description: 'Its writes cannot be undone from here.' },
  {
    value: 'on',
    label: 'Keep what its writes change, for seven days',
    description: 'They can then be undone. Each write takes about 0.2 s longer.',
  },
  {
    value: 'required',
    label: 'Also refuse writes that could not be undone',
    description: 'Such as deleting a file for good.',
  },
];

/** What the proxied calls of a key are limited to, with the methods that remain, in words. */
export function LimitsField({
  draft,
  errorText,
  onChange,
}: {
  draft: LimitsDraft;
  errorText: string | undefined;
  onChange: (draft: LimitsDraft) => void;
}) {
  const gateway = useGateway();
  const { load } = useLoad('limit methods', (signal) => gateway.keys.limitMethods({ signal }));
  const all = load.kind === 'ready' ? load.value : [];
  const options = setOptions(all, [...draft.allow, ...draft.deny]);
  const toApprove = approvalOptions(all, draft.approve);
  const others = otherLimitsInWords(draft);
  const left = methodsOfDraft(draft, all);
  const chosen = (names: readonly string[]) => options.filter(({ value }) => names.includes(value));
  return (
    <SpaceBetween size="m">
      <FormField
        label="Methods it may call"
        description="Leave it empty for all methods."
        {...(errorText === undefined ? {} : { errorText })}
      >
        <Multiselect
          selectedOptions={chosen(draft.allow)}
          options={options}
          placeholder={draft.allow.length === 0 ? 'All' : 'Choose more'}
          onChange={({ detail }) =>
            onChange({ ...draft, allow: detail.selectedOptions.flatMap(({ value }) => value ?? []) })
          }
        />
      </FormField>
      <FormField label="Methods it may never call" description="These win over what it may call.">
        <Multiselect
          selectedOptions={chosen(draft.deny)}
          options={options}
          placeholder={draft.deny.length === 0 ? 'None' : 'Choose more'}
          onChange={({ detail }) =>
            onChange({ ...draft, deny: detail.selectedOptions.flatMap(({ value }) => value ?? []) })
          }
        />
      </FormField>
      <FormField
        label="Calls that wait for approval"
        description="A person decides on each of them, on a page that the caller is told."
      >
        <Multiselect
          selectedOptions={toApprove.filter(({ value }) => draft.approve.includes(value))}
          options={toApprove}
          placeholder={draft.approve.length === 0 ? 'None' : 'Choose more'}
          onChange={({ detail }) =>
            onChange({ ...draft, approve: detail.selectedOptions.flatMap(({ value }) => value ?? []) })
          }
        />
      </FormField>
      <FormField
        label="Units a day"
        description="Of Google’s quotas: reading a file takes 5, a list 100, a download 200, a change 50, a call of Calendar 1."
      >
        <Input
          value={draft.unitsADay}
          type="number"
          placeholder="No limit"
          onChange={({ detail }) => onChange({ ...draft, unitsADay: detail.value })}
        />
      </FormField>
      <FormField label="Priority">
        <RadioGroup
          value={draft.isBackground ? 'background' : 'interactive'}
          items={PRIORITIES}
          onChange={({ detail }) => onChange({ ...draft, isBackground: detail.value === 'background' })}
        />
      </FormField>
      <FormField label="Undo">
        <RadioGroup
          value={draft.journal}
          items={JOURNALS}
          onChange={({ detail: { value } }) =>
            onChange({ ...draft, journal: value === 'on' || value === 'required' ? value : 'off' })
          }
        />
      </FormField>
      {others !== '' && <Box>Besides, limited to: {others}. These limits stay as they are.</Box>}
      {limitsOfDraft({ ...draft, journal: 'off' }) !== undefined && (
        <FormField label="Limits">
          <RadioGroup
            value={draft.mode}
            items={MODES}
            onChange={({ detail }) => onChange({ ...draft, mode: detail.value === 'enforce' ? 'enforce' : 'observe' })}
          />
        </FormField>
      )}
      {left.length < all.length && (
        <ExpandableSection headerText={`May call ${left.length} of ${all.length} methods`}>
          <ul>
            {left.map(({ id, meaning }) => (
              <li key={id}>
                {meaning} <span className="soft">{id}</span>
              </li>
            ))}
          </ul>
        </ExpandableSection>
      )}
    </SpaceBetween>
  );
}
