import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { ConnectionSummary, Integration } from '../gateway/library.ts';
import { causeLabel, probableCauseLabel } from '../model/causes.ts';
import { absoluteTime } from '../model/time.ts';
import { Time } from './time.tsx';

/** A status: an icon and words, which break between words only. */
export function Status({ type, children }: { type: StatusIndicatorProps.Type; children: ReactNode }) {
  return (
    <StatusIndicator type={type}>
      <span className="words">{children}</span>
    </StatusIndicator>
  );
}

/** A connection's status, with its cause where there is one. */
function ConnectionStatus({ status, cause }: { status: string; cause: string | undefined }) {
  if (status === 'active') return <Status type="success">Active</Status>;
  return <Status type="error">{cause === undefined ? 'Needs a new authorization' : probableCauseLabel(cause)}</Status>;
}

/** Whether the provider accepts an integration's OAuth client, as far as checked, and who has to act where it does not. */
export function ClientStatus({ integration: { health, credentialsFault, delegation } }: { integration: Integration }) {
  const what = delegation === undefined ? 'Client' : 'Service account';
  if (credentialsFault !== undefined) {
    return (
      <Status type="error">
        {what} refused by Google ({credentialsFault.error}) since <Time iso={credentialsFault.since} />
        {health?.who === 'operator' && ': the test credentials must be fixed'}
      </Status>
    );
  }
  if (health?.status !== 'working') return <Status type="pending">{what} not verified yet</Status>;
  return (
    <Status type="success">
      {what} works since <Time iso={health.since} />
    </Status>
  );
}

/** Whether a connection's calls work, with the reason if not. */
export function ConnectionHealthStatus({ connection: { health, status, cause } }: { connection: ConnectionSummary }) {
  switch (health?.status) {
    case 'failing':
      return (
        <Status type="error">
          Failing: Google refuses its calls ({health.reason}) since <Time iso={health.since} />
        </Status>
      );
    case 'refused_by_provider':
      return (
        <Status type="error">
          Not renewed: Google refuses its token ({health.reason}) since <Time iso={health.since} />
        </Status>
      );
    case 'client_refused':
      return <Status type="error">Google refuses the integration’s OAuth client ({health.reason})</Status>;
    case 'ends_soon':
      return (
        <Status type="warning">
          Ends soon: <Time iso={health.endsAt} />
          {health.reason === 'testing_mode' ? ', because the app is in Testing' : ', because the user chose that time'}
        </Status>
      );
    case 'dead':
      return (
        <Status type="error">
          {health.certain === true
            ? causeLabel(health.reason ?? 'unknown')
            : probableCauseLabel(health.reason ?? 'unknown')}
        </Status>
      );
    case 'not_used_yet':
      return <Status type="pending">Not used yet</Status>;
    default:
      return <ConnectionStatus status={status} cause={cause} />;
  }
}

/** The same in as few words as a line of a list has room for; the rest is shown on hover. */
export function BriefHealthStatus({ connection }: { connection: ConnectionSummary }) {
  const { health, status, cause } = connection;
  const { reason, since, endsAt } = health ?? {};
  const brief = (type: StatusIndicatorProps.Type, words: ReactNode, whole = '') => (
    <span
      className="one-line"
      title={`${whole}${whole !== '' && since !== undefined ? ` since ${absoluteTime(since)}` : ''}`}
    >
      <StatusIndicator type={type} wrapText={false}>
        {words}
      </StatusIndicator>
    </span>
  );
  switch (health?.status) {
    case 'failing':
      return brief('error', `Failing: ${reason}`, `Google refuses its calls (${reason})`);
    case 'refused_by_provider':
      return brief('error', `Not renewed: ${reason}`, `Google refuses its token (${reason})`);
    case 'client_refused':
      return brief('error', 'OAuth client refused', `Google refuses the integration’s OAuth client (${reason})`);
    case 'ends_soon':
      return brief(
        'warning',
        <>
          Ends <Time iso={endsAt} />
        </>,
        `Ends ${reason === 'testing_mode' ? 'because the app is in Testing' : 'because the user chose that time'}`,
      );
    case 'dead': {
      const words = health.certain === true ? causeLabel(reason ?? 'unknown') : probableCauseLabel(reason ?? 'unknown');
      return brief('error', words, words);
    }
    case 'not_used_yet':
      return brief('pending', 'Not used yet');
    default:
      if (status === 'active') return brief('success', 'Active');
      return brief('error', cause === undefined ? 'Needs a new authorization' : probableCauseLabel(cause));
  }
}
