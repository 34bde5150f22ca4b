import { readCapped, type Upstream } from '../gateway/core/http-message.ts';

const ANSWER_TIMEOUT_MS = 10_000;
const RESPONSE_MAX_BYTES = 64 * 1024;
const ATTEMPTS = 3;

/**
 * Uploads the answer to the address that CloudFormation signed for it, which is a secret for as long as it works.
 *
 * @throws Error that does not contain the address; the invocation is repeated then
 */
export async function sendAnswer(upstream: Upstream, responseUrl: string, answer: string): Promise<void> {
  const { origin, pathname, search } = new URL(responseUrl);
  const body = Buffer.from(answer);
  let reason = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      const response = await upstream.send({
        origin,
        method: 'PUT',
        path: `${pathname}${search}`,
        // The signature is of an empty content type (User Guide, "cfn-response module").
        headers: [['content-type', '']],
        body,
        firstByteTimeoutMs: ANSWER_TIMEOUT_MS,
        idleTimeoutMs: ANSWER_TIMEOUT_MS,
        totalTimeoutMs: ANSWER_TIMEOUT_MS,
      });
      await readCapped(response.body, RESPONSE_MAX_BYTES);
      if (response.status < 300) return;
      reason = `it answered ${response.status}`;
    } catch (error) {
      reason = error instanceof Error ? error.name : 'it could not be reached';
    }
  }
  throw new Error(`CloudFormation did not take the answer: ${reason}`);
}
