import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { UpstreamError, type UpstreamFailureKind } from '../../../lambdas/gateway/core/http-message.ts';
import { fullRetryBudget, sendWithRetries } from '../../../lambdas/gateway/forwarding/retries.ts';
import { upstreamFailure } from '../../../lambdas/gateway/proxying/upstream-failure.rules.ts';
import { egress, listening, serve, stop } from '../support/upstream.ts';

/** What a caller learns of a call that gets no answer. */
async function told(origin: string, method: string, retries = 0): Promise<string> {
  const body = method === 'GET' ? undefined : Buffer.from('{}');
  const plan = { origin, method, effectiveMethod: method, target: '/x', headers: [], body };
  const clock = { nowMs: () => Date.now() };
  const random = { number: () => 0, bytes: (length: number) => new Uint8Array(length) };
  const options = {
    retries,
    retryOn: new Set([503]),
    budget: fullRetryBudget(),
    deadlineMs: Date.now() + 20_000,
  };
  const upstream = egress();
  try {
    const { status } = await sendWithRetries(
      { clock, random, metrics: { count() {} } },
      (request) => upstream.send(request),
      plan,
      options,
      { attempts: 0 },
    );
    return `status ${status}`;
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    const { code, applied } = upstreamFailure(error, method);
    return `${code}, applied: ${applied}`;
  }
}

describe('whether a call without an answer may have been applied', () => {
  it('F38: whether a call without an answer may have been applied is unknown of a POST that was reset after it went out, and no of a GET', async () => {
    const origin = await serve((incoming) => void incoming.socket.destroy());
    expect(await told(origin, 'POST')).toBe('upstream_unreachable, applied: unknown');
    expect(await told(origin, 'GET')).toBe('upstream_unreachable, applied: no');
  });

  it('whether a call without an answer may have been applied is no where nobody listens', async () => {
    const server = createServer();
    const origin = await listening(server);
    stop(server);
    expect(await told(origin, 'POST')).toBe('upstream_unreachable, applied: no');
  });

  it('whether a call without an answer may have been applied is no where the name does not resolve', async () => {
    expect(await told('https://nowhere.invalid', 'POST')).toBe('upstream_unreachable, applied: no');
  });

  it('whether a call without an answer may have been applied is unknown of a POST answered by what is not HTTP', async () => {
    const origin = await serve((incoming) => void incoming.socket.end('nonsense\r\n\r\n'));
    expect(await told(origin, 'POST')).toBe('upstream_invalid_response, applied: unknown');
  });

  it.each([
    ['unknown when only the last of several attempts did not leave', 503, 'unknown'],
    ['no when the attempts before the last were refused by 429', 429, 'no'],
  ])('whether a call without an answer may have been applied is %s', async (_, status, applied) => {
    const server = createServer((incoming, response) => {
      incoming.resume().on('end', () => {
        response.writeHead(status, { connection: 'close' }).end();
        server.close();
      });
    });
    expect(await told(await listening(server), 'POST', 1)).toBe(`upstream_unreachable, applied: ${applied}`);
  });

  it.each<[UpstreamFailureKind, string, string]>([
    ['timeout', 'upstream_timeout', 'The provider did not answer in time.'],
    ['invalid_response', 'upstream_invalid_response', "The provider's answer was not valid HTTP."],
    ['unreachable', 'upstream_unreachable', 'The connection to the provider broke before the answer arrived.'],
  ])('whether a call without an answer may have been applied is said of a %s, whose code is %s', (kind, code, what) => {
    const of = (sent: boolean, method: string) => {
      const { applied, message, ...failure } = upstreamFailure(new UpstreamError(kind, sent, false, undefined), method);
      return [failure.code, applied, message];
    };
    const unsent = kind === 'unreachable' ? 'The provider could not be reached.' : what;
    expect(of(true, 'PATCH')).toEqual([
      ...[code, 'unknown', `${what} The request may have been applied; check before you repeat it.`],
    ]);
    expect(of(true, 'HEAD')).toEqual([code, 'no', `${what} It was a read, so you can safely repeat it.`]);
    expect(of(false, 'PATCH')).toEqual([code, 'no', `${unsent} The request was not sent.`]);
  });
});
