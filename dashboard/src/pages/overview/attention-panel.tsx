import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { OverviewData } from '../../data/load-overview.ts';
import type { Connection } from '../../gateway/library.ts';
import { connectionHref, integrationHref, PageLink } from '../../ui/link.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';

/** What somebody has to mend at the provider: refused clients and accounts near the limit of refresh tokens. */
export function AttentionPanel({ data }: { data: OverviewData }) {
  const refused = data.integrations.filter(({ credentialsFault }) => credentialsFault !== undefined);
  const crowded = crowdedAccounts(data.details);
  if (refused.length === 0 && crowded.length === 0) {
    return <Status type="success">Google accepts every OAuth client, and no account is near its limit.</Status>;
  }
  return (
    <SpaceBetween size="s">
      {refused.map((integration) => (
        <Alert
          key={integration.uniqueKey}
          type="error"
          header={`Google refuses the client of ${integration.displayName}`}
        >
          Its connections are not at fault; no token can be refreshed until the client is mended. Google said{' '}
          <code>{integration.credentialsFault?.error}</code>, first <Time iso={integration.credentialsFault?.since} />.{' '}
          <PageLink href={integrationHref(integration.uniqueKey)}>Look at its credentials</PageLink>
        </Alert>
      ))}
      {crowded.map((connection) => (
        <Alert key={connection.id} type="warning" header="An account is near Google's limit of refresh tokens">
          <SpaceBetween size="xs">
            <Box>
              At the limit each new connection silently ends the oldest one of{' '}
              <PageLink href={connectionHref(connection)}>
                {connection.providerAccount?.email ?? connection.connectionId}
              </PageLink>
              . Delete connections that are not used any more.
            </Box>
            <ProgressBar
              ariaLabel="Live refresh tokens of the account"
              value={share(connection)}
              additionalInfo={`${connection.forecasts.refreshTokenLimit?.live} of ${connection.forecasts.refreshTokenLimit?.limit} live refresh tokens under one client`}
            />
          </SpaceBetween>
        </Alert>
      ))}
    </SpaceBetween>
  );
}

/** One connection per account that is near the limit. */
function crowdedAccounts(details: readonly Connection[]): readonly Connection[] {
  const seen = new Set<string>();
  return details.filter((connection) => {
    if (connection.forecasts.refreshTokenLimit === undefined) return false;
    const account = `${connection.providerConfigKey} ${connection.providerAccount?.subject ?? connection.connectionId}`;
    if (seen.has(account)) return false;
    seen.add(account);
    return true;
  });
}

function share({ forecasts }: Connection): number {
  const limit = forecasts.refreshTokenLimit;
  return limit === undefined ? 0 : Math.round((limit.live / limit.limit) * 100);
}
