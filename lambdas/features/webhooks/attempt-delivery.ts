import type { EndpointTargets } from '../../gateway/core/endpoint-targets.ts';
import { headerValue, type Upstream, UpstreamError, type UpstreamResponse } from '../../gateway/core/http-message.ts';
import type { CipherContext, Clock, TokenCipher } from '../../gateway/core/ports.ts';
import { type AttemptResult, excerptOf, retryAfterSec, statusError } from './delivery.rules.ts';
import { WEBHOOK_ANSWER_MAX_BYTES, WEBHOOK_HEAD_TIMEOUT_MS, WEBHOOK_TOTAL_TIMEOUT_MS } from './limits.rules.ts';
import { signedHeaders, signingSecrets, type Webhook, webhookUrlProblem } from './webhook.rules.ts';

export interface AttemptDependencies {
  readonly clock: Clock;
  readonly cipher: TokenCipher;
  /** The way out for messages: public addresses only, no kept connections, no redirects. */
  readonly endpointEgress: Upstream;
  readonly endpointTargets: EndpointTargets;
}

/** Encryption context of an endpoint's secret, before and after a rotation. */
export function webhookSecretContext(webhook: Pick<Webhook, 'accountId' | 'webhookId'>): CipherContext {
  const { accountId, webhookId: recordId } = webhook;
  return { accountId, integrationId: '', recordId, field: 'webhookSecret', purpose: 'webhooks' };
}

/**
 * Sends one message once, signed with the endpoint's secret and with each one replaced within a day (WH-16, WH-17).
 * An unreachable endpoint is a result, an unreadable secret an error.
 *
 * @param totalTimeoutMs less where an operator waits for the result
 */
export async function attemptDelivery(
  deps: AttemptDependencies,
  webhook: Webhook,
  message: { readonly id: string; readonly body: string },
  totalTimeoutMs: number = WEBHOOK_TOTAL_TIMEOUT_MS,
): Promise<AttemptResult> {
  const { clock, cipher, endpointEgress, endpointTargets } = deps;
  const startedMs = clock.nowMs();
  const nowEpochSec = Math.floor(startedMs / 1000);
  const context = webhookSecretContext(webhook);
  const secrets = await Promise.all(
    signingSecrets(webhook, nowEpochSec).map((encrypted) => cipher.decrypt(context, encrypted)),
  );
  const result = (answer: Partial<AttemptResult>): AttemptResult => ({
    atEpochSec: nowEpochSec,
    durationMs: clock.nowMs() - startedMs,
    status: undefined,
    error: undefined,
    excerpt: undefined,
    retryAfterSec: undefined,
    ...answer,
  });
  // A row may be older than a rule.
  if (webhookUrlProblem(webhook.url, endpointTargets) !== undefined) return result({ error: 'address_not_allowed' });
  const { origin, pathname, search } = new URL(webhook.url);
  try {
    const response = await endpointEgress.send({
      origin,
      method: 'POST',
      path: pathname + search,
      headers: [
        ['content-type', 'application/json'],
        ['user-agent', 'integration-gateway-webhooks/1'],
        ['accept', '*/*'],
        ['accept-encoding', 'identity'],
        ...signedHeaders(message.id, message.body, secrets, nowEpochSec),
      ],
      body: Buffer.from(message.body),
      firstByteTimeoutMs: Math.min(WEBHOOK_HEAD_TIMEOUT_MS, totalTimeoutMs),
      idleTimeoutMs: totalTimeoutMs,
      totalTimeoutMs,
    });
    const error = statusError(response.status);
    const answer = await startOfBody(response);
    return result({
      status: response.status,
      error,
      excerpt: error === undefined ? undefined : excerptOf(answer),
      retryAfterSec: retryAfterSec(headerValue(response.headers, 'retry-after'), clock.nowMs()),
    });
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return result({ error: failureCode(error) });
  }
}

/** The head decides: a body that breaks off or is slow changes nothing, and only its start is read. */
async function startOfBody(response: UpstreamResponse): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of response.body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= WEBHOOK_ANSWER_MAX_BYTES) break;
    }
  } catch {
    // The bytes received so far are used.
  } finally {
    response.abandon();
  }
  return Buffer.concat(chunks).subarray(0, WEBHOOK_ANSWER_MAX_BYTES);
}

/** Codes of Node's errors in terms for an endpoint's owner. */
function failureCode({ kind, cause }: UpstreamError): string {
  if (kind !== 'unreachable') return kind;
  const code: unknown = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (typeof code !== 'string') return kind;
  if (code === 'EPRIVATE') return 'address_not_public';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'name_not_found';
  if (code === 'ECONNREFUSED') return 'connection_refused';
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'connection_reset';
  return /CERT|SIGNATURE|TLS|SSL|EPROTO/.test(code) ? 'tls_failed' : kind;
}
