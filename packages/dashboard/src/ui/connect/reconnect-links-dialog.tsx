import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useEffect, useState } from 'react';
import { saveFile } from '../../data/save-file.ts';
import { useAction } from '../../data/use-action.ts';
import { useLoad } from '../../data/use-load.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { ConnectionSummary, MadeReconnectLinks } from '../../gateway/library.ts';
import { csv } from '../../model/csv.ts';
import { problemOf } from '../../model/describe-error.ts';
import { nextDeathWarnings } from '../../model/next-death.ts';
import { titleOf } from '../../model/person.ts';
import { Breakable } from '../breakable.tsx';
import { CopyBlock } from '../copy.tsx';
import { Dialog } from '../dialog.tsx';
import { PageLink } from '../link.tsx';
import { FullTime } from '../time.tsx';

const HOUR_SEC = 3600;
const LIFETIMES = [
  { value: String(HOUR_SEC), label: 'one hour' },
  { value: String(24 * HOUR_SEC), label: 'one day' },
  { value: String(3 * 24 * HOUR_SEC), label: 'three days' },
  { value: String(7 * 24 * HOUR_SEC), label: 'seven days' },
] as const;
const FIRST_MESSAGE =
  'Hello {name},\n\nour access to your {integration} has ended. Please allow it again here:\n{link}\n\nThe link works until {expires}.';
/** Connections of one request. */
const PER_REQUEST = 100;

/** Makes links with which people authorize their connections again, and hands them out as text and as CSV. */
export function ReconnectLinksDialog({
  refs,
  isAtOnce = false,
  onClose,
}: {
  refs: readonly ConnectionSummary[];
  /** Makes the link with the usual words and a life of a day, without asking. */
  isAtOnce?: boolean;
  onClose: () => void;
}) {
  const gateway = useGateway();
  const [lifetime, setLifetime] = useState<string>(LIFETIMES[1].value);
  const [message, setMessage] = useState(FIRST_MESSAGE);
  const [made, setMade] = useState<readonly MadeReconnectLinks[]>([]);
  const make = useAction(async () => {
    const all: MadeReconnectLinks[] = [];
    for (let start = 0; start < refs.length; start += PER_REQUEST) {
      const connections = refs
        .slice(start, start + PER_REQUEST)
        .map(({ providerConfigKey, connectionId }) => ({ providerConfigKey, connectionId }));
      all.push(
        await gateway.connectSessions.createReconnectLinks({
          connections,
          lifetimeSec: Number(lifetime),
          ...(message.trim() === '' ? {} : { message }),
        }),
      );
      // What is made is shown, whatever becomes of the rest.
      setMade([...all]);
    }
  });
  const { run } = make;
  useEffect(() => {
    if (isAtOnce) void run();
  }, [isAtOnce, run]);
  if (made.length > 0 && !make.isRunning) {
    return (
      <Dialog title="Reconnect links" onClose={onClose} error={make.error} isKept>
        <MadeLinks batches={made} />
      </Dialog>
    );
  }
  const [first] = refs;
  return (
    <Dialog
      title={refs.length === 1 && first !== undefined ? `Reconnect link for ${titleOf(first)}` : 'Reconnect links'}
      actionLabel={refs.length === 1 ? 'Create the link' : `Create ${refs.length} links`}
      isRunning={make.isRunning}
      error={make.error}
      onAction={() => void make.run()}
      onClose={onClose}
    >
      <span>
        Each link works once, only for the Google account of its connection. You send the links; the gateway sends
        nothing.
      </span>
      <Warnings refs={refs} />
      <FormField label="The links are valid for" errorText={problemOf(make.error, 'lifetime_sec')}>
        <Select
          selectedOption={LIFETIMES.find(({ value }) => value === lifetime) ?? LIFETIMES[1]}
          options={LIFETIMES}
          onChange={({ detail }) => setLifetime(detail.selectedOption.value ?? LIFETIMES[1].value)}
        />
      </FormField>
      <FormField
        label="Message"
        description="The gateway replaces {link}, {name}, {integration} and {expires}."
        errorText={problemOf(make.error, 'message')}
      >
        <Textarea value={message} rows={8} onChange={({ detail }) => setMessage(detail.value)} />
      </FormField>
    </Dialog>
  );
}

/** What makes the next deaths of these connections likely, before anybody is asked to reconnect. */
function Warnings({ refs }: { refs: readonly ConnectionSummary[] }) {
  const gateway = useGateway();
  const { load } = useLoad('integrations', (signal) => gateway.integrations.list({ signal }));
  const warnings = load.kind === 'ready' ? nextDeathWarnings(refs, load.value) : [];
  if (warnings.length === 0) return null;
  return (
    <Alert type="warning" header="Reconnecting alone does not last">
      <ul className="plain-list">
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </Alert>
  );
}

/** Links that were made, with what to do with them. */
function MadeLinks({ batches }: { batches: readonly MadeReconnectLinks[] }) {
  const links = batches.flatMap((batch) => batch.links);
  const refused = batches.flatMap((batch) => batch.refused);
  const [first] = batches;
  const rows = links.map((one) => [
    one.endUser?.displayName ?? one.endUser?.id,
    one.endUser?.email ?? one.providerEmail,
    one.connectLink,
    one.message,
    one.providerConfigKey,
    one.connectionId,
  ]);
  const head = ['name', 'e-mail', 'link', 'message', 'integration', 'connection'];
  return (
    <SpaceBetween size="m">
      <Alert type="warning">
        The links are shown only this once. Send each link only to its end user
        {first === undefined ? '' : '; they work until '}
        {first !== undefined && <FullTime iso={first.expiresAt} />}.
      </Alert>
      {links.length > 1 && (
        <Button
          variant="primary"
          formAction="none"
          onClick={() => saveFile('reconnect-links.csv', 'text/csv', csv([head, ...rows]))}
        >
          Save {links.length} links as CSV
        </Button>
      )}
      {links.slice(0, SHOWN_MAX).map((one) => {
        const to = one.endUser?.email ?? one.providerEmail;
        const whose = one.endUser?.displayName ?? to ?? one.connectionId;
        return (
          <section key={one.connectLink} aria-label={whose}>
            <b>
              <Breakable text={whose} />
            </b>{' '}
            {to !== undefined && to !== whose && (
              <span className="soft">
                <Breakable text={to} />
              </span>
            )}
            <CopyBlock text={one.message ?? one.connectLink} what={`message to ${whose}`} />
            {to !== undefined && (
              <a href={mailTo(to, one.message ?? one.connectLink)} target="_blank" rel="noreferrer">
                Write an e-mail to <Breakable text={to} />
              </a>
            )}
          </section>
        );
      })}
      {links.length > SHOWN_MAX && <span>{links.length - SHOWN_MAX} more are in the CSV file.</span>}
      {refused.length > 0 && (
        <Alert type="error" header={`${refused.length} got no link`}>
          <ul className="plain-list">
            {refused.map((one) => (
              <li key={`${one.providerConfigKey} ${one.connectionId}`}>
                <code>{one.connectionId}</code> {one.reason}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      <PageLink href="/reconnect-links">See who came back</PageLink>
    </SpaceBetween>
  );
}

/** Beyond that nobody copies one after the other. */
const SHOWN_MAX = 20;

function mailTo(address: string, text: string): string {
  return `mailto:${encodeURIComponent(address)}?body=${encodeURIComponent(text)}`;
}
