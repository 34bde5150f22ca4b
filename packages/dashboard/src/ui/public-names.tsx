import ColumnLayout from '@cloudscape-design/components/column-layout';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useState } from 'react';
import type { PublicNames } from '../gateway/library.ts';
import { LANGUAGES } from '../model/languages.ts';
import { givenNames } from '../model/public-names.ts';
import { ActionButton } from './action-button.tsx';

/** The name for end users in each language of their pages, below a line that says how many there are. */
export function PublicNamesFields({
  names,
  count,
  onChange,
  children,
}: {
  names: PublicNames;
  count: number;
  onChange: (names: PublicNames) => void;
  /** What follows the fields. */
  children?: ReactNode;
}) {
  return (
    <ExpandableSection
      headerText={`Name for end users by language${count === 0 ? '' : ` (${count})`}`}
      headerDescription="For readers of these languages, instead of the name for end users."
    >
      <SpaceBetween size="s">
        <ColumnLayout columns={2}>
          {LANGUAGES.map(({ value, label }) => (
            <FormField key={value} label={<span lang={value}>{label}</span>}>
              <Input
                value={names[value] ?? ''}
                ariaLabel={`Name for end users, ${label}`}
                onChange={({ detail }) => onChange({ ...names, [value]: detail.value })}
              />
            </FormField>
          ))}
        </ColumnLayout>
        {children}
      </SpaceBetween>
    </ExpandableSection>
  );
}

/** The same for an integration that there is: the names are saved together. */
export function SavedPublicNames({
  saved,
  onSave,
}: {
  saved: PublicNames;
  onSave: (names: PublicNames | null) => void;
}) {
  const [names, setNames] = useState<PublicNames>(saved);
  const isSame = LANGUAGES.every(({ value }) => (saved[value] ?? '') === (names[value]?.trim() ?? ''));
  return (
    <PublicNamesFields names={names} count={Object.keys(saved).length} onChange={setNames}>
      <ActionButton disabled={isSame} onClick={() => onSave(givenNames(names) ?? null)}>
        Save the names by language
      </ActionButton>
    </PublicNamesFields>
  );
}
