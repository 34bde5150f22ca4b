import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { Overview } from '../../gateway/library.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { connectionHref, integrationHref, PageLink, searchHref } from '../../ui/link.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';

/** What somebody has to mend at the provider: refused clients and accounts near the limit of refresh tokens. */
export function AttentionPanel({ data }: { data: Overview }) {
  const { rejectedIntegrations: rejected, crowdedAccounts: crowded } = data;
  if (rejected.length === 0 && crowded.length === 0) {
    return <Status type="success">Google refuses no OAuth client, and no account is near its limit.</Status>;
  }
  return (
    <SpaceBetween size="s">
      {rejected.map(({ uniqueKey, displayName, error, since }) => (
        <Alert
          key={uniqueKey}
          type="error"
          header={`Google refuses the client of ${displayName}`}
          action={<LinkButton href={`${integrationHref(uniqueKey)}?do=rotate`}>Replace the client secret</LinkButton>}
        >
          The connections are not the cause; no token can be refreshed until the client is fixed. Google's error:{' '}
          <code>{error}</code>, first <Time iso={since} />.{' '}
          <PageLink href={integrationHref(uniqueKey)}>View its credentials</PageLink>
        </Alert>
      ))}
      {crowded.map((account) => (
        <Alert
          key={connectionHref(account)}
          type="warning"
          header="An account is near Google's limit of refresh tokens"
          action={
            <LinkButton href={account.email ? searchHref(account.email) : connectionHref(account)}>
              Show its connections
            </LinkButton>
          }
        >
          <SpaceBetween size="xs">
            <Box>
              At the limit, each new connection silently ends the oldest one of{' '}
              <PageLink href={connectionHref(account)}>
                <Breakable text={account.email ?? account.connectionId} />
              </PageLink>
              . Delete connections that are no longer used.
            </Box>
            <ProgressBar
              ariaLabel="Live refresh tokens of the account"
              value={Math.round((account.live / account.limit) * 100)}
              additionalInfo={`${account.live} of ${account.limit} live refresh tokens under one client`}
            />
          </SpaceBetween>
        </Alert>
      ))}
    </SpaceBetween>
  );
}
