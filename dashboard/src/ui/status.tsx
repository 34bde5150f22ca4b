import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { causeLabel } from '../model/causes.ts';

/** A connection's status, with its cause where there is one. */
export function ConnectionStatus({ status, cause }: { status: string; cause: string | undefined }) {
  if (status === 'active') return <StatusIndicator type="success">Active</StatusIndicator>;
  const label = cause === undefined ? 'Needs a new authorization' : causeLabel(cause);
  return <StatusIndicator type="error">{label}</StatusIndicator>;
}

/** Whether the provider takes an integration's OAuth client. */
export function ClientStatus({ isRefused }: { isRefused: boolean }) {
  return isRefused ? (
    <StatusIndicator type="error">Client refused by Google</StatusIndicator>
  ) : (
    <StatusIndicator type="success">Client accepted</StatusIndicator>
  );
}
