import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import type { Connection } from '../../gateway/library.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { integrationHref, PageLink, searchHref } from '../../ui/link.tsx';
import { ConnectionHealthStatus } from '../../ui/status.tsx';
import { FullTime } from '../../ui/time.tsx';

/** Who, what and since when. Tokens are never shown. */
export function FactsPanel({ connection }: { connection: Connection }) {
  const { endUser, providerAccount, tags } = connection;
  return (
    <Container header={<Header variant="h2">Details</Header>}>
      <KeyValuePairs
        columns={3}
        // Two columns of a phone's window break nearly every address.
        minColumnWidth={200}
        items={[
          { label: 'Status', value: <ConnectionHealthStatus connection={connection} /> },
          {
            label: 'Integration',
            value: (
              <PageLink href={integrationHref(connection.providerConfigKey)}>{connection.providerConfigKey}</PageLink>
            ),
          },
          {
            label: 'End user',
            value: endUser === undefined ? '–' : <Person endUser={endUser} />,
          },
          {
            label: 'Organization',
            value: <Found text={endUser?.organization?.displayName ?? endUser?.organization?.id} />,
          },
          {
            label: 'Provider account',
            value: (
              <Found text={providerAccount?.email ?? undefined} otherwise={providerAccount?.subject ?? 'Not known'} />
            ),
          },
          { label: 'Consent given', value: <FullTime iso={connection.consentedAt} /> },
          { label: 'Access token ends', value: <FullTime iso={connection.accessTokenExpiresAt} /> },
          { label: 'Last refreshed', value: <FullTime iso={connection.lastRefreshedAt} otherwise="Not yet" /> },
          { label: 'Last used', value: <FullTime iso={connection.lastUsedAt} otherwise="Not yet" /> },
          { label: 'Created', value: <FullTime iso={connection.createdAt} /> },
          { label: 'Shares its grant with', value: <Sharing connection={connection} /> },
          ...ownTags(tags).map(([key, value]) => ({
            label: `Tag ${key}`,
            value: <Found text={value} search={`${key}=${value}`} />,
          })),
        ]}
      />
    </Container>
  );
}

/** Tags without those that repeat the end user. */
function ownTags(tags: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(tags).filter(([key]) => !/^(end_user|organization)_(id|email|display_name)$/.test(key));
}

function Person({ endUser: { id, displayName, email } }: { endUser: NonNullable<Connection['endUser']> }) {
  // Apps often take the address as id.
  const texts = new Set([id, displayName ?? '', email ?? ''].filter((text) => text !== ''));
  return [...texts].map((text) => (
    <div key={text}>
      <Breakable text={text} />
    </div>
  ));
}

/** A text that leads to the connections that hold it. */
function Found({
  text,
  otherwise = '–',
  search = text,
}: {
  text: string | undefined;
  otherwise?: string;
  search?: string | undefined;
}) {
  if (text === undefined || search === undefined) return <Breakable text={otherwise} />;
  return (
    <PageLink href={searchHref(search)}>
      <Breakable text={text} />
    </PageLink>
  );
}

/** Anyone who shares a grant has the same account. */
function Sharing({ connection: { sharesGrantWith: count, providerAccount } }: { connection: Connection }) {
  const email = providerAccount?.email;
  if (count === undefined || count === 0 || !email) return <span>{sharing(count)}</span>;
  return <PageLink href={searchHref(email)}>{sharing(count)}</PageLink>;
}

function sharing(count: number | undefined): string {
  if (count === undefined) return 'Unknown: no identity scope was granted';
  if (count === 0) return 'No other connection';
  return count === 1 ? '1 other connection' : `${count} other connections`;
}
