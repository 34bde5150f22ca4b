import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import { useAction } from '../../data/use-action.ts';
import { useAddress } from '../../data/use-address.ts';
import { useLoad } from '../../data/use-load.ts';
import { useNarrow } from '../../data/use-narrow.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { WebhookAttempt, WebhookDelivery, WebhookDeliveryPage } from '../../gateway/library.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { CopyValue } from '../../ui/copy.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { useNotices } from '../../ui/notices.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { attemptText, DELIVERY_STATES, type DeliveryState, momentOfEvent } from './webhook-texts.ts';

const GROUPED = { value: 'all', label: 'All, failures first' };
const CHOICES = [GROUPED, ...DELIVERY_STATES.map(({ state, label }) => ({ value: state, label }))];

/** A state with its deliveries, a delivery, or below it one of its attempts. */
type Row =
  | { readonly kind: 'group'; readonly id: DeliveryState; readonly label: string; readonly page: WebhookDeliveryPage }
  | { readonly kind: 'delivery'; readonly id: string; readonly delivery: WebhookDelivery }
  | { readonly kind: 'attempt'; readonly id: string; readonly number: number; readonly attempt: WebhookAttempt };

/** Deliveries of two weeks: those of every state, failures first, or all of one state. */
export function Deliveries({ webhookId, isEnabled, round }: { webhookId: string; isEnabled: boolean; round: number }) {
  const notices = useNotices();
  const gateway = useGateway();
  const isNarrow = useNarrow();
  const [chosen, choose] = useAddress('state', GROUPED.value);
  const [closed, setClosed] = useState<readonly string[]>([]);
  const [opened, setOpened] = useState<readonly string[]>([]);
  const one = DELIVERY_STATES.find(({ state }) => state === chosen);
  const states = one === undefined ? DELIVERY_STATES : [one];
  const { load, reload, replace } = useLoad(`deliveries ${webhookId} ${chosen} ${round}`, (signal) =>
    Promise.all(states.map(({ state }) => gateway.webhooks.deliveries(webhookId, { state }, { signal }))),
  );
  const more = useAction<string>(async (cursor) => {
    if (one === undefined) return;
    const next = await gateway.webhooks.deliveries(webhookId, { state: one.state, cursor });
    replace(([page]) => [{ ...next, deliveries: [...(page?.deliveries ?? []), ...next.deliveries] }]);
  });
  const resend = useAction<readonly WebhookDelivery[] | DeliveryState>(async (wanted) => {
    const all = typeof wanted === 'string' ? await everyDelivery(gateway, webhookId, wanted) : wanted;
    let queued = 0;
    // Events of the same millisecond go with it; a receiver knows them by their ids.
    for (const moment of new Set(all.flatMap(({ eventId }) => momentOfEvent(eventId) ?? []))) {
      queued += (await gateway.webhooks.replay(webhookId, { from: moment, to: moment })).queued;
    }
    notices.success(
      `${queued} ${queued === 1 ? 'event is' : 'events are'} queued; they are sent within about a minute.`,
    );
    reload();
  });
  if (load.kind === 'failed') return <ErrorPanel error={load.error} onRetry={reload} />;
  const pages = load.kind === 'ready' ? load.value : [];
  const groups = states.flatMap(({ state, label }, at): Row[] => {
    const page = pages[at];
    return page === undefined || page.deliveries.length + (page.nextCursor === undefined ? 0 : 1) === 0
      ? []
      : [{ kind: 'group', id: state, label, page }];
  });
  const rows = one === undefined ? groups : groups.flatMap(childrenOf);
  const next = one === undefined ? undefined : pages[0]?.nextCursor;
  return (
    <Table
      header={
        <Header
          variant="h2"
          actions={
            <SpaceBetween direction="horizontal" size="xs">
              <Select
                selectedOption={CHOICES.find(({ value }) => value === chosen) ?? GROUPED}
                options={CHOICES}
                ariaLabel="Which deliveries"
                onChange={({ detail }) => choose(detail.selectedOption.value ?? GROUPED.value)}
              />
              <Button iconName="refresh" ariaLabel="Reload the deliveries" onClick={reload} />
            </SpaceBetween>
          }
        >
          Deliveries of the last 14 days
        </Header>
      }
      items={rows}
      loading={load.kind === 'loading'}
      loadingText="Loading deliveries"
      trackBy="id"
      wrapLines
      contentDensity="compact"
      ariaLabels={{ tableLabel: 'Deliveries' }}
      columnDefinitions={columnsOf(choose, isEnabled ? resend : undefined)}
      {...(isNarrow ? { visibleColumns: ['what', 'state'] } : {})}
      expandableRows={{
        getItemChildren: childrenOf,
        isItemExpandable: (row) => childrenOf(row).length > 0,
        // Groups are open until somebody closes them, deliveries the other way round.
        expandedItems: [
          ...groups.filter(({ id }) => !closed.includes(id)),
          ...groups.flatMap(childrenOf).filter(({ id }) => opened.includes(id)),
        ],
        onExpandableItemToggle: ({ detail: { item, expanded } }) => {
          const toggle = item.kind === 'group' ? setClosed : setOpened;
          const isListed = item.kind === 'group' ? !expanded : expanded;
          toggle((ids) => (isListed ? [...ids, item.id] : ids.filter((id) => id !== item.id)));
        },
      }}
      empty={<Box textAlign="center">Nothing was sent.</Box>}
      footer={
        (next !== undefined || resend.error !== undefined) && (
          <Box textAlign="center">
            <ErrorPanel error={more.error ?? resend.error} />
            {next !== undefined && (
              <Button loading={more.isRunning} onClick={() => void more.run(next)}>
                Show more
              </Button>
            )}
          </Box>
        )
      }
    />
  );
}

/** Sends deliveries again, or all of a state. */
interface Resend {
  readonly isRunning: boolean;
  readonly run: (wanted: readonly WebhookDelivery[] | DeliveryState) => Promise<unknown>;
}

/** Whether a delivery can be sent again: one that waits is sent anyway, and a test is no event. */
function isSentAgain({ state, type }: WebhookDelivery): boolean {
  return state !== 'pending' && type !== 'endpoint.test';
}

/** Every delivery of a state, page after page. */
async function everyDelivery(gateway: Gateway, webhookId: string, state: DeliveryState): Promise<WebhookDelivery[]> {
  const all: WebhookDelivery[] = [];
  let cursor: string | undefined;
  do {
    const page = await gateway.webhooks.deliveries(webhookId, { state, limit: 100, cursor });
    all.push(...page.deliveries);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return all.filter(isSentAgain);
}

function childrenOf(row: Row): Row[] {
  switch (row.kind) {
    case 'group':
      return row.page.deliveries.map((delivery) => ({ kind: 'delivery', id: delivery.eventId, delivery }));
    case 'delivery':
      return row.delivery.attempts.map((attempt, i) => ({
        kind: 'attempt',
        id: `${row.id} ${i}`,
        number: i + 1,
        attempt,
      }));
    case 'attempt':
      return [];
  }
}

const columnsOf = (
  choose: (state: string) => void,
  resend: Resend | undefined,
): readonly TableProps.ColumnDefinition<Row>[] => [
  {
    id: 'what',
    header: 'Event',
    isRowHeader: true,
    cell: (row) => {
      if (row.kind === 'attempt') return `Attempt ${row.number}`;
      if (row.kind === 'delivery') {
        return (
          <div className="person">
            <span className="person-title">{row.delivery.type}</span>
            <span className="row-id">
              <CopyValue value={row.id} what={`event id of ${row.delivery.type}`} />
            </span>
          </div>
        );
      }
      const { deliveries, nextCursor } = row.page;
      return (
        <>
          <b>
            {row.label} ({deliveries.length}
            {nextCursor === undefined ? '' : '+'})
          </b>
          {nextCursor !== undefined && (
            <>
              {' '}
              <Button variant="inline-link" ariaLabel={`Show all: ${row.label}`} onClick={() => choose(row.id)}>
                Show all
              </Button>
            </>
          )}
        </>
      );
    },
  },
  {
    id: 'state',
    header: 'State',
    minWidth: 140,
    cell: (row) => {
      if (row.kind === 'attempt') return <AttemptCell attempt={row.attempt} />;
      if (row.kind === 'delivery') {
        return (
          <>
            <StateOfDelivery delivery={row.delivery} />{' '}
            {resend !== undefined && isSentAgain(row.delivery) && (
              <ActionButton
                variant="inline-link"
                ariaLabel={`Send again: ${row.delivery.type} of ${row.delivery.queuedAt}`}
                disabled={resend.isRunning}
                onClick={() => void resend.run([row.delivery])}
              >
                Send again
              </ActionButton>
            )}
          </>
        );
      }
      const isWorthIt = row.id !== 'delivered' && row.page.deliveries.some(isSentAgain);
      return resend !== undefined && isWorthIt ? (
        <ActionButton
          variant="inline-link"
          ariaLabel={`Send all again: ${row.label}`}
          disabled={resend.isRunning}
          onClick={() => void resend.run(row.id)}
        >
          Send all again
        </ActionButton>
      ) : (
        ''
      );
    },
  },
  {
    id: 'when',
    header: 'When',
    cell: (row) =>
      row.kind === 'group' ? '' : <Time iso={row.kind === 'attempt' ? row.attempt.at : row.delivery.queuedAt} />,
  },
  {
    id: 'attempts',
    header: 'Attempts',
    cell: (row) => (row.kind === 'delivery' ? row.delivery.attempts.length : ''),
  },
];

function AttemptCell({ attempt }: { attempt: WebhookAttempt }) {
  return (
    <>
      {attemptText(attempt)}
      {attempt.answer !== undefined && <div className="soft wrap">{attempt.answer}</div>}
    </>
  );
}

function StateOfDelivery({ delivery: { state, nextAttemptAt } }: { delivery: WebhookDelivery }) {
  if (state === 'delivered') return <Status type="success">Delivered</Status>;
  if (state === 'failed') return <Status type="error">Given up</Status>;
  if (state === 'waiting') return <Status type="stopped">Missed; a replay sends it</Status>;
  return (
    <Status type="pending">
      Next attempt <Time iso={nextAttemptAt} />
    </Status>
  );
}
