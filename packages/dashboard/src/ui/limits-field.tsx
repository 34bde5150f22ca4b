import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import DatePicker from '@cloudscape-design/components/date-picker';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Multiselect, { type MultiselectProps } from '@cloudscape-design/components/multiselect';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useLoad } from '../data/use-load.ts';
import { useFeature, useGateway, useWorkplace } from '../gateway/gateway-context.tsx';
import { problemOf } from '../model/describe-error.ts';
import {
  AMOUNTS,
  ASKERS,
  approvalOptions,
  draftOfPreset,
  type LimitsDraft,
  limitPresets,
  limitsOfDraft,
  limitsProblems,
  limitWords,
  methodsOfDraft,
  setOptions,
} from '../model/key-limits.ts';
import { ConnectionsField } from './connections-field.tsx';
import { MethodList } from './method-list.tsx';

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

const ASKER_NAMES = ['gateway', 'google', 'both'] as const;

interface LimitsFieldProps {
  readonly draft: LimitsDraft;
  /** Why the gateway refused them. */
  readonly error: unknown;
  readonly onChange: (draft: LimitsDraft) => void;
}

/** Everything that the proxied calls of a key can be limited to, with the methods that remain, in words. */
export function LimitsField(props: LimitsFieldProps) {
  const { draft, onChange } = props;
  const { without } = useWorkplace();
  return (
    <SpaceBetween size="m">
      <FormField
        label="Begin with"
        description="Fills in the fields below, except connections, tags and addresses. Nothing is refused until you enforce it."
      >
        <div className="preset-list">
          {limitPresets(without).map(({ id, label, description }) => (
            <div key={id}>
              <Button formAction="none" onClick={() => onChange(draftOfPreset(id, draft, Date.now()))}>
                {label}
              </Button>
              <span className="soft">{description}</span>
            </div>
          ))}
        </div>
      </FormField>
      <MethodFields {...props} />
      <ReachFields {...props} />
      <AmountFields {...props} />
      {(!without.has('undo') || draft.journal !== 'off') && (
        <FormField label="Undo">
          <RadioGroup
            value={draft.journal}
            items={JOURNALS}
            onChange={({ detail: { value } }) =>
              onChange({ ...draft, journal: value === 'on' || value === 'required' ? value : 'off' })
            }
          />
        </FormField>
      )}
      {limitsOfDraft({ ...draft, journal: 'off' }) !== undefined && (
        <FormField label="Limits">
          <RadioGroup
            value={draft.mode}
            items={MODES}
            onChange={({ detail }) => onChange({ ...draft, mode: detail.value === 'enforce' ? 'enforce' : 'observe' })}
          />
        </FormField>
      )}
    </SpaceBetween>
  );
}

function errorTextOf(text: string | undefined): { errorText?: string } {
  return text === undefined ? {} : { errorText: text };
}

function valuesOf(options: readonly MultiselectProps.Option[]): string[] {
  return options.flatMap(({ value }) => value ?? []);
}

/** Which methods, and which of them wait for a person. */
function MethodFields({ draft, error, onChange }: LimitsFieldProps) {
  const gateway = useGateway();
  const hasApprovals = useFeature('approvals');
  const { load } = useLoad('limit methods', (signal) => gateway.keys.limitMethods({ signal }));
  const all = load.kind === 'ready' ? load.value : [];
  const integrations = useLoad('integrations', (signal) => gateway.integrations.list({ signal })).load;
  const hasAgentic = integrations.kind === 'ready' && integrations.value.some(({ agentic }) => agentic === true);
  const allow = draft.allow ?? [];
  const options = setOptions(all, [...allow, ...draft.deny]);
  const toApprove = approvalOptions(all, draft.approve);
  const left = methodsOfDraft(draft, all);
  const chosen = (names: readonly string[]) => options.filter(({ value }) => names.includes(value));
  return (
    <SpaceBetween size="m">
      <FormField
        label="Methods it may call"
        description={
          draft.allow?.length === 0 ? 'It may call no method until some are chosen.' : 'Leave it empty for all methods.'
        }
        {...errorTextOf(problemOf(error, 'limits.allow'))}
      >
        <Multiselect
          selectedOptions={chosen(allow)}
          options={options}
          filteringType="auto"
          placeholder={draft.allow === null ? 'All' : draft.allow.length === 0 ? 'None' : 'Choose more'}
          onChange={({ detail }) => {
            const names = valuesOf(detail.selectedOptions);
            onChange({ ...draft, allow: names.length === 0 ? null : names });
          }}
        />
      </FormField>
      {left.length < all.length && (
        <ExpandableSection headerText={`May call ${left.length} of ${all.length} methods`}>
          <MethodList methods={left} />
        </ExpandableSection>
      )}
      <FormField label="Methods it may never call" description="These win over what it may call.">
        <Multiselect
          selectedOptions={chosen(draft.deny)}
          options={options}
          filteringType="auto"
          placeholder={draft.deny.length === 0 ? 'None' : 'Choose more'}
          onChange={({ detail }) => onChange({ ...draft, deny: valuesOf(detail.selectedOptions) })}
        />
      </FormField>
      {(hasApprovals || draft.approve.length > 0) && (
        <FormField
          label="Calls that wait for approval"
          description="A person decides on each of them, on a page whose address the caller gets."
        >
          <Multiselect
            selectedOptions={toApprove.filter(({ value }) => draft.approve.includes(value))}
            options={toApprove}
            filteringType="auto"
            placeholder={draft.approve.length === 0 ? 'None' : 'Choose more'}
            onChange={({ detail }) => onChange({ ...draft, approve: valuesOf(detail.selectedOptions) })}
          />
        </FormField>
      )}
      {draft.approve.length > 0 && (hasAgentic || draft.approval !== 'gateway') && (
        <FormField
          label="Who asks about Google’s MCP tools"
          description="For integrations that are made for AI agents."
          {...errorTextOf(problemOf(error, 'limits.approval'))}
        >
          <RadioGroup
            value={draft.approval}
            items={ASKER_NAMES.map((value) => ({ value, ...ASKERS[value] }))}
            onChange={({ detail }) =>
              onChange({ ...draft, approval: ASKER_NAMES.find((one) => one === detail.value) ?? 'gateway' })
            }
          />
        </FormField>
      )}
    </SpaceBetween>
  );
}

/** Which connections it may call, and from which addresses. */
function ReachFields({ draft, error, onChange }: LimitsFieldProps) {
  const gateway = useGateway();
  const { load } = useLoad('integrations', (signal) => gateway.integrations.list({ signal }));
  const known = (load.kind === 'ready' ? load.value : []).map(({ uniqueKey }) => uniqueKey);
  const options = [...new Set([...known, ...draft.integrations])].map((id) => ({ value: id, label: id }));
  const problems = limitsProblems(draft);
  return (
    <SpaceBetween size="m">
      <ConnectionsField chosen={draft.connections} onChoose={(connections) => onChange({ ...draft, connections })} />
      <FormField label="Integrations it may call" description="Others are refused. Leave it empty for all.">
        <Multiselect
          selectedOptions={options.filter(({ value }) => draft.integrations.includes(value))}
          options={options}
          placeholder={draft.integrations.length === 0 ? 'All' : 'Choose more'}
          empty="There is no integration yet"
          onChange={({ detail }) => onChange({ ...draft, integrations: valuesOf(detail.selectedOptions) })}
        />
      </FormField>
      <FormField
        label="Calendars, files and folders"
        description="Only calls that name these: calendar:<id> or file:<id>, one per line. All others are refused, also for files below a folder."
        {...errorTextOf(problemOf(error, 'limits.resources'))}
      >
        <Textarea
          value={draft.resources}
          rows={2}
          spellcheck={false}
          placeholder="All"
          onChange={({ detail }) => onChange({ ...draft, resources: detail.value })}
        />
      </FormField>
      <FormField
        label="Tags of end users"
        description="Only connections that have all of these. One per line, such as team = finance."
        {...errorTextOf(problems.tags ?? problemOf(error, 'limits.end_users'))}
      >
        <Textarea
          value={draft.tags}
          rows={2}
          spellcheck={false}
          onChange={({ detail }) => onChange({ ...draft, tags: detail.value })}
        />
      </FormField>
      <FormField
        label="Addresses"
        description="Only calls from these addresses and networks, such as 203.0.113.0/24. One per line."
        {...errorTextOf(problemOf(error, 'limits.sources'))}
      >
        <Textarea
          value={draft.sources}
          rows={2}
          spellcheck={false}
          onChange={({ detail }) => onChange({ ...draft, sources: detail.value })}
        />
      </FormField>
    </SpaceBetween>
  );
}

/** How much it may call, how urgently and how long. */
function AmountFields({ draft, error, onChange }: LimitsFieldProps) {
  const problems = limitsProblems(draft);
  const lastDay = draft.endsAt.slice(0, 10);
  return (
    <SpaceBetween size="m">
      <div className="amount-grid">
        {AMOUNTS.map(({ name }) => (
          <FormField
            key={name}
            label={limitWords(name)}
            {...errorTextOf(problems[name] ?? problemOf(error, `limits.${name}`))}
          >
            <Input
              value={draft.amounts[name] ?? ''}
              inputMode="numeric"
              autoComplete={false}
              placeholder="No limit"
              onChange={({ detail }) => onChange({ ...draft, amounts: { ...draft.amounts, [name]: detail.value } })}
            />
          </FormField>
        ))}
      </div>
      <Box color="text-body-secondary" fontSize="body-s">
        Units are those of Google’s quotas: reading a file takes 5, a list 100, a download 200, a change 50, a call of
        Calendar 1. Bytes are those of responses. Days begin at midnight UTC.
      </Box>
      <FormField label="Priority">
        <RadioGroup
          value={draft.isBackground ? 'background' : 'interactive'}
          items={PRIORITIES}
          onChange={({ detail }) => onChange({ ...draft, isBackground: detail.value === 'background' })}
        />
      </FormField>
      <FormField
        label="Ends at the beginning of"
        description="A day in UTC. Leave it empty for a key that does not end."
        {...errorTextOf(problems.endsAt ?? problemOf(error, 'limits.expires_at'))}
      >
        <DatePicker
          value={lastDay}
          placeholder="YYYY/MM/DD"
          openCalendarAriaLabel={(day) => `Choose the day${day === null ? '' : `, chosen: ${day}`}`}
          onChange={({ detail: { value } }) =>
            onChange({ ...draft, endsAt: /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00:00.000Z` : value })
          }
        />
      </FormField>
    </SpaceBetween>
  );
}
