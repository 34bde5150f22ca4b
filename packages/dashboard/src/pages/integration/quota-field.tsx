import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import type { OwnQuota } from '../../gateway/library.ts';
import {
  draftOfQuota,
  QUOTA_AMOUNTS,
  QUOTA_TIERS,
  type QuotaAmount,
  type QuotaTier,
  quotaOfDraft,
  quotaProblem,
  untilProblem,
} from '../../model/own-quota.ts';
import { ActionButton } from '../../ui/action-button.tsx';

const LABELS: Readonly<Record<QuotaAmount, string>> = {
  perMinute: 'A minute',
  perMinuteAndUser: 'A minute and user',
  perDay: 'A day',
  bytesOutPerDay: 'Bytes of answers a day',
  toolRequestsPerDay: 'Requests a day to Google’s MCP server (5,000)',
  toolKeys: 'Agent keys that share them (20)',
};

const COUNTED_IN = [
  { value: 'units', label: 'Units', description: 'For new Cloud projects. A request of Calendar is one unit.' },
  { value: 'requests', label: 'Requests', description: 'For Cloud projects that used Drive before May 2026.' },
];

const TIERS: Readonly<Record<QuotaTier, string>> = {
  standard: 'Standard: no billing account',
  internal: 'Internal use, as attested to Google',
  scaled: 'Scaled: with a billing account',
};

/** Google's quotas of the Cloud project, where they differ from those of new projects. */
export function QuotaField({
  saved,
  onSave,
}: {
  saved: OwnQuota | undefined;
  onSave: (quota: OwnQuota | null) => void;
}) {
  const [draft, setDraft] = useState(draftOfQuota(saved));
  const wanted = quotaOfDraft(draft);
  const isSame = JSON.stringify(wanted) === JSON.stringify(quotaOfDraft(draftOfQuota(saved)));
  const wrongDay = untilProblem(draft.until);
  const isWrong = wrongDay !== undefined || QUOTA_AMOUNTS.some((name) => quotaProblem(name, draft[name]) !== undefined);
  return (
    <ExpandableSection
      headerText="Google’s quotas of the Cloud project"
      headerDescription={saved === undefined ? 'Those of new projects.' : 'Different from those of new projects.'}
    >
      <SpaceBetween size="m">
        <FormField
          label="Counted in"
          description="The Cloud console shows your project’s quotas and tier, under IAM & Admin, Quotas. Leave a field empty if it is as in new projects. Google ends limits above the Standard tier on 1 April 2027, unless the project enrolls in the Scaled tier or attests internal use."
        >
          <RadioGroup
            value={draft.countedIn}
            items={COUNTED_IN}
            onChange={({ detail }) =>
              setDraft({ ...draft, countedIn: detail.value === 'requests' ? 'requests' : 'units' })
            }
          />
        </FormField>
        {QUOTA_AMOUNTS.map((name) => {
          const problem = quotaProblem(name, draft[name]);
          return (
            <FormField
              key={name}
              label={LABELS[name]}
              {...(name === 'perDay' || name === 'bytesOutPerDay'
                ? { description: 'A threshold to warn at, or none.' }
                : {})}
              {...(problem === undefined ? {} : { errorText: problem })}
            >
              <Input
                value={draft[name]}
                inputMode="numeric"
                placeholder="As new projects"
                onChange={({ detail }) => setDraft({ ...draft, [name]: detail.value })}
              />
            </FormField>
          );
        })}
        <FormField label="Tier" description="Only the Cloud console shows it.">
          <RadioGroup
            value={draft.tier}
            items={QUOTA_TIERS.map((value) => ({ value, label: TIERS[value] }))}
            onChange={({ detail }) =>
              setDraft({ ...draft, tier: QUOTA_TIERS.find((one) => one === detail.value) ?? 'standard' })
            }
          />
        </FormField>
        {draft.tier === 'scaled' && (
          <FormField label="Billing account" description="Its projects share Google’s daily allowance.">
            <Input
              value={draft.billingAccount}
              onChange={({ detail }) => setDraft({ ...draft, billingAccount: detail.value })}
            />
          </FormField>
        )}
        <FormField
          label="Until"
          description="First day on which these limits no longer count, but those of the Standard tier where they are lower."
          {...(wrongDay === undefined ? {} : { errorText: wrongDay })}
        >
          <Input
            value={draft.until}
            placeholder="2027-04-01 for higher limits in the Standard tier"
            onChange={({ detail }) => setDraft({ ...draft, until: detail.value })}
          />
        </FormField>
        <ActionButton disabled={isSame || isWrong} onClick={() => onSave(wanted)}>
          Save the quota
        </ActionButton>
      </SpaceBetween>
    </ExpandableSection>
  );
}
