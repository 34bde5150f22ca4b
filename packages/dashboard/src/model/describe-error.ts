import { GatewayError, NetworkError, type Problem, TimeoutError, UnexpectedAnswerError } from '../gateway/library.ts';

/** A page's reaction to a failure in addition to showing it. */
export type ErrorKind = 'offline' | 'signed_out' | 'fresh_sign_in' | 'missing' | 'other';

/** A failure for an operator: what happened, and what to do. */
export interface ErrorText {
  readonly kind: ErrorKind;
  readonly title: string;
  readonly message: string;
  /** Fields of a form that are wrong. */
  readonly problems: readonly Problem[];
  /** Find the request in the gateway's log by this. */
  readonly requestId: string | undefined;
}

/** A refresh has no answer yet; it may still come. */
export class SlowAnswerError extends Error {
  /** @param afterMs how long was waited, milliseconds */
  constructor(afterMs: number) {
    super(`The gateway has not answered for ${afterMs / 1000} seconds.`);
    this.name = 'SlowAnswerError';
  }
}

/** Whether the gateway is out of reach or fails, so that a shown value is better than none. */
export function isOutage(error: unknown): boolean {
  return (error instanceof GatewayError && error.status >= 500) || describeError(error).kind === 'offline';
}

/** Describes the problem; unexpected errors are named as such. */
export function describeError(error: unknown): ErrorText {
  if (error instanceof GatewayError) return gatewayError(error);
  if (error instanceof TimeoutError) {
    return plain('offline', 'The gateway took too long', withOutcome(error.message, error.mayHaveBeenApplied));
  }
  if (error instanceof NetworkError) {
    const text = 'The gateway cannot be reached. Check your network and whether the gateway is running.';
    return plain('offline', 'No connection to the gateway', withOutcome(text, error.mayHaveBeenApplied));
  }
  if (error instanceof SlowAnswerError) return plain('offline', 'The gateway does not answer', error.message);
  if (error instanceof UnexpectedAnswerError) return plain('other', "This is not the gateway's answer", error.message);
  return plain('other', 'Something failed', error instanceof Error ? error.message : String(error));
}

/** The message for the field `path` of a refused request; undefined when the field is valid. */
export function problemOf(error: unknown, path: string): string | undefined {
  if (!(error instanceof GatewayError)) return undefined;
  return error.problems.find((problem) => problem.path === path || problem.path.startsWith(`${path}.`))?.message;
}

function gatewayError(error: GatewayError): ErrorText {
  const { problems, requestId } = error;
  // The library puts the code in front; the title says it better.
  const message = error.message.replace(/^The gateway refused the call \([^)]*\): /, '');
  const described = (kind: ErrorKind, title: string, text = message): ErrorText => ({
    kind,
    title,
    message: text,
    problems,
    requestId,
  });
  switch (error.code) {
    case 'missing_auth_header':
    case 'invalid_secret_key':
    case 'invalid_operator_token':
      return described('signed_out', 'Your sign-in has ended', 'Sign in again; you will return to this page.');
    case 'recent_sign_in_required':
      return described(
        'fresh_sign_in',
        'Confirm that it is you',
        'This action requires a sign-in within the last few minutes.',
      );
    case 'second_factor_required':
      return described('other', 'This needs a second factor');
    case 'unknown_integration':
      return described('missing', 'There is no such integration', 'It was renamed or deleted, or the id is wrong.');
    case 'unknown_connection':
      return described(
        'missing',
        'There is no such connection',
        'It never existed under this integration, or the id is wrong.',
      );
    case 'not_found':
      return described('missing', 'There is nothing here');
    case 'conflict':
      return described('other', 'The change conflicts with the current state');
    case 'reauthorization_required':
      return described('other', 'This connection needs a new authorization');
    case 'integration_credentials_rejected':
      return described('other', 'Google refuses the OAuth client of this integration');
    case 'rate_limited':
      return described('other', 'Too many requests', `${message}${waitText(error.retryAfterSec)}`);
    case 'invalid_body':
    case 'invalid_query_params':
      return described('other', 'Some values are not valid');
    default:
      return described('other', `The gateway answered ${error.status}`);
  }
}

function plain(kind: ErrorKind, title: string, message: string): ErrorText {
  return { kind, title, message, problems: [], requestId: undefined };
}

function withOutcome(message: string, mayHaveBeenApplied: boolean): string {
  return mayHaveBeenApplied ? `${message} The change may have been made anyway: reload before you try again.` : message;
}

function waitText(retryAfterSec: number | undefined): string {
  return retryAfterSec === undefined ? '' : ` Try again in ${retryAfterSec} seconds.`;
}
