import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Multiselect from '@cloudscape-design/components/multiselect';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import Textarea from '@cloudscape-design/components/textarea';
import { useState } from 'react';
import { useAction } from '../../data/use-action.ts';
import { useLoad } from '../../data/use-load.ts';
import { useNarrow } from '../../data/use-narrow.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { Webhook, WebhookWithSecret } from '../../gateway/library.ts';
import { problemOf } from '../../model/describe-error.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Breakable } from '../../ui/breakable.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Freshness } from '../../ui/freshness.tsx';
import { PageLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { SecretOnce } from './secret-once.tsx';
import { webhookHref } from './webhook-href.ts';
import { WebhookStatus } from './webhook-status.tsx';
import { typesFromText } from './webhook-texts.ts';

/** What fits on a phone. */
const NARROW_COLUMNS = ['url', 'status'];

/** Endpoints that get the gateway's events. */
export default function WebhooksPage() {
  const gateway = useGateway();
  const isNarrow = useNarrow();
  const loaded = useLoad('webhooks', (signal) => gateway.webhooks.list({ signal }));
  const { load, reload } = loaded;
  const [isCreating, setCreating] = useState(false);
  return (
    <Page
      title="Webhooks"
      description="The gateway sends signed events to your https endpoints."
      freshness={<Freshness loaded={loaded} />}
      actions={
        <ActionButton variant="primary" onClick={() => setCreating(true)}>
          Add a webhook
        </ActionButton>
      }
    >
      {load.kind === 'failed' ? (
        <ErrorPanel error={load.error} onRetry={reload} />
      ) : (
        <Table
          items={load.kind === 'ready' ? load.value : []}
          loading={load.kind === 'loading'}
          loadingText="Loading webhooks"
          trackBy="id"
          wrapLines
          ariaLabels={{ tableLabel: 'Webhooks' }}
          columnDefinitions={COLUMNS}
          {...(isNarrow ? { visibleColumns: NARROW_COLUMNS } : {})}
          empty={
            <Box textAlign="center">
              There are no webhooks. Add one to be notified when a connection needs attention.
            </Box>
          }
        />
      )}
      {isCreating && (
        <CreateWebhookDialog
          onClose={() => {
            setCreating(false);
            reload();
          }}
        />
      )}
    </Page>
  );
}

const COLUMNS: readonly TableProps.ColumnDefinition<Webhook>[] = [
  {
    id: 'url',
    header: 'Endpoint',
    isRowHeader: true,
    minWidth: 170,
    cell: ({ id, url, description }) => (
      <>
        <PageLink href={webhookHref(id)}>
          <Breakable text={url} />
        </PageLink>
        {description !== undefined && <div className="soft wrap">{description}</div>}
      </>
    ),
  },
  { id: 'status', header: 'Status', minWidth: 140, cell: (webhook) => <WebhookStatus webhook={webhook} /> },
  { id: 'types', header: 'Events', cell: ({ types }) => <span className="wrap">{types?.join(', ') ?? 'All'}</span> },
  {
    id: 'integrations',
    header: 'Integrations',
    cell: ({ integrations }) => <span className="wrap">{integrations?.join(', ') ?? 'All'}</span>,
  },
  { id: 'success', header: 'Last success', cell: ({ lastSuccessAt }) => <Time iso={lastSuccessAt} /> },
];

/** Makes a webhook, shows its secret this once, and lets it prove itself. */
function CreateWebhookDialog({ onClose }: { onClose: () => void }) {
  const gateway = useGateway();
  const { load } = useLoad('integrations', (signal) => gateway.integrations.list({ signal }));
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [types, setTypes] = useState('');
  const [limitedTo, setLimitedTo] = useState<readonly string[]>([]);
  const [made, setMade] = useState<WebhookWithSecret | undefined>(undefined);
  const create = useAction(async () => {
    const wanted = typesFromText(types);
    setMade(
      await gateway.webhooks.create({
        url: url.trim(),
        ...(description.trim() === '' ? {} : { description: description.trim() }),
        ...(wanted.length === 0 ? {} : { types: wanted }),
        ...(limitedTo.length === 0 ? {} : { integrations: limitedTo }),
      }),
    );
  });
  const enable = useAction(async () => {
    if (made === undefined) return;
    await gateway.webhooks.enable(made.id);
    onClose();
  });
  if (made !== undefined) {
    return (
      <Dialog
        title="Verify the endpoint"
        actionLabel="Send endpoint.test and enable"
        isRunning={enable.isRunning}
        error={enable.error}
        onAction={() => void enable.run()}
        onClose={onClose}
      >
        <SecretOnce secret={made.secret} />
        <Alert type="info">
          Configure the secret at your receiver. The gateway then sends a signed endpoint.test; once your receiver
          answers it with 2xx, the gateway sends events. You can also do this later on the webhook’s page.
        </Alert>
      </Dialog>
    );
  }
  const options = (load.kind === 'ready' ? load.value : []).map(({ uniqueKey }) => ({
    value: uniqueKey,
    label: uniqueKey,
  }));
  return (
    <Dialog
      title="Add a webhook"
      actionLabel="Add it"
      isRunning={create.isRunning}
      isDisabled={url.trim() === ''}
      error={create.error}
      onAction={() => void create.run()}
      onClose={onClose}
    >
      <FormField label="Endpoint" description="A public https address." errorText={problemOf(create.error, 'url')}>
        <Input
          value={url}
          type="url"
          autoComplete={false}
          placeholder="https://hooks.example.com/gateway"
          onChange={({ detail }) => setUrl(detail.value)}
        />
      </FormField>
      <FormField label="Description" errorText={problemOf(create.error, 'description')}>
        <Input value={description} autoComplete={false} onChange={({ detail }) => setDescription(detail.value)} />
      </FormField>
      <FormField
        label="Events"
        description="Event types, such as ConnectionReauthorizationRequired, one per line. Leave it empty for all types."
        errorText={problemOf(create.error, 'types')}
      >
        <Textarea value={types} rows={3} spellcheck={false} onChange={({ detail }) => setTypes(detail.value)} />
      </FormField>
      <FormField
        label="Integrations"
        description="Leave it empty for all integrations and for the account's own events."
      >
        <Multiselect
          selectedOptions={options.filter(({ value }) => limitedTo.includes(value))}
          options={options}
          placeholder="All"
          empty="There is no integration yet"
          onChange={({ detail }) => setLimitedTo(detail.selectedOptions.flatMap(({ value }) => value ?? []))}
        />
      </FormField>
    </Dialog>
  );
}
