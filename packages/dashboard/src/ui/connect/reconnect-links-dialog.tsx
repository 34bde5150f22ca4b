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
import type { ConnectionSummary, Integration, MadeReconnectLinks } from '../../gateway/library.ts';
import { csv } from '../../model/csv.ts';
import { problemOf } from '../../model/describe-error.ts';
import { LANGUAGES } from '../../model/languages.ts';
import { nextDeathWarnings } from '../../model/next-death.ts';
import { titleOf } from '../../model/person.ts';
import { Breakable } from '../breakable.tsx';
import { CopyBlock } from '../copy.tsx';
import { Dialog } from '../dialog.tsx';
import { PageLink } from '../link.tsx';
import { FullTime } from '../time.tsx';

const HOUR_SEC = 3600;
/** Of connections whose account is not known: for longer, a forwarded link would connect the account of anyone. */
const UNKNOWN_ACCOUNT_SEC = HOUR_SEC / 2;
const LIFETIMES = [
  { value: String(HOUR_SEC), label: 'one hour' },
  { value: String(24 * HOUR_SEC), label: 'one day' },
  { value: String(3 * 24 * HOUR_SEC), label: 'three days' },
  { value: String(7 * 24 * HOUR_SEC), label: 'seven days' },
] as const;
const FIRST_MESSAGE =
  'Hello {name},\n\nour access to {integration} has ended. To allow it again, please open this link:\n{link}\n\nIt works once, until {expires}.';
const GATEWAYS_WORDS = { value: 'gateway', label: 'The gateway’s words, in each user’s language' };
const OWN_WORDS = { value: 'own', label: 'Your own words' };
/** Connections of one request. */
const PER_REQUEST = 100;

/** Makes links with which people authorize their connections again, and hands them out as text and as CSV. */
export function ReconnectLinksDialog({
  refs,
  isAtOnce = false,
  onClose,
}: {
  refs: readonly ConnectionSummary[];
  /** Makes the link with the gateway's words and a life of a day, without asking. */
  isAtOnce?: boolean;
  onClose: () => void;
}) {
  const gateway = useGateway();
  const [lifetime, setLifetime] = useState<string>(LIFETIMES[1].value);
  const [words, setWords] = useState(GATEWAYS_WORDS);
  const [message, setMessage] = useState(FIRST_MESSAGE);
  const [language, setLanguage] = useState<string>(LANGUAGES[0].value);
  const [made, setMade] = useState<readonly MadeReconnectLinks[]>([]);
  const isOwn = words.value === OWN_WORDS.value;
  const { load } = useLoad('integrations', (signal) => gateway.integrations.list({ signal }));
  const integrations = load.kind === 'ready' ? load.value : [];
  const delegated = new Set(integrations.filter((one) => one.delegation !== undefined).map((one) => one.uniqueKey));
  const linked = refs.filter((ref) => !delegated.has(ref.providerConfigKey));
  const unknown = linked.filter((ref) => ref.providerAccount === undefined);
  const known = linked.filter((ref) => ref.providerAccount !== undefined);
  const make = useAction(async (asked: string | undefined) => {
    const all: MadeReconnectLinks[] = [];
    for (const [group, lifetimeSec] of [[known, Number(lifetime)] as const, [unknown, UNKNOWN_ACCOUNT_SEC] as const]) {
      for (let start = 0; start < group.length; start += PER_REQUEST) {
        const connections = group
          .slice(start, start + PER_REQUEST)
          .map(({ providerConfigKey, connectionId }) => ({ providerConfigKey, connectionId }));
        all.push(
          await gateway.connectSessions.createReconnectLinks({
            connections,
            lifetimeSec,
            ...(isOwn && message.trim() !== '' ? { message } : {}),
            ...(asked === undefined ? {} : { language: asked }),
          }),
        );
        // What is made is shown, whatever becomes of the rest.
        setMade([...all]);
      }
    }
  });
  const { run } = make;
  const isReadyAtOnce = isAtOnce && load.kind !== 'loading' && known.length === refs.length;
  useEffect(() => {
    if (isReadyAtOnce) void run(undefined);
  }, [isReadyAtOnce, run]);
  const remake = useAction<string>(async (asked) => {
    for (const { id } of made) await gateway.connectSessions.revokeReconnectLinks(id);
    setLanguage(asked);
    await run(asked);
  });
  if (made.length > 0 && !make.isRunning) {
    const isUnknown = isAtOnce && made.some(({ links }) => links.some((one) => one.language === undefined));
    return (
      <Dialog title="Reconnect links" onClose={onClose} error={remake.error ?? make.error} isKept>
        {isUnknown && (
          <LanguageField
            label="Language of the message"
            description="This user’s language is not known. Choosing another one withdraws the link below and creates a new one."
            language={language}
            onChoose={(asked) => void remake.run(asked)}
          />
        )}
        <MadeLinks batches={made} />
      </Dialog>
    );
  }
  const [first] = refs;
  const withoutLink = refs.length - linked.length;
  return (
    <Dialog
      title={refs.length === 1 && first !== undefined ? `Reconnect link for ${titleOf(first)}` : 'Reconnect links'}
      {...(linked.length === 0
        ? {}
        : { actionLabel: linked.length === 1 ? 'Create the link' : `Create ${linked.length} links` })}
      isRunning={make.isRunning}
      error={make.error}
      onAction={() => void make.run(language)}
      onClose={onClose}
    >
      <span>
        Each link works once, only for the Google account of its connection. You send the links; the gateway sends
        nothing.
      </span>
      {withoutLink > 0 && (
        <Alert type="info">
          A service account connects {counted(withoutLink, 'user', 'users')} of these, who give no consent. They get no
          link: check their domains on the page of the integration.
        </Alert>
      )}
      {unknown.length > 0 && (
        <Alert type="warning">
          The Google account of {counted(unknown.length, 'connection', 'connections')} is not known, as after an import.
          A link for it is valid for 30 minutes: create it when its user is there to open it.
        </Alert>
      )}
      <Warnings refs={linked} integrations={integrations} />
      {known.length > 0 && (
        <FormField label="The links are valid for" errorText={problemOf(make.error, 'lifetime_sec')}>
          <Select
            selectedOption={LIFETIMES.find(({ value }) => value === lifetime) ?? LIFETIMES[1]}
            options={LIFETIMES}
            onChange={({ detail }) => setLifetime(detail.selectedOption.value ?? LIFETIMES[1].value)}
          />
        </FormField>
      )}
      <LanguageField
        label="Language of users whose own is not known"
        description="The others get the language in which they read the pages when they connected."
        language={language}
        onChoose={setLanguage}
      />
      <FormField label="Text">
        <Select
          selectedOption={words}
          options={[GATEWAYS_WORDS, OWN_WORDS]}
          onChange={({ detail }) =>
            setWords(detail.selectedOption.value === OWN_WORDS.value ? OWN_WORDS : GATEWAYS_WORDS)
          }
        />
      </FormField>
      {isOwn && (
        <FormField
          label="Message"
          description="The gateway replaces {link}, {name}, {integration} and {expires}."
          errorText={problemOf(make.error, 'message')}
        >
          <Textarea value={message} rows={8} onChange={({ detail }) => setMessage(detail.value)} />
        </FormField>
      )}
    </Dialog>
  );
}

function LanguageField({
  label,
  description,
  language,
  onChoose,
}: {
  label: string;
  description: string;
  language: string;
  onChoose: (language: string) => void;
}) {
  return (
    <FormField label={label} description={description}>
      <Select
        selectedOption={LANGUAGES.find(({ value }) => value === language) ?? LANGUAGES[0]}
        options={LANGUAGES}
        onChange={({ detail }) => onChoose(detail.selectedOption.value ?? language)}
      />
    </FormField>
  );
}

/** What makes the next deaths of these connections likely, before anybody is asked to reconnect. */
function Warnings({
  refs,
  integrations,
}: {
  refs: readonly ConnectionSummary[];
  integrations: readonly Integration[];
}) {
  const warnings = nextDeathWarnings(refs, integrations);
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
  const ends = batches.flatMap((batch) => (batch.links.length === 0 ? [] : [batch.expiresAt])).sort();
  const [firstEnd = '', lastEnd = ''] = [ends[0], ends.at(-1)];
  // Batches of one lifetime end seconds apart.
  const isOneEnd = Date.parse(lastEnd) - Date.parse(firstEnd) < 60_000;
  const rows = links.map((one) => [
    one.endUser?.displayName ?? one.endUser?.id,
    one.endUser?.email ?? one.providerEmail,
    one.connectLink,
    one.message,
    one.providerConfigKey,
    one.connectionId,
    one.language,
    one.subject,
  ]);
  const head = ['name', 'e-mail', 'link', 'message', 'integration', 'connection', 'language', 'subject'];
  return (
    <SpaceBetween size="m">
      {links.length > 0 && (
        <Alert type="warning">
          The links are shown only this once. Send each link only to its end user
          {isOneEnd ? '; they work until ' : '; the first one ends on '}
          <FullTime iso={firstEnd} />.
        </Alert>
      )}
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
              <a href={mailTo(to, one.subject, one.message ?? one.connectLink)} target="_blank" rel="noreferrer">
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

function counted(count: number, one: string, many: string): string {
  return count === 1 ? `one ${one}` : `${count} ${many}`;
}

/** Beyond that nobody copies one after the other. */
const SHOWN_MAX = 20;

function mailTo(address: string, subject: string | undefined, text: string): string {
  const about = subject === undefined ? '' : `subject=${encodeURIComponent(subject)}&`;
  // Lines of a mailto body end with CR LF (RFC 6068 section 5).
  return `mailto:${encodeURIComponent(address)}?${about}body=${encodeURIComponent(text.replaceAll('\n', '\r\n'))}`;
}
