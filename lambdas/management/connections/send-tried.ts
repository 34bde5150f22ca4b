import { GatewayError } from '../../gateway/core/errors.ts';
import type { HeaderPairs } from '../../gateway/core/http-message.ts';
import { TRY_RESPONSE_MAX_BYTES } from '../../gateway/core/limits.ts';
import type { Clock } from '../../gateway/core/ports.ts';
import { type Upstream, UpstreamError } from '../../gateway/core/upstream.ts';
import type { UpstreamPlan } from '../../gateway/proxying/plan-upstream-request.ts';

/** What the provider sent, as it sent it. */
export interface TriedAnswer {
  readonly status: number;
  readonly headers: HeaderPairs;
  /** The first bytes of the body as UTF-8; bytes that are no text are replaced. */
  readonly body: string;
  readonly truncated: boolean;
  readonly durationMs: number;
}

/**
 * Sends a planned read once and keeps the start of its answer; the rest is let go of.
 *
 * @throws GatewayError `upstream_unreachable`, `upstream_timeout`, `upstream_invalid_response`
 */
export async function sendTried(
  deps: { readonly upstream: Upstream; readonly clock: Clock },
  plan: UpstreamPlan,
  options: { readonly accessToken: string; readonly timeoutMs: number },
): Promise<TriedAnswer> {
  const startedMs = deps.clock.nowMs();
  try {
    const response = await deps.upstream.send({
      origin: plan.origin,
      method: plan.method,
      path: plan.target,
      headers: [...plan.headers, ['authorization', `Bearer ${options.accessToken}`]],
      body: undefined,
      firstByteTimeoutMs: options.timeoutMs,
      idleTimeoutMs: options.timeoutMs,
      totalTimeoutMs: options.timeoutMs,
    });
    const { text, truncated } = await readStart(response.body);
    if (truncated) response.abandon();
    const durationMs = deps.clock.nowMs() - startedMs;
    return { status: response.status, headers: response.headers, body: text, truncated, durationMs };
  } catch (error) {
    throw failure(error);
  }
}

async function readStart(body: AsyncIterable<Uint8Array>): Promise<{ text: string; truncated: boolean }> {
  const decoder = new TextDecoder('utf-8');
  let text = '';
  let left = TRY_RESPONSE_MAX_BYTES;
  for await (const chunk of body) {
    text += decoder.decode(chunk.subarray(0, left), { stream: true });
    // A character that the limit cuts in two stays out.
    if (chunk.length > left) return { text, truncated: true };
    left -= chunk.length;
  }
  return { text: text + decoder.decode(), truncated: false };
}

function failure(error: unknown): GatewayError {
  const kind = error instanceof UpstreamError ? error.kind : 'broken';
  switch (kind) {
    case 'timeout':
      return new GatewayError('upstream_timeout', 'The provider did not answer in time. It was a read; try again.', {
        applied: 'no',
        cause: error,
      });
    case 'unreachable':
      return new GatewayError('upstream_unreachable', 'The provider could not be reached. It was a read; try again.', {
        applied: 'no',
        cause: error,
      });
    default:
      return new GatewayError('upstream_invalid_response', 'The provider broke off or answered no valid HTTP.', {
        applied: 'no',
        cause: error,
      });
  }
}
