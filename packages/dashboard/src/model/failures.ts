import type { CallFailure } from '../gateway/library.ts';

/** How calls fail, as filters and charts name it. */
export const FAILURES: readonly { readonly value: CallFailure; readonly label: string }[] = [
  { value: 'provider_failed', label: 'Google’s errors (5xx)' },
  { value: 'rate_limited', label: 'Google’s rate limit (429)' },
  { value: 'gateway_failed', label: 'The gateway’s errors (5xx)' },
  { value: 'refused', label: 'Refused (other 4xx)' },
  { value: 'broken_off', label: 'Cut off' },
];

/** A way of failing in words. */
export function failureLabel(failure: CallFailure): string {
  return FAILURES.find(({ value }) => value === failure)?.label ?? failure;
}

/** Which failed calls a page shows, as its address says it. */
export interface FailureView {
  readonly failure?: string;
  readonly reason?: string;
  readonly integration?: string;
  readonly connection?: string;
  readonly key?: string;
  /** ISO 8601. */
  readonly since?: string;
  readonly until?: string;
}

/** Address of the failed calls of a time, integration or kind. */
export function failedCallsHref(view: FailureView = {}): string {
  const query = new URLSearchParams(Object.entries(view).filter(([, value]) => value !== undefined)).toString();
  return query === '' ? '/calls' : `/calls?${query}`;
}
