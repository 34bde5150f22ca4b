/** Typed event types: one per line, or separated by commas or spaces. */
export function typesFromText(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((type) => type !== ''))];
}

/** Why a webhook is disabled, in a few words. */
export function disabledText(because: string | undefined): string {
  if (because === 'gone') return 'Disabled: it answered 410 Gone';
  if (because === 'failing') return 'Disabled: it failed for five days';
  return 'Disabled';
}

const ERRORS: Readonly<Record<string, string>> = {
  answered_with_error: '',
  gone: 'the endpoint says that it is gone permanently',
  redirect_not_followed: 'redirects are not followed; use the address it redirects to',
  timeout: 'no answer in time',
  connection_refused: 'the connection was refused',
  connection_reset: 'the connection was closed',
  name_not_found: 'the name does not resolve',
  tls_failed: 'its certificate is not trusted',
  address_not_public: 'the name resolves to an address that is not public',
  address_not_allowed: 'the address is no longer allowed',
  message_too_large: 'the message is larger than 64 KB',
};

/** The outcome of one attempt, in a line. */
export function attemptText(attempt: {
  readonly status: number | undefined;
  readonly error: string | undefined;
  readonly durationMs: number;
}): string {
  const { status, error, durationMs } = attempt;
  const words = error === undefined ? '' : (ERRORS[error] ?? error.replaceAll('_', ' '));
  const what = [status === undefined ? '' : String(status), words].filter((part) => part !== '').join(': ');
  return `${what} (${durationMs} ms)`;
}

/** States of deliveries, those that need somebody first. */
export const DELIVERY_STATES = [
  { state: 'failed', label: 'Given up' },
  { state: 'pending', label: 'Waiting for their next attempt' },
  { state: 'waiting', label: 'Missed while it was disabled' },
  { state: 'delivered', label: 'Delivered' },
] as const;

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The moment of an event by its id, a ULID (github.com/ulid/spec), as ISO 8601; undefined for another id. */
export function momentOfEvent(eventId: string): string | undefined {
  if (!/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(eventId)) return undefined;
  const ms = [...eventId.slice(0, 10)].reduce((sum, character) => sum * 32 + CROCKFORD.indexOf(character), 0);
  return new Date(ms).toISOString();
}

export type DeliveryState = (typeof DELIVERY_STATES)[number]['state'];
