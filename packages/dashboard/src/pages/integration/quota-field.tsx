import Button from '@cloudscape-design/components/button';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import type { OwnQuota } from '../../gateway/library.ts';
import { draftOfQuota, QUOTA_AMOUNTS, type QuotaAmount, quotaOfDraft, quotaProblem } from '../../model/own-quota.ts';

const LABELS: Readonly<Record<QuotaAmount, string>> = {
  perMinute: 'A minute',
  perMinuteAndUser: 'A minute and user',
  perDay: 'A day',
  bytesOutPerDay: 'Bytes of answers a day',
};

const COUNTED_IN = [
  { value: 'units', label: 'Units', description: 'As new Cloud projects; of Calendar each request is one.' },
  { value: 'requests', label: 'Requests', description: 'As Cloud projects that used Drive before May 2026.' },
];

/** What Google gives the Cloud project, where that is not what new projects get. */
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
      headerText="Google’s quota of the Cloud project"
      headerDescription={saved === undefined ? 'As new projects get.' : 'Differs from what new projects get.'}
    >
      <SpaceBetween size="m">
        <FormField
          label="Counted in"
          description="The Cloud console shows what your project has, under IAM & Admin, Quotas. Leave empty what is as in new projects."
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
                ? { description: 'none, if Google does not limit it.' }
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
        <Button disabled={isSame || isWrong} onClick={() => onSave(wanted)}>
          Save the quota
        </Button>
      </SpaceBetween>
    </ExpandableSection>
  );
}
