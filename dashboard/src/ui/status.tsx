import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import { probableCauseLabel } from '../model/causes.ts';

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
