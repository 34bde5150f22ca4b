import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { useNavigate, useParams } from 'react-router';
import { useAction } from '../../data/use-action.ts';
import { useLoad } from '../../data/use-load.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { Webhook, WebhookAttempt } from '../../gateway/library.ts';
import { problemOf } from '../../model/describe-error.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Breakable } from '../../ui/breakable.tsx';
import { DeclaredBy } from '../../ui/declared-by.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { LoadView } from '../../ui/load-view.tsx';
import { useNotices } from '../../ui/notices.tsx';
import { Page } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { FullTime } from '../../ui/time.tsx';
import { Deliveries } from './deliveries.tsx';
import { SecretOnce } from './secret-once.tsx';
import { WebhookStatus } from './webhook-status.tsx';
import { attemptText } from './webhook-texts.ts';

type Open = 'rotate' | 'replay' | 'delete';

/** One webhook: how it does, what was sent, and everything that can be done about it. */
export default function WebhookPage() {
  const { webhookId = '' } = useParams();
  const gateway = useGateway();
  const loaded = useLoad(`webhook ${webhookId}`, (signal) => gateway.webhooks.get(webhookId, { signal }));
  const webhook = loaded.load.kind === 'ready' ? loaded.load.value : undefined;
  const [buttons, setButtons] = useState<HTMLElement | null>(null);
  return (
    <Page
      title={webhook?.description ?? webhook?.url ?? 'Webhook'}
      description={webhook?.description === undefined ? undefined : <Breakable text={webhook.url} />}
      actions={<div ref={setButtons} />}
    >
      <LoadView loaded={loaded} height="60vh" what="the webhook">
        {(ready) => <WebhookView webhook={ready} buttons={buttons} onChange={loaded.reload} />}
      </LoadView>
    </Page>
  );
}

function WebhookView({
  webhook,
  buttons,
  onChange,
}: {
  webhook: Webhook;
  /** The place of its buttons in the heading of the page. */
  buttons: HTMLElement | null;
  onChange: () => void;
}) {
  const gateway = useGateway();
  const notices = useNotices();
  const [open, setOpen] = useState<Open | undefined>(undefined);
  const [round, setRound] = useState(0);
  const changed = (): void => {
    setOpen(undefined);
    setRound((count) => count + 1);
    onChange();
  };
  const enable = useAction(async () => {
    try {
      await gateway.webhooks.enable(webhook.id);
      notices.success('The endpoint answered endpoint.test; it now receives events.');
    } finally {
      changed();
    }
  });
  const disable = useAction(async () => {
    await gateway.webhooks.disable(webhook.id);
    changed();
  });
  const [tested, setTested] = useState<WebhookAttempt | undefined>(undefined);
  const test = useAction(async () => {
    setTested(await gateway.webhooks.test(webhook.id));
    setRound((count) => count + 1);
  });
  const isEnabled = webhook.status === 'enabled';
  return (
    <SpaceBetween size="l">
      <div>
        {buttons !== null &&
          createPortal(
            <SpaceBetween direction="horizontal" size="xs">
              {!isEnabled && (
                <ActionButton variant="primary" loading={enable.isRunning} onClick={() => void enable.run()}>
                  Send endpoint.test and enable
                </ActionButton>
              )}
              <ActionButton loading={test.isRunning} onClick={() => void test.run()}>
                Send a test
              </ActionButton>
              {isEnabled && <ActionButton onClick={() => setOpen('replay')}>Replay</ActionButton>}
              <ActionButton onClick={() => setOpen('rotate')}>New secret</ActionButton>
              {isEnabled && (
                <ActionButton loading={disable.isRunning} onClick={() => void disable.run()}>
                  Disable
                </ActionButton>
              )}
              <ActionButton onClick={() => setOpen('delete')}>Delete</ActionButton>
            </SpaceBetween>,
            buttons,
          )}
        <div className="notes">
          <DeclaredBy of={webhook} />
          <ErrorPanel error={enable.error ?? disable.error ?? test.error} />
          <div role="status">
            {tested !== undefined && (
              <Status type={tested.error === undefined ? 'success' : 'error'}>
                The test: {attemptText(tested)}
                {tested.answer !== undefined && <span className="soft wrap"> {tested.answer}</span>}
              </Status>
            )}
          </div>
        </div>
        <Container>
          <KeyValuePairs
            columns={3}
            items={[
              { label: 'Status', value: <WebhookStatus webhook={webhook} /> },
              { label: 'Events', value: <span className="wrap">{webhook.types?.join(', ') ?? 'All'}</span> },
              {
                label: 'Integrations',
                value: <span className="wrap">{webhook.integrations?.join(', ') ?? 'All'}</span>,
              },
              { label: 'Last success', value: <FullTime iso={webhook.lastSuccessAt} otherwise="Never" /> },
              { label: 'Enabled', value: <FullTime iso={webhook.enabledAt} otherwise="Never" /> },
              {
                label: 'Messages are also signed with the previous secret',
                value: <FullTime iso={webhook.previousSecretUntil} otherwise="No" />,
              },
            ]}
          />
        </Container>
      </div>
      <Deliveries webhookId={webhook.id} isEnabled={isEnabled} round={round} />
      {open === 'rotate' && <RotateDialog webhook={webhook} onClose={changed} />}
      {open === 'replay' && <ReplayDialog webhook={webhook} onClose={changed} />}
      {open === 'delete' && <DeleteDialog webhook={webhook} onClose={() => setOpen(undefined)} />}
    </SpaceBetween>
  );
}

function RotateDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const gateway = useGateway();
  const [secret, setSecret] = useState<string | undefined>(undefined);
  const rotate = useAction(async () => setSecret((await gateway.webhooks.rotateSecret(webhook.id)).secret));
  if (secret !== undefined) {
    return (
      <Dialog title="The new secret" onClose={onClose}>
        <SecretOnce secret={secret} />
      </Dialog>
    );
  }
  return (
    <Dialog
      title="Create a new secret?"
      actionLabel="Make it"
      isRunning={rotate.isRunning}
      error={rotate.error}
      onAction={() => void rotate.run()}
      onClose={onClose}
    >
      <span>
        For 24 hours, messages carry both signatures, so that you can change the secret at your receiver without
        downtime.
      </span>
    </Dialog>
  );
}

function ReplayDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const gateway = useGateway();
  const notices = useNotices();
  const [from, setFrom] = useState(
    webhook.disabledAt ?? new Date(Date.now() - 3_600_000).toISOString().slice(0, 19).concat('Z'),
  );
  const [to, setTo] = useState('');
  const replay = useAction(async () => {
    const until = to.trim() === '' ? new Date().toISOString() : to.trim();
    let queued = 0;
    for (let next: string | undefined = from.trim(); next !== undefined; ) {
      const done = await gateway.webhooks.replay(webhook.id, { from: next, to: until });
      queued += done.queued;
      next = done.nextFrom;
    }
    notices.success(`${queued} events are queued; they are sent within about a minute.`);
    onClose();
  });
  return (
    <Dialog
      title="Send events again"
      actionLabel="Queue them"
      isRunning={replay.isRunning}
      isDisabled={from.trim() === ''}
      error={replay.error}
      onAction={() => void replay.run()}
      onClose={onClose}
    >
      <span>
        Sends stored events of up to 400 days, oldest first. Each keeps its id, so that a receiver can recognize events
        that it already has.
      </span>
      <FormField
        label="From"
        description="In UTC, for example 2026-11-22T08:00:00Z."
        errorText={problemOf(replay.error, 'from')}
      >
        <Input value={from} autoComplete={false} onChange={({ detail }) => setFrom(detail.value)} />
      </FormField>
      <FormField label="To" description="If empty, up to now." errorText={problemOf(replay.error, 'to')}>
        <Input value={to} autoComplete={false} onChange={({ detail }) => setTo(detail.value)} />
      </FormField>
    </Dialog>
  );
}

function DeleteDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const gateway = useGateway();
  const navigate = useNavigate();
  const remove = useAction(async () => {
    await gateway.webhooks.delete(webhook.id);
    navigate('/webhooks');
  });
  return (
    <Dialog
      title="Delete this webhook?"
      actionLabel="Delete it"
      isRunning={remove.isRunning}
      error={remove.error}
      onAction={() => void remove.run()}
      onClose={onClose}
    >
      <span className="wrap">
        {webhook.description === undefined ? '' : `${webhook.description}: `}
        {webhook.url} no longer receives events, and waiting deliveries are not sent.
      </span>
    </Dialog>
  );
}
