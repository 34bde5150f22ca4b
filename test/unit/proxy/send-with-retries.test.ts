import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, type Mock, vi } from 'vitest';
import {
  UpstreamError,
  type UpstreamRequest,
  type UpstreamResponse,
} from '../../../lambdas/gateway/core/http-message.ts';
import {
  DISCARD_TIMEOUT_MS,
  RETRY_BUDGET_MS,
  UPSTREAM_FIRST_BYTE_TIMEOUT_MS,
  UPSTREAM_IDLE_TIMEOUT_MS,
} from '../../../lambdas/gateway/core/limits.ts';
import {
  fullRetryBudget,
  type SendOptions,
  type SentAnswer,
  sendWithRetries,
} from '../../../lambdas/gateway/forwarding/retries.ts';
import { ERROR_BODY_MAX_BYTES } from '../../../lambdas/gateway/proxying/error-reason.ts';
import { bytesOf } from '../support/upstream.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Chunks = Iterable<string | Buffer> | AsyncIterable<string | Buffer>;
type Answer = UpstreamResponse & { readonly abandon: Mock<() => void> };

/** An answer of the provider; what reads its body gets these chunks. */
function answer(status: number, headers: Record<string, string> = {}, chunks: Chunks = []): Answer {
  async function* body() {
    for await (const chunk of chunks) yield Buffer.from(chunk);
  }
  return { status, headers: Object.entries(headers), body: body(), abandon: vi.fn<() => void>() };
}

const failure = (sent: boolean, reused = false, kind: 'unreachable' | 'timeout' = 'unreachable') =>
  new UpstreamError(kind, sent, reused, undefined);

/** Sends one request to a provider that answers like this, one after the other, without waiting in fact. */
async function send(
  outcomes: readonly (UpstreamResponse | Error)[],
  { method = 'GET', ...more }: Partial<SendOptions> & { readonly method?: string } = {},
) {
  const requests: UpstreamRequest[] = [];
  const sentAtMs: number[] = [];
  const counted: string[] = [];
  const began = Date.now();
  const sendOne = async (request: UpstreamRequest) => {
    const outcome = outcomes[requests.push(request) - 1];
    sentAtMs.push(Date.now() - began);
    if (outcome === undefined || outcome instanceof Error) throw outcome ?? new Error('One request too many');
    return outcome;
  };
  const notes = { attempts: 0 };
  const clock = { nowMs: () => Date.now() };
  const random = { number: () => 0, bytes: (length: number) => new Uint8Array(length) };
  const metrics = { count: (name: string) => void counted.push(name) };
  const plan = { origin: 'https://api.example', method, effectiveMethod: method, target: '/x?y=z', body: undefined };
  const ended = sendWithRetries(
    { clock, random, metrics },
    sendOne,
    { ...plan, headers: [['accept', '*/*']] },
    {
      ...{ retries: 5, retryOn: new Set(), budget: fullRetryBudget() },
      ...{ deadlineMs: began + 120_000, ...more },
    },
    notes,
  ).catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return { ended: await ended, requests, sentAtMs, counted, notes };
}

/** What the caller got: the status, or the failure. */
const endOf = ({ ended }: { readonly ended: SentAnswer | unknown }) =>
  ended instanceof Error ? ended : Object(ended).status;
const OK = () => answer(200);
const BUSY = (headers?: Record<string, string>) => answer(503, headers);

describe('a request that is sent', () => {
  it('carries the plan and the time that is left', async () => {
    const { requests, notes, ended } = await send([OK()]);
    expect(requests).toEqual([
      {
        ...{ origin: 'https://api.example', method: 'GET', path: '/x?y=z', body: undefined, totalTimeoutMs: 120_000 },
        ...{ firstByteTimeoutMs: UPSTREAM_FIRST_BYTE_TIMEOUT_MS, idleTimeoutMs: UPSTREAM_IDLE_TIMEOUT_MS },
        headers: Object.entries({ accept: '*/*' }),
      },
    ]);
    expect(notes).toEqual({ attempts: 1 });
    expect(ended).toMatchObject({ status: 200, headers: [], retryBudgetSpent: false });
  });

  it('a request that is sent has a millisecond at least', async () => {
    expect((await send([OK()], { deadlineMs: Date.now() - 5 })).requests[0]?.totalTimeoutMs).toBe(1);
  });
});

describe('repeats (PX-24, I10)', () => {
  it('repeats wait as long as the provider asks, and are counted', async () => {
    const sent = await send([BUSY({ 'Retry-After': '7' }), BUSY({ 'Retry-After': '0' }), OK()]);
    expect(sent).toMatchObject({ sentAtMs: [0, 7000, 7000], counted: ['UpstreamRetry', 'UpstreamRetry'] });
    expect(sent).toMatchObject({ notes: { attempts: 3 }, ended: { status: 200 } });
  });

  it('repeats wait until the time that the provider names', async () => {
    vi.setSystemTime('2026-01-01T00:00:00Z');
    const { sentAtMs } = await send([BUSY({ 'Retry-After': 'Thu, 01 Jan 2026 00:00:09 GMT' }), OK()]);
    expect(sentAtMs).toEqual([0, 9000]);
  });

  it('repeats wait longer each time where the provider asks for nothing', async () => {
    expect((await send([BUSY(), BUSY(), BUSY(), OK()])).sentAtMs).toEqual([0, 250, 750, 1750]);
  });

  it.each([
    ['as many as were asked for', [BUSY(), BUSY(), BUSY()], { retries: 2 }, 503, 3],
    ['none where none was asked for', [BUSY()], { retries: 0 }, 503, 1],
    ['none of what repeats in vain', [answer(404)], {}, 404, 1],
    ['none of a POST that may have been applied', [BUSY()], { method: 'POST' }, 503, 1],
    ['of a POST whose status the caller named', [BUSY(), OK()], { method: 'POST', retryOn: new Set([503]) }, 200, 2],
    ['of a POST that did not leave', [failure(false), OK()], { method: 'POST' }, 200, 2],
    ['of a read whose answer was lost', [failure(true), OK()], {}, 200, 2],
    ['of a read that failed in a way nobody knows', [new TypeError('?'), OK()], {}, 200, 2],
    ['up to the end of their time', [BUSY({ 'retry-after': `${RETRY_BUDGET_MS / 1000}` }), OK()], {}, 200, 2],
    ['none after it', [BUSY({ 'retry-after': `${RETRY_BUDGET_MS / 1000 + 1}` })], {}, 503, 1],
  ] satisfies [string, (UpstreamResponse | Error)[], Parameters<typeof send>[1], number, number][])(
    'are made %s',
    async (_, outcomes, options, status, requests) => {
      const sent = await send(outcomes, options);
      expect([endOf(sent), sent.requests.length]).toEqual([status, requests]);
    },
  );

  it('never begin after the end of the call', async () => {
    const wait = (seconds: number, deadlineSec: number) =>
      send([BUSY({ 'retry-after': `${seconds}` }), OK()], { deadlineMs: Date.now() + deadlineSec * 1000 });
    expect(endOf(await wait(3, 3))).toBe(200);
    expect(endOf(await wait(4, 3))).toBe(503);
  });

  it('repeats end with the failure of the last attempt', async () => {
    const last = failure(true);
    expect(endOf(await send([BUSY(), last], { retries: 1 }))).toBe(last);
    const unknown = new TypeError('?');
    expect(endOf(await send([unknown], { method: 'POST' }))).toBe(unknown);
  });

  it.each([
    ['may have been applied by an attempt before the last', [failure(true)], 'GET', true],
    ['did not leave in any attempt', [failure(false)], 'POST', false],
    ['was refused for its rate', [answer(429)], 'POST', false],
    ['was refused for its rate by 403', [answer(403, {}, ['{"reason":"rateLimitExceeded"}'])], 'POST', false],
  ] as const)('repeats say of a call that %s', async (_, before, method, wasSent) => {
    expect(endOf(await send([...before, failure(false)], { method, retries: 1 }))).toMatchObject({
      ...{ kind: 'unreachable', sent: wasSent, reusedConnection: false },
    });
  });

  it('repeats end where the process has none left, and say so (I11)', async () => {
    const sent = await send([BUSY()], { budget: { left: 3 } });
    expect(sent).toMatchObject({ counted: ['RetryBudgetSpent'], ended: { status: 503, retryBudgetSpent: true } });
    expect(endOf(await send([BUSY(), OK()], { budget: { left: 4 } }))).toBe(200);
  });
});

describe('a kept connection that the provider had closed', () => {
  it.each([
    ['costs a read no repeat', [failure(true, true), OK()], 'GET', 200],
    ['costs a HEAD no repeat', [failure(true, true), OK()], 'HEAD', 200],
    ['costs a write that did not leave no repeat', [failure(false, true), OK()], 'POST', 200],
    ['ends a write that may have left', [failure(true, true)], 'POST', 'unreachable'],
    ['is forgiven once', [failure(true, true), failure(true, true)], 'GET', 'unreachable'],
    ['is not meant where it was new', [failure(false)], 'GET', 'unreachable'],
    ['is not meant where it fell silent', [failure(true, true, 'timeout')], 'GET', 'timeout'],
    ['is not meant by any other failure', [new TypeError('?')], 'GET', undefined],
  ] as const)('%s', async (_, outcomes, method, end) => {
    const sent = await send(outcomes, { method, retries: 0 });
    expect([sent.requests.length, sent.notes.attempts, sent.counted]).toEqual([outcomes.length, outcomes.length, []]);
    expect(sent.ended instanceof Error ? Object(sent.ended).kind : endOf(sent)).toBe(end);
  });

  it('leaves all the repeats that were asked for', async () => {
    const sent = await send([failure(true, true), BUSY(), OK()], { retries: 1 });
    expect([endOf(sent), sent.sentAtMs]).toEqual([200, [0, 0, 250]]);
  });
});

describe('a 403', () => {
  const body = (reason: string) => JSON.stringify({ error: { errors: [{ domain: 'usageLimits', reason }] } });
  const slowDown = body('rateLimitExceeded');
  const padded = (bytes: number) => slowDown.padEnd(bytes);
  const inPieces = (text: string | Buffer) => [text.slice(0, 40), text.slice(40)];

  it.each([
    ['that asks to slow down', {}, inPieces(slowDown), true],
    ['that is written with spaces', {}, ['{"error":{"errors":[{"reason" : "rateLimitExceeded"}]}}'], true],
    ['that says so without a code', { 'Content-Encoding': ' Identity ' }, [slowDown], true],
    ['that says so packed', { 'Content-Encoding': 'GZIP' }, inPieces(gzipSync(slowDown)), true],
    ['that says so in as many bytes as are read', {}, [padded(ERROR_BODY_MAX_BYTES)], true],
    ['that says so in more', {}, [padded(ERROR_BODY_MAX_BYTES), ' ', 'and', ' more'], false],
    ['that unpacks to more', { 'Content-Encoding': 'gzip' }, [gzipSync(padded(ERROR_BODY_MAX_BYTES + 1))], false],
    ['that is not packed as it says', { 'Content-Encoding': 'gzip' }, [slowDown], false],
    ['that is packed in another way', { 'Content-Encoding': 'br' }, [slowDown], false],
    ['for another reason', {}, [body('insufficientPermissions')], false],
    ['without a reason', {}, [], false],
  ] satisfies [string, Record<string, string>, (string | Buffer)[], boolean][])(
    '%s is judged by it, and keeps its bytes: %j',
    async (_, headers, chunks, repeats) => {
      const sent = await send([answer(403, headers, chunks), OK()], { method: 'POST' });
      expect(endOf(sent)).toBe(repeats ? 200 : 403);
      const passed = await send([answer(403, headers, chunks)], { method: 'POST', retries: repeats ? 0 : 1 });
      const whole = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)));
      expect(whole.equals(await bytesOf(Object(passed.ended).body))).toBe(true);
    },
  );

  it('a 403 whose body breaks off is not judged by what came, and breaks off for the caller, too', async () => {
    async function* broken() {
      yield slowDown;
      throw new Error('cut off');
    }
    const sent = await send([answer(403, {}, broken()), OK()]);
    expect(endOf(sent)).toBe(403);
    const seen: string[] = [];
    const reading = (async () => {
      for await (const chunk of Object(sent.ended).body) seen.push(String(chunk));
    })();
    await expect(reading).rejects.toThrow('cut off');
    expect(seen).toEqual([slowDown]);
  });
});

describe('an answer that is repeated', () => {
  async function* endless(chunk: string) {
    for (;;) yield chunk;
  }

  it('an answer that is repeated is read to its end, so that its connection is free', async () => {
    const read: number[] = [];
    async function* body() {
      for (let at = 0; at < 3; at++) {
        read.push(at);
        yield 'x';
      }
    }
    const first = answer(503, {}, body());
    await send([first, OK()]);
    expect([read, first.abandon.mock.calls]).toEqual([[0, 1, 2], []]);
  });

  it.each([
    ['is longer than an error', endless('x'.repeat(1024)), 250],
    ['has one byte too many', ['x'.repeat(ERROR_BODY_MAX_BYTES), 'x'], 250],
  ])('an answer that is repeated is given up where it %s', async (_, chunks, at) => {
    const first = answer(503, {}, chunks);
    const sent = await send([first, OK()]);
    expect([first.abandon.mock.calls.length, sent.sentAtMs]).toEqual([1, [0, at]]);
  });

  it('an answer that is repeated is read to the last byte that an error may have', async () => {
    const first = answer(503, {}, ['x'.repeat(ERROR_BODY_MAX_BYTES)]);
    await send([first, OK()]);
    expect(first.abandon).not.toHaveBeenCalled();
  });

  it('an answer that is repeated is given up where its body hangs', async () => {
    let release = (): void => {};
    const hanging = new Promise<string>((_, reject) => {
      release = () => reject(new Error('abandoned'));
    });
    async function* body() {
      yield await hanging;
    }
    const first = answer(503, {}, body());
    first.abandon.mockImplementation(release);
    const sent = await send([first, OK()]);
    expect([endOf(sent), sent.sentAtMs]).toEqual([200, [0, DISCARD_TIMEOUT_MS + 250]]);
  });
});
