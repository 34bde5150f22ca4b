import type { GatewayError } from '../../gateway/core/errors.ts';
import { whatHappened } from '../../gateway/core/grant-death.ts';
import { type HeaderPairs, headerValue } from '../../gateway/core/http-message.ts';
import type { Logger } from '../../gateway/core/ports.ts';
import { isObject } from '../../gateway/server-tools/tool.rules.ts';
import { cut, PROVIDER_MESSAGE_MAX_CHARACTERS, WAITING } from './tools/results.rules.ts';
import { ToolFailure } from './tools/tool-failure.rules.ts';

/** What the statuses of the provider mean to an assistant, and what it does then. */
const MEANINGS: Readonly<Record<number, readonly [code: string, message: string]>> = {
  400: ['invalid_request', 'The provider refuses these arguments.'],
  401: ['reauthorization_required', 'The provider refuses the connection’s sign-in.'],
  403: ['forbidden', 'The user may not do this, or the provider does not allow it.'],
  404: ['not_found', 'There is no such thing, or the user may not see it.'],
  409: ['conflict', 'The same was made before, or its id is taken.'],
  410: ['gone', 'It was deleted, or the page token is too old. Start again from the first page.'],
  412: ['conflict', 'It has changed since you read it, so nothing was done. Read it again before you decide.'],
  413: ['request_too_large', 'It is larger than the provider takes.'],
  429: ['rate_limited', 'The provider has had too many requests. Wait before the next.'],
};

/** A failure of the provider's, with its own words cut and marked as data (MC-34). */
export function providerFailure(status: number, headers: HeaderPairs, body: Uint8Array, method: string): ToolFailure {
  const { reason, message: said } = providerError(body);
  const isSlowDown = status === 429 || (status === 403 && /ratelimit|quotaexceeded/i.test(reason ?? ''));
  const [code, message] = MEANINGS[isSlowDown ? 429 : status] ?? [
    'provider_failed',
    `The provider failed. ${method === 'GET' ? 'Try again later.' : 'It may have done what you asked: look before you repeat it.'}`,
  ];
  const waitSec = Number(headerValue(headers, 'retry-after'));
  const retryAfter = Number.isFinite(waitSec) && waitSec > 0 ? waitSec : isSlowDown ? 30 : undefined;
  return new ToolFailure(code, message, {
    status,
    ...(reason === undefined ? {} : { reason: cut(reason, 64) }),
    ...(said === undefined ? {} : { provider_message: cut(said, PROVIDER_MESSAGE_MAX_CHARACTERS) }),
    ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
  });
}

/** Google's reason and message, where there are any. */
function providerError(body: Uint8Array): {
  readonly reason: string | undefined;
  readonly message: string | undefined;
} {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    const error = isObject(parsed) && isObject(parsed.error) ? parsed.error : {};
    const [first] = Array.isArray(error.errors) ? error.errors : [];
    return {
      reason: isObject(first) && typeof first.reason === 'string' ? first.reason : undefined,
      message: typeof error.message === 'string' ? error.message : undefined,
    };
  } catch {
    return { reason: undefined, message: undefined };
  }
}

/** Failures of a connection whose end user can fix them by granting access again. */
const MENDED_BY_CONSENT = new Set(['reauthorization_required', 'unknown_connection']);

/**
 * A refusal of the gateway's: with the time to wait, the limit, and for a grant that has ended why, and the link by which it lives again.
 *
 * @param link makes one
 */
export async function gatewayFailure(
  error: GatewayError,
  link: () => Promise<string | undefined>,
  logger: Logger,
  requestId: string,
): Promise<ToolFailure> {
  const { code, death, limit, retryAfterSec, applied } = error;
  // A person decides first: the assistant learns where, and nothing that it could decide with (MC-24).
  const approval = error.members?.approval;
  if (isObject(approval)) {
    const message = 'A person has to approve this. Ask the user to open url, and do not call the tool again meanwhile.';
    return new ToolFailure(WAITING, message, { status: WAITING, ...approval });
  }
  const connectUrl = MENDED_BY_CONSENT.has(code)
    ? await link().catch((failure: unknown) => {
        logger.error('a connect link for an assistant could not be made', { requestId }, failure);
        return undefined;
      })
    : undefined;
  const message = death === undefined ? messageOf(error) : `${whatHappened(death)} ${death.remedy}`;
  return new ToolFailure(code, message, {
    ...(retryAfterSec === undefined ? {} : { retry_after: retryAfterSec }),
    ...(limit === undefined ? {} : { limit: { ...limit } }),
    ...(applied === undefined ? {} : { applied }),
    ...(death === undefined ? {} : { cause: death.cause }),
    ...(connectUrl === undefined ? {} : { connect_url: connectUrl }),
  });
}

/** The gateway's sentences speak of headers, which assistants do not send. */
function messageOf({ code, message }: GatewayError): string {
  return code === 'unknown_connection' ? 'The user has not connected this account, or has disconnected it.' : message;
}
