import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAction } from '../../data/use-action.ts';
import { useAddress } from '../../data/use-address.ts';
import type { Loaded } from '../../data/use-load.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { type ConnectionCheck, type ConnectionRef, GatewayError } from '../../gateway/library.ts';
import { isSecretFault } from '../../model/client-fault.ts';
import { describeError } from '../../model/describe-error.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { connectionHref, domainsHref, integrationHref } from '../../ui/link.tsx';
import { type NoticeButton, useNotices } from '../../ui/notices.tsx';
import { CheckDialog } from './check-dialog.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import type { ConnectionFacts } from './load-connection.ts';
import { PickDialog } from './pick-dialog.tsx';
import { ReconnectDialog } from './reconnect-dialog.tsx';

/** The scope whose files its users select in Google's picker. */
const PICKER_SCOPE = 'https://www.googleapis.com/auth/drive.file';

/** What can be done with a connection; nothing while it is loading or once it is deleted. */
export function ActionBar({
  connectionRef,
  loaded,
  onChanged,
}: {
  connectionRef: ConnectionRef;
  loaded: Loaded<ConnectionFacts | 'deleted'>;
  onChanged: () => void;
}) {
  const gateway = useGateway();
  const notices = useNotices();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'pick' | 'delete' | undefined>(undefined);
  const [wish, setWish] = useAddress('do');
  const [checked, setChecked] = useState<{ report: ConnectionCheck; button: NoticeButton | undefined } | undefined>(
    undefined,
  );
  const check = useAction(async () => {
    const report = await gateway.connections.check(connectionRef).catch(noteFailure);
    setChecked(report === undefined ? undefined : { report, button: await buttonFor(report.reason) });
    onChanged();
  });
  /** Where the remedy of a refusal begins. */
  const buttonFor = async (code: string): Promise<NoticeButton | undefined> => {
    const goTo = (label: string, href: string) => ({ label, onClick: () => navigate(href) });
    const { providerConfigKey } = connectionRef;
    if (code !== 'reauthorization_required' && code !== 'integration_credentials_rejected') return undefined;
    // Read now: the refusal may be newer than the page.
    const integration = await gateway.integrations.get(providerConfigKey).catch(() => undefined);
    if (code === 'reauthorization_required') {
      return integration?.delegation === undefined
        ? goTo('Reconnect', `${connectionHref(connectionRef)}?do=reconnect`)
        : goTo('Open its domains', domainsHref(providerConfigKey));
    }
    return isSecretFault(integration?.credentialsFault?.error)
      ? goTo('Replace the client secret', `${integrationHref(providerConfigKey)}?do=rotate`)
      : goTo('Open the integration', integrationHref(providerConfigKey));
  };
  /** Turns a failure into a notice; the page is read again in any case. */
  const noteFailure = async (error: unknown): Promise<undefined> => {
    const { title, message } = describeError(error);
    const button = error instanceof GatewayError ? await buttonFor(error.code) : undefined;
    notices.warning(`${title}: ${message}`, button);
  };
  const refresh = useAction(async () => {
    const isDone = await gateway.connections.refresh(connectionRef).then(() => true, noteFailure);
    if (isDone === true) notices.success('The access token was renewed.');
    onChanged();
  });
  if (loaded.load.kind !== 'ready' || loaded.load.value === 'deleted') return null;
  const { connection, integration } = loaded.load.value;
  const isDead = connection.status !== 'active';
  const canPick = !isDead && connection.grantedScopes.includes(PICKER_SCOPE);
  const mayLiveAgain = connection.diagnosis?.canBeCheckedAgain === true;
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <ActionButton loading={check.isRunning} onClick={() => void check.run()}>
        Check
      </ActionButton>
      <ActionButton
        loading={refresh.isRunning}
        disabled={isDead && !mayLiveAgain}
        disabledReason="The grant has ended: only a reconnect helps."
        onClick={() => void refresh.run()}
      >
        {mayLiveAgain ? 'Ask Google again' : 'Refresh now'}
      </ActionButton>
      {integration.delegation === undefined && (
        <ActionButton variant={isDead ? 'primary' : 'normal'} onClick={() => setWish('reconnect')}>
          Reconnect
        </ActionButton>
      )}
      {canPick && <ActionButton onClick={() => setOpen('pick')}>Select files</ActionButton>}
      <ActionButton onClick={() => setOpen('delete')}>Delete</ActionButton>
      {checked !== undefined && <CheckDialog {...checked} onClose={() => setChecked(undefined)} />}
      {wish === 'reconnect' && integration.delegation === undefined && (
        <ReconnectDialog connection={connection} onConnected={onChanged} onClose={() => setWish('')} />
      )}
      {open === 'pick' && (
        <PickDialog connection={connection} onPicked={onChanged} onClose={() => setOpen(undefined)} />
      )}
      {open === 'delete' && (
        <DeleteDialog connection={connection} onClose={() => setOpen(undefined)} onDeleted={onChanged} />
      )}
    </SpaceBetween>
  );
}
