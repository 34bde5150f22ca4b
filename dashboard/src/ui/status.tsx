import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { Connection } from '../gateway/library.ts';
import { probableCauseLabel } from '../model/causes.ts';
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
export function ConnectionStatus({ status, cause }: { status: string; cause: string | undefined }) {
  if (status === 'active') return <Status type="success">Active</Status>;
  return <Status type="error">{cause === undefined ? 'Needs a new authorization' : probableCauseLabel(cause)}</Status>;
}

/** Whether the provider refuses an integration's OAuth client; that it takes one is only known once it was used. */
export function ClientStatus({ isRefused }: { isRefused: boolean }) {
  return isRefused ? (
    <Status type="error">Client refused by Google</Status>
  ) : (
    <Status type="success">Client not refused</Status>
  );
}

/** Whether a connection's calls work, with what stands in their way. */
export function ConnectionHealthStatus({ connection: { health, status, cause } }: { connection: Connection }) {
  switch (health?.status) {
    case 'failing':
      return (
        <Status type="error">
          Failing: Google refuses its calls ({health.reason}) since <Time iso={health.since} />
        </Status>
      );
    case 'client_refused':
      return <Status type="error">Google refuses the integration’s OAuth client ({health.reason})</Status>;
    case 'ends_soon':
      return (
        <Status type="warning">
          Ends soon: <Time iso={health.endsAt} />
        </Status>
      );
    case 'not_used_yet':
      return <Status type="pending">Not used yet</Status>;
    default:
      return <ConnectionStatus status={status} cause={cause} />;
  }
}
