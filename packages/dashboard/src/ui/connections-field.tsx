import FormField from '@cloudscape-design/components/form-field';
import Multiselect from '@cloudscape-design/components/multiselect';
import { searchStatus, useConnectionSearch } from '../data/use-connection-search.ts';
import type { ConnectionSummary } from '../gateway/library.ts';
import { detailsOf, titleOf } from '../model/person.ts';

/** Chooses connections by any part of what their people are called, or by an exact id. */
export function ConnectionsField({
  chosen,
  onChoose,
}: {
  /** Ids, which may belong to no connection any more. */
  chosen: readonly string[];
  onChoose: (ids: readonly string[]) => void;
}) {
  const { text, type, load } = useConnectionSearch();
  // An id may be the same under two integrations; limits then hold for both.
  const found =
    load.kind === 'ready' ? [...new Map(load.value.map((one) => [one.connectionId, optionOf(one)])).values()] : [];
  const isFound = (id: string) => found.some(({ value }) => value === id);
  // Offered once the search has ended: an option that is there first would stand where the found ones appear.
  const isOffered = load.kind !== 'loading' && text !== '' && !isFound(text) && !chosen.includes(text);
  const options = [
    ...found,
    ...chosen.filter((id) => !isFound(id)).map((id) => ({ value: id, label: id })),
    ...(isOffered ? [{ value: text, label: text, description: 'The connection with exactly this id' }] : []),
  ];
  return (
    <FormField label="Connections" description="Others look as if they did not exist. Leave it empty for all.">
      <Multiselect
        selectedOptions={options.filter(({ value }) => chosen.includes(value))}
        options={options}
        filteringType="manual"
        filteringPlaceholder="Any part of a name, e-mail or id"
        filteringAriaLabel="Search connections"
        statusType={searchStatus(load)}
        loadingText="Searching"
        errorText="The search failed"
        empty="Nobody is connected yet"
        placeholder={chosen.length === 0 ? 'All' : 'Choose more'}
        onLoadItems={({ detail }) => type(detail.filteringText)}
        onChange={({ detail }) => onChoose(detail.selectedOptions.flatMap(({ value }) => value ?? []))}
      />
    </FormField>
  );
}

function optionOf(one: ConnectionSummary) {
  const description = [...detailsOf(one), one.providerConfigKey, one.connectionId].join(' · ');
  return { value: one.connectionId, label: titleOf(one), description };
}
