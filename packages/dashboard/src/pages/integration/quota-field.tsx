import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import type { OwnQuota } from '../../gateway/library.ts';
import { draftOfQuota, QUOTA_AMOUNTS, type QuotaAmount, quotaOfDraft, quotaProblem } from '../../model/own-quota.ts';
import { ActionButton } from '../../ui/action-button.tsx';

const LABELS: Readonly<Record<QuotaAmount, string>> = {
  perMinute: 'A minute',
  perMinuteAndUser: 'A minute and user',
  perDay: 'A day',
  bytesOutPerDay: 'Bytes of answers a day',
};

const COUNTED_IN = [
  { value: 'units', label: 'Units', description: 'For new Cloud projects. A request of Calendar is one unit.' },
  { value: 'requests', label: 'Requests', description: 'For Cloud projects that used Drive before May 2026.' },
];

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
  const isWrong = QUOTA_AMOUNTS.some((name) => quotaProblem(name, draft[name]) !== undefined);
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
        <ActionButton disabled={isSame || isWrong} onClick={() => onSave(wanted)}>
          Save the quota
        </ActionButton>
      </SpaceBetween>
    </ExpandableSection>
  );
}
