import { type Applied, GatewayError, type GatewayErrorCode } from '../core/errors.ts';
import type { UpstreamError, UpstreamFailureKind } from '../core/http-message.ts';

const CODES: Readonly<Record<UpstreamFailureKind, GatewayErrorCode>> = {
  timeout: 'upstream_timeout',
  invalid_response: 'upstream_invalid_response',
  unreachable: 'upstream_unreachable',
};

/** The error for a failed exchange: the reason, and whether the call may have been applied (F38). */
export function upstreamFailure(error: UpstreamError, effectiveMethod: string): GatewayError {
  const applied = error.sent ? appliedWhenSent(effectiveMethod) : 'no';
  const message = `${whatHappened(error)} ${inWords(error, applied)}`;
  return new GatewayError(CODES[error.kind], message, { applied, cause: error });
}

/** For a call that was sent: a read changes nothing, anything else may have been applied. */
export function appliedWhenSent(effectiveMethod: string): Applied {
  return effectiveMethod === 'GET' || effectiveMethod === 'HEAD' ? 'no' : 'unknown';
}

function whatHappened({ kind, sent }: UpstreamError): string {
  switch (kind) {
    case 'timeout':
      return 'The provider did not answer in time.';
    case 'invalid_response':
      return "The provider's answer was not valid HTTP.";
    case 'unreachable':
      return sent
        ? 'The connection to the provider broke before the answer arrived.'
        : 'The provider could not be reached.';
  }
}

function inWords({ sent }: UpstreamError, applied: Applied): string {
  if (!sent) return 'The request was not sent.';
  return applied === 'no'
    ? 'It was a read, so you can safely repeat it.'
    : 'The request may have been applied; check before you repeat it.';
}
