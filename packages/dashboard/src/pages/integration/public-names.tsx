import Button from '@cloudscape-design/components/button';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import type { PublicNames } from '../../gateway/library.ts';
import { LANGUAGES } from '../../model/languages.ts';

/** The name for end users in each language of their pages, saved together. */
export function PublicNamesFields({
  saved,
  onSave,
}: {
  saved: PublicNames;
  onSave: (names: PublicNames | null) => void;
}) {
  const [names, setNames] = useState<PublicNames>(saved);
  const given = LANGUAGES.flatMap(({ value }) => {
    const name = names[value]?.trim() ?? '';
    return name === '' ? [] : [[value, name] as const];
  });
  const isSame = LANGUAGES.every(({ value }) => (saved[value] ?? '') === (names[value]?.trim() ?? ''));
  const count = Object.keys(saved).length;
  return (
    <ExpandableSection
      headerText={`Name for end users by language${count === 0 ? '' : ` (${count})`}`}
      headerDescription="For readers of these languages, in place of the name for end users."
    >
      <SpaceBetween size="s">
        <ColumnLayout columns={2}>
          {LANGUAGES.map(({ value, label }) => (
            <FormField key={value} label={<span lang={value}>{label}</span>}>
              <Input
                value={names[value] ?? ''}
                ariaLabel={`Name for end users, ${label}`}
                onChange={({ detail }) => setNames((before) => ({ ...before, [value]: detail.value }))}
              />
            </FormField>
          ))}
        </ColumnLayout>
        <Button disabled={isSame} onClick={() => onSave(given.length === 0 ? null : Object.fromEntries(given))}>
          Save the names by language
        </Button>
      </SpaceBetween>
    </ExpandableSection>
  );
}
