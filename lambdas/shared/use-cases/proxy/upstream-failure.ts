import { type Applied, GatewayError, type GatewayErrorCode } from '../../domain/errors.ts';
import type { UpstreamError, UpstreamFailureKind } from '../../domain/upstream.ts';

const FAILURES: Readonly<Record<UpstreamFailureKind, readonly [code: GatewayErrorCode, what: string]>> = {
  timeout: ['upstream_timeout', 'The provider did not answer in time.'],
  invalid_response: ['upstream_invalid_response', "The provider's answer was not valid HTTP."],
  unreachable: ['upstream_unreachable', 'The provider could not be reached.'],
};

/** What a caller is told of an exchange that failed: why, and whether the call may have been applied (F38). */
export function upstreamFailure(error: UpstreamError, effectiveMethod: string): GatewayError {
  const [code, what] = FAILURES[error.kind];
  const applied = error.sent ? appliedWhenSent(effectiveMethod) : 'no';
  return new GatewayError(code, `${what} ${inWords(error, applied)}`, { applied, cause: error });
}

/** Of a call that left: a read changes nothing, anything else may have been acted on. */
export function appliedWhenSent(effectiveMethod: string): Applied {
  return effectiveMethod === 'GET' || effectiveMethod === 'HEAD' ? 'no' : 'unknown';
}

function inWords({ sent }: UpstreamError, applied: Applied): string {
  if (!sent) return 'The request was not sent.';
  return applied === 'no'
    ? 'It was a read; repeating it is safe.'
    : 'The request may have been applied; look before repeating it.';
}
