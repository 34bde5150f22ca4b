import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import DatePicker from '@cloudscape-design/components/date-picker';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { type FormEvent, type ReactNode, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useAction } from '../../data/use-action.ts';
import { keyName, useKeys } from '../../data/use-key-names.ts';
import { useLoad } from '../../data/use-load.ts';
import { useNarrow } from '../../data/use-narrow.ts';
import { AUDIT_SUBJECTS } from '../../features/audit-subjects.ts';
import { useGateway, useParts } from '../../gateway/gateway-context.tsx';
import type { AuditEvent, AuditFilter, AuditPage as EventPage, SecretKey } from '../../gateway/library.ts';
import { actorText, eventText, remarkText } from '../../model/event-texts.ts';
import { EVENT_TEXTS } from '../../model/event-words.ts';
import type { AuditSubject } from '../../model/feature-slots.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Freshness } from '../../ui/freshness.tsx';
import { connectionHref, integrationHref, keyHref, PageLink, searchHref } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { EventDialog } from './event-dialog.tsx';

/** What fits on a phone. */
const NARROW_COLUMNS = ['what', 'who'];

/** Who did what in the account, newest first; the filter is in the address. */
export default function AuditPage() {
  const subjects = useParts(AUDIT_SUBJECTS);
  return subjects.reduceRight<ReactNode>(within, <Events />);
}

/** A page with the names of what its events are about. */
function within(page: ReactNode, { Names }: AuditSubject): ReactNode {
  return <Names>{page}</Names>;
}

function Events() {
  const gateway = useGateway();
  const isNarrow = useNarrow();
  const keys = useKeys();
  const [opened, setOpened] = useState<AuditEvent | undefined>(undefined);
  const columns = useMemo(() => columnsOf(isNarrow, keys, setOpened), [isNarrow, keys]);
  const [address, setAddress] = useSearchParams();
  const filter = filterOf(address);
  const name = `audit ${address.toString()}`;
  const loaded = useLoad(name, (signal) => gateway.audit.list(filter, { signal }));
  const { load, reload } = loaded;
  const [older, setOlder] = useState<{ readonly name: string; readonly pages: readonly EventPage[] }>({
    name,
    pages: [],
  });
  const pages = [...(load.kind === 'ready' ? [load.value] : []), ...(older.name === name ? older.pages : [])];
  const next = pages.at(-1)?.nextCursor;
  const completeSince = pages[0]?.completeSince;
  const more = useAction(async () => {
    if (next === undefined) return;
    const page = await gateway.audit.list({ ...filter, cursor: next });
    setOlder((all) => ({ name, pages: [...(all.name === name ? all.pages : []), page] }));
  });
  const save = useAction(async () => {
    const lines: string[] = [];
    for await (const event of gateway.audit.all(filter)) lines.push(`${JSON.stringify(event)}\n`);
    offer(new Blob(lines, { type: 'application/x-ndjson' }), 'audit.jsonl');
  });
  return (
    <Page
      title="Audit"
      description="What happened in the account and who did it, newest first. Events are kept for 400 days."
      freshness={<Freshness loaded={loaded} />}
      actions={
        <Button loading={save.isRunning} onClick={() => void save.run()}>
          Export as JSON lines
        </Button>
      }
    >
      <SpaceBetween size="m">
        <FilterForm key={address.toString()} filter={filter} onFilter={setAddress} />
        <ErrorPanel error={save.error ?? more.error} />
        {load.kind === 'failed' ? (
          <ErrorPanel error={load.error} onRetry={reload} />
        ) : (
          <Table
            items={pages.flatMap(({ events }) => events)}
            loading={load.kind === 'loading'}
            loadingText="Loading the audit trail"
            trackBy="eventId"
            wrapLines
            ariaLabels={{ tableLabel: 'Audit trail' }}
            columnDefinitions={columns}
            {...(isNarrow ? { visibleColumns: NARROW_COLUMNS } : {})}
            empty={<Box textAlign="center">No event matches.</Box>}
          />
        )}
        {completeSince !== undefined && (
          <Box color="text-body-secondary">
            Events from before <Time iso={completeSince} /> may be missing: the version that the gateway had then did
            not list them. Those that can still be found are added within days.
          </Box>
        )}
        {opened !== undefined && <EventDialog event={opened} onClose={() => setOpened(undefined)} />}
        {next !== undefined && (
          <Button loading={more.isRunning} onClick={() => void more.run()}>
            Show older events
          </Button>
        )}
      </SpaceBetween>
    </Page>
  );
}

const FIELDS = ['actor', 'object', 'type', 'since', 'until'] as const;

function filterOf(address: URLSearchParams): AuditFilter {
  const filter: AuditFilter = {};
  for (const name of FIELDS) {
    const value = address.get(name) ?? '';
    if (value !== '') filter[name] = name === 'since' || name === 'until' ? asTime(value, name) : value;
  }
  return filter;
}

/** A day alone is meant as a whole. */
function asTime(value: string, end: 'since' | 'until'): string {
  return /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T${end === 'since' ? '00:00:00' : '23:59:59.999'}Z` : value;
}

const EVERY_TYPE = { value: '', label: 'Every type' };
const TYPES = [
  EVERY_TYPE,
  ...Object.entries(EVENT_TEXTS)
    .map(([value, { title }]) => ({ value, label: title, description: value }))
    .sort((a, b) => a.label.localeCompare(b.label)),
];

/** What of a filter says something. */
function given(draft: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value.trim() !== ''));
}

function FilterForm({
  filter,
  onFilter,
}: {
  filter: AuditFilter;
  onFilter: (address: Record<string, string>) => void;
}) {
  const [draft, setDraft] = useState<Readonly<Record<string, string>>>(() => ({
    actor: filter.actor ?? '',
    object: filter.object ?? '',
    type: filter.type ?? '',
    since: filter.since?.slice(0, 10) ?? '',
    until: filter.until?.slice(0, 10) ?? '',
  }));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onFilter(given(draft));
  };
  const field = (name: (typeof FIELDS)[number], label: string, placeholder: string) => (
    <FormField label={label}>
      <Input
        value={draft[name] ?? ''}
        placeholder={placeholder}
        onChange={({ detail }) => setDraft({ ...draft, [name]: detail.value })}
      />
    </FormField>
  );
  const choose = (name: (typeof FIELDS)[number], value: string): void => {
    const next = { ...draft, [name]: value };
    setDraft(next);
    onFilter(given(next));
  };
  const day = (name: 'since' | 'until', label: string) => (
    <FormField label={label}>
      <DatePicker
        value={draft[name] ?? ''}
        placeholder="YYYY/MM/DD"
        openCalendarAriaLabel={(chosen) => `${label}: choose a day${chosen === null ? '' : `, chosen: ${chosen}`}`}
        onChange={({ detail }) => {
          if (detail.value === '' || /^\d{4}-\d\d-\d\d$/.test(detail.value)) choose(name, detail.value);
          else setDraft({ ...draft, [name]: detail.value });
        }}
      />
    </FormField>
  );
  return (
    <form onSubmit={submit}>
      <SpaceBetween size="s">
        <div className="filter-grid">
          {field('actor', 'Who', 'e-mail, name of a key, gateway')}
          {field('object', 'Object', 'id of what it happened to')}
          <FormField label="Type of event">
            <Select
              filteringType="auto"
              selectedOption={TYPES.find(({ value }) => value === draft.type) ?? EVERY_TYPE}
              options={TYPES}
              onChange={({ detail }) => choose('type', detail.selectedOption.value ?? '')}
            />
          </FormField>
          {day('since', 'From day (UTC)')}
          {day('until', 'To day (UTC)')}
        </div>
        <Button formAction="submit">Show</Button>
      </SpaceBetween>
    </form>
  );
}

/** What only a feature has, and an event is about. */
function subjectOf(data: AuditEvent['data']) {
  return Object.values(AUDIT_SUBJECTS).find(({ member }) => data[member] !== undefined);
}

const columnsOf = (
  isNarrow: boolean,
  keys: readonly SecretKey[],
  onOpen: (event: AuditEvent) => void,
): TableProps.ColumnDefinition<AuditEvent>[] => [
  { id: 'time', header: 'When', cell: ({ time }) => <Time iso={time} /> },
  {
    id: 'what',
    header: 'What',
    isRowHeader: true,
    cell: (event) => (
      <span className="wrap">
        <Button variant="inline-link" onClick={() => onOpen(event)}>
          {eventText(event.type).title}
        </Button>
        <Remark event={event} keys={keys} />
        {isNarrow && (
          <div className="soft">
            <About event={event} keys={keys} />
            <div>
              <Time iso={event.time} />
            </div>
          </div>
        )}
      </span>
    ),
  },
  {
    id: 'who',
    header: 'Who',
    cell: ({ actor, actorName, connectionName, endUserId }) => (
      <span className="wrap" title={actor}>
        {actor === undefined ? (
          actorText(actor)
        ) : (
          <PageLink href={actorHref(actorName ?? actor)}>
            <Breakable
              text={
                actorName ?? actorText(actor, actor.startsWith('session:') ? (connectionName ?? endUserId) : undefined)
              }
            />
          </PageLink>
        )}
      </span>
    ),
  },
  { id: 'about', header: 'About', cell: (event) => <About event={event} keys={keys} /> },
];

function actorHref(actor: string): string {
  return `/audit?actor=${encodeURIComponent(actor)}`;
}

/** Whether the row names a secret key in another column: as the one who did it, or as what it is about. */
function isNamedInOtherColumn({ actor, providerConfigKey, endUserId, data }: AuditEvent, keyId: string): boolean {
  const isAboutKey = providerConfigKey === undefined && endUserId === undefined && subjectOf(data) === undefined;
  return isAboutKey || actor === `key:${keyId}`;
}

function Remark({ event, keys }: { event: AuditEvent; keys: readonly SecretKey[] }) {
  const { type, data } = event;
  const remark = remarkText(type, data, (keyId) =>
    isNamedInOtherColumn(event, keyId) ? undefined : keyName(keys, keyId),
  );
  return (
    <>
      {remark !== undefined && <div className="soft">{remark}</div>}
      {data.session_id !== undefined && (
        <div>
          <PageLink href={actorHref(`session:${data.session_id}`)}>What came of it</PageLink>
        </div>
      )}
    </>
  );
}

/** What it happened to, by the name that people know it by, and a link to it. */
function About({ event, keys }: { event: AuditEvent; keys: readonly SecretKey[] }) {
  const { providerConfigKey, connectionId, connectionName, endUserId, data } = event;
  if (providerConfigKey !== undefined && connectionId !== undefined) {
    return (
      <>
        <PageLink href={connectionHref({ providerConfigKey, connectionId })}>
          <Breakable text={connectionName ?? endUserId ?? connectionId} />
        </PageLink>{' '}
        <span className="soft">{providerConfigKey}</span>
      </>
    );
  }
  if (providerConfigKey !== undefined || endUserId !== undefined) {
    return (
      <>
        {endUserId !== undefined && (
          <PageLink href={searchHref(endUserId)}>
            <Breakable text={endUserId} />
          </PageLink>
        )}{' '}
        {providerConfigKey !== undefined && (
          <PageLink href={integrationHref(providerConfigKey)}>{providerConfigKey}</PageLink>
        )}
      </>
    );
  }
  const subject = subjectOf(data);
  if (subject !== undefined) return <subject.Subject id={data[subject.member] ?? ''} />;
  if (data.key_id === undefined) return <span>The account</span>;
  return (
    <PageLink href={keyHref(data.key_id)}>
      <span className="wrap">{keyName(keys, data.key_id)}</span>
    </PageLink>
  );
}

/** Lets the browser save a file. */
function offer(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
