import type { CallPage, LoggedCall } from '../gateway/library.ts';

/** Which calls leave a row, in a sentence. */
export function callRule({ mode, retentionDays }: CallPage['log']): string {
  if (mode === 'off') return 'This deployment keeps no call log (option gateway:callLog).';
  const which = mode === 'all' ? 'All calls are' : 'Failed calls are';
  return `${which} kept for ${retentionDays} days, without query, headers, body or ids.`;
}

/** How a call went. */
export function callTone({ status, complete }: LoggedCall): 'success' | 'warning' | 'error' {
  if (status < 400) return complete ? 'success' : 'warning';
  return status === 404 || status === 429 ? 'warning' : 'error';
}

/** The party that answered, and the reason, as far as known; '' for a successful call. */
export function whyText(call: LoggedCall): string {
  const why: string[] = [];
  if (call.errorCode !== undefined) why.push(`The gateway: ${call.errorCode}`);
  else if (call.reason !== undefined) why.push(`Google: ${call.reason}`);
  if (!call.complete) why.push('the answer was cut off');
  if (call.attempts > 1) why.push(`sent ${call.attempts} times`);
  if (call.refreshed) why.push('waited for a new token');
  return why.join('; ');
}
