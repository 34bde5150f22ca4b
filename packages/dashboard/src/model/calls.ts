import type { CallPage, LoggedCall } from '../gateway/library.ts';

/** Which calls leave a row, in a sentence. */
export function callRule({ mode, retentionDays }: CallPage['log']): string {
  if (mode === 'off') return 'This deployment keeps no call log (option gateway:callLog).';
  const which = mode === 'all' ? 'All calls are' : 'Failed calls are';
  return `${which} kept for ${retentionDays} days, without query, headers, body or ids.`;
}

/** The gateway's answer to a call that a person has to approve first, which is no failure. */
const WAITS = 'approval_required';

/** How a call went. */
export function callTone({ status, complete, errorCode }: LoggedCall): 'success' | 'warning' | 'error' | 'pending' {
  if (errorCode === WAITS) return 'pending';
  if (status < 400) return complete ? 'success' : 'warning';
  return status === 404 || status === 429 ? 'warning' : 'error';
}

/** The party that answered, and the reason, as far as known; '' for a successful call. */
export function whyText(call: LoggedCall): string {
  const why: string[] = [];
  if (call.errorCode === WAITS) why.push('waits for a person’s approval, or waited');
  else if (call.errorCode !== undefined) why.push(`The gateway: ${call.errorCode}`);
  else if (call.reason !== undefined) why.push(`Google: ${call.reason}`);
  if (!call.complete) why.push('the answer was cut off');
  if (call.attempts > 1) why.push(`sent ${call.attempts} times`);
  if (call.refreshed) why.push('waited for a new token');
  return why.join('; ');
}
