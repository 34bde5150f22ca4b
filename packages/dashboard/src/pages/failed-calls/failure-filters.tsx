import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'react-router';
import { searchStatus, useConnectionSearch } from '../../data/use-connection-search.ts';
import { useLoad } from '../../data/use-load.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { SecretKey } from '../../gateway/library.ts';
import { FAILURES } from '../../model/failures.ts';
import { detailsOf, titleOf } from '../../model/person.ts';
import { absoluteTime, DAY_MS, startOfDay } from '../../model/time.ts';
import { connectionHref } from '../../ui/link.tsx';

const HOUR_MS = 3_600_000;
const ANY_TIME = { value: '', label: 'Any time' };
const EVERYBODY = { value: '', label: 'Everybody' };

/** Narrows the failed calls down by how, why, where, with what and when; the choice is in the address. */
export function FailureFilters({ keys }: { keys: readonly SecretKey[] }) {
  const gateway = useGateway();
  const { load } = useLoad('integrations', (signal) => gateway.integrations.list({ signal }));
  const [address, setAddress] = useSearchParams();
  const change = (changes: Readonly<Record<string, string>>): void => {
    const next = new URLSearchParams(address);
    for (const [name, value] of Object.entries(changes)) {
      if (value === '') next.delete(name);
      else next.set(name, value);
    }
    setAddress(next, { replace: true });
  };
  const integrations = (load.kind === 'ready' ? load.value : []).map(({ uniqueKey, displayName }) => ({
    value: uniqueKey,
    label: displayName,
  }));
  const named = keys.map(({ id, name, revokedAt }) => ({
    value: id.slice(0, 12),
    label: revokedAt === undefined ? name : `${name} (revoked)`,
  }));
  return (
    <SpaceBetween size="s">
      <div className="filter-grid">
        <Choice name="failure" label="What failed" all="Everything" options={FAILURES} onChange={change} />
        <PersonChoice onChange={change} />
        <Choice name="integration" label="Integration" all="All" options={integrations} onChange={change} />
        <Choice name="key" label="Secret key" all="All" options={named} onChange={change} />
        <TimeChoice onChange={change} />
        {address.has('since') && <Between key={`${address.get('since')} ${address.get('until')}`} onChange={change} />}
        <ReasonField key={address.get('reason')} onChange={change} />
      </div>
      {address.size > 0 && (
        <Button variant="inline-link" onClick={() => setAddress({}, { replace: true })}>
          Show all failed calls
        </Button>
      )}
    </SpaceBetween>
  );
}

type Change = (changes: Readonly<Record<string, string>>) => void;

function Choice({
  name,
  label,
  all,
  options,
  onChange,
}: {
  name: string;
  label: string;
  all: string;
  options: readonly { readonly value: string; readonly label: string }[];
  onChange: Change;
}) {
  const [address] = useSearchParams();
  const every = { value: '', label: all };
  const chosen = address.get(name) ?? '';
  const known = options.find(({ value }) => value === chosen);
  return (
    <FormField label={label}>
      <Select
        // What a link says is shown even where the list does not have it.
        selectedOption={known ?? (chosen === '' ? every : { value: chosen, label: chosen })}
        options={[every, ...options]}
        onChange={({ detail }) => onChange({ [name]: detail.selectedOption.value ?? '' })}
      />
    </FormField>
  );
}

function TimeChoice({ onChange }: { onChange: Change }) {
  const [address] = useSearchParams();
  const [since, until] = [address.get('since') ?? '', address.get('until') ?? ''];
  const options = [
    ANY_TIME,
    { value: 'hour', label: 'Last hour' },
    { value: 'today', label: 'Today (UTC)' },
    { value: 'week', label: 'Last 7 days' },
    { value: 'between', label: 'Between two times' },
  ];
  const start = (value: string): string => {
    const nowMs = Date.now();
    if (value === 'hour') return new Date(nowMs - HOUR_MS).toISOString();
    if (value === 'today') return new Date(startOfDay(nowMs)).toISOString();
    if (value === 'between') return new Date(nowMs - DAY_MS).toISOString();
    return value === 'week' ? new Date(nowMs - 7 * DAY_MS).toISOString() : '';
  };
  const said = [since === '' ? '' : `From ${absoluteTime(since)}`, until === '' ? '' : `to ${absoluteTime(until)}`];
  return (
    <FormField label="Time">
      <Select
        selectedOption={since === '' && until === '' ? ANY_TIME : { value: 'chosen', label: said.join(' ').trim() }}
        options={options}
        onChange={({ detail }) => onChange({ since: start(detail.selectedOption.value ?? ''), until: '' })}
      />
    </FormField>
  );
}

/** Both ends of a time, as typed in UTC; Enter applies them. */
function Between({ onChange }: { onChange: Change }) {
  const [address] = useSearchParams();
  const [draft, setDraft] = useState({ since: address.get('since') ?? '', until: address.get('until') ?? '' });
  const isTime = (text: string) => text.trim() === '' || !Number.isNaN(Date.parse(asUtc(text)));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isTime(draft.since) || !isTime(draft.until)) return;
    const iso = (text: string) => (text.trim() === '' ? '' : new Date(asUtc(text)).toISOString());
    onChange({ since: iso(draft.since), until: iso(draft.until) });
  };
  return (
    <>
      {(['since', 'until'] as const).map((end) => (
        <form key={end} onSubmit={submit}>
          <FormField
            label={end === 'since' ? 'From (UTC)' : 'Until (UTC)'}
            {...(isTime(draft[end]) ? {} : { errorText: 'Write a time such as 2026-03-01 12:00.' })}
          >
            <Input
              value={draft[end]}
              autoComplete={false}
              placeholder={end === 'since' ? '2026-03-01 12:00, then Enter' : 'Now'}
              onChange={({ detail }) => setDraft({ ...draft, [end]: detail.value })}
            />
          </FormField>
        </form>
      ))}
    </>
  );
}

/** A typed time, which is meant in UTC where it does not say. */
function asUtc(text: string): string {
  const plain = text.trim().replace(' ', 'T');
  return /T[\d:.]+$/.test(plain) ? `${plain}Z` : plain;
}

/** One connection, found by any part of what its person is called. */
function PersonChoice({ onChange }: { onChange: Change }) {
  const [address] = useSearchParams();
  const { type, load } = useConnectionSearch();
  const [chosenName, setChosenName] = useState('');
  const [integration, connection] = [address.get('integration') ?? '', address.get('connection') ?? ''];
  const found = (load.kind === 'ready' ? load.value : []).map((one) => ({
    value: connectionHref(one),
    label: titleOf(one),
    description: [...detailsOf(one), one.providerConfigKey, one.connectionId].join(' · '),
    one,
  }));
  const chosen =
    found.find(({ one }) => one.connectionId === connection && one.providerConfigKey === integration)?.label ??
    (chosenName === '' ? connection : chosenName);
  return (
    <FormField label="Person">
      <Select
        selectedOption={connection === '' ? EVERYBODY : { value: 'chosen', label: chosen }}
        options={[EVERYBODY, ...found]}
        filteringType="manual"
        filteringPlaceholder="Any part of a name, e-mail or id"
        filteringAriaLabel="Search people"
        statusType={searchStatus(load)}
        loadingText="Searching"
        errorText="The search failed"
        onLoadItems={({ detail }) => type(detail.filteringText)}
        onChange={({ detail }) => {
          const one = found.find(({ value }) => value === detail.selectedOption.value)?.one;
          setChosenName(one === undefined ? '' : titleOf(one));
          onChange(
            one === undefined
              ? { connection: '' }
              : { connection: one.connectionId, integration: one.providerConfigKey },
          );
        }}
      />
    </FormField>
  );
}

function ReasonField({ onChange }: { onChange: Change }) {
  const [address] = useSearchParams();
  const [text, setText] = useState(address.get('reason') ?? '');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onChange({ reason: text.trim() });
  };
  return (
    <form onSubmit={submit}>
      <FormField label="Reason or code">
        <Input
          type="search"
          value={text}
          placeholder="rateLimitExceeded, then Enter"
          onChange={({ detail }) => {
            setText(detail.value);
            if (detail.value === '') onChange({ reason: '' });
          }}
        />
      </FormField>
    </form>
  );
}
