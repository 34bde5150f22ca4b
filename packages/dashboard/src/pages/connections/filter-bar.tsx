import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import type { SelectProps } from '@cloudscape-design/components/select';
import { useEffect, useState } from 'react';
import { useLoad } from '../../data/use-load.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { ALL_CAUSES } from '../../model/causes.ts';
import { isFiltering, LIST_STATUSES, type ListFilter, NO_FILTER } from '../../model/connection-filter.ts';
import { Choice } from '../../ui/choice.tsx';

/** Asked after a pause in typing, so that not every letter is a search. */
const TYPING_PAUSE_MS = 350;
const ANY: SelectProps.Option = { value: '', label: 'Any' };
const STATUSES: readonly SelectProps.Option[] = [
  ANY,
  { value: 'working', label: 'Working' },
  { value: 'active', label: 'Active' },
  { value: 'reauthorization_required', label: 'Needs a new authorization' },
  { value: 'failing', label: 'Failing: Google refuses its calls' },
  { value: 'refused_by_provider', label: 'Not renewed: Google refuses its token' },
  { value: 'ends_soon', label: 'Ends soon' },
  { value: 'client_refused', label: 'OAuth client refused' },
  { value: 'not_used_yet', label: 'Not used yet' },
];
const CAUSES: readonly SelectProps.Option[] = [ANY, ...ALL_CAUSES.map(({ cause, label }) => ({ value: cause, label }))];

/** Search and filters of the list. */
export function FilterBar({ filter, onChange }: { filter: ListFilter; onChange: (filter: ListFilter) => void }) {
  const gateway = useGateway();
  const { load } = useLoad('integrations', (signal) => gateway.integrations.list({ signal }));
  const integrations = [
    ANY,
    ...(load.kind === 'ready' ? load.value : []).map(({ uniqueKey }) => ({ value: uniqueKey, label: uniqueKey })),
  ];
  return (
    <search className="filters">
      <SearchField filter={filter} onChange={onChange} />
      <Choice
        label="Status"
        options={STATUSES}
        value={filter.status}
        onChoose={(value) => onChange({ ...filter, cause: '', status: readStatus(value) })}
      />
      <Choice
        label="Integration"
        options={integrations}
        value={filter.integration}
        onChoose={(integration) => onChange({ ...filter, integration })}
      />
      <Choice
        label="Cause"
        options={CAUSES}
        value={filter.cause}
        onChoose={(cause) =>
          onChange({ ...filter, cause, status: cause === '' ? filter.status : 'reauthorization_required' })
        }
      />
      <Button disabled={!isFiltering(filter)} onClick={() => onChange({ ...NO_FILTER, sort: filter.sort })}>
        Clear
      </Button>
    </search>
  );
}

function SearchField({ filter, onChange }: { filter: ListFilter; onChange: (filter: ListFilter) => void }) {
  const [text, setText] = useState(filter.search);
  useEffect(() => setText((typed) => (typed.trim() === filter.search ? typed : filter.search)), [filter.search]);
  useEffect(() => {
    if (text.trim() === filter.search) return;
    const timer = setTimeout(() => onChange({ ...filter, search: text.trim() }), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, filter, onChange]);
  return (
    <FormField label="Search" stretch>
      <Input
        type="search"
        value={text}
        placeholder="Name, e-mail, id or tag"
        onChange={({ detail }) => setText(detail.value)}
      />
    </FormField>
  );
}

function readStatus(value: string): ListFilter['status'] {
  return LIST_STATUSES.find((status) => status === value) ?? '';
}
