import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallBook } from '../../../lambdas/gateway/calls/book.ts';
import type { LongCallLimits } from '../../../lambdas/gateway/calls/long-calls.ts';
import type { ConnectionRef } from '../../../lambdas/gateway/core/identifiers.ts';
import { LONG_CALL_MS, LONG_CALLS_SPENT_MS } from '../../../lambdas/gateway/core/limits.ts';
import { gatewayRequest } from '../support/gateway-request.ts';
import { memoryCallTotals } from '../support/memory-call-totals.ts';
import { secretKeyRecord } from '../support/secret-key.ts';
import { callBooks, callerWith } from './book-support.ts';
import { MINUTE_MS, START_MS } from './support.ts';

const REF = { accountId: 'default', integrationId: 'drive', connectionId: 'c' };
const OTHER = { ...REF, connectionId: 'other' };

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Processes alongside one table, each of which serves one call at a time. */
function processes(limits: Partial<LongCallLimits>, broken = false) {
  const totals = memoryCallTotals();
  const counted: unknown[] = [];
  const warned: unknown[] = [];
  const { deps } = callBooks();
  const books = {
    ...deps,
    totals: broken ? { add: () => Promise.reject(new Error('throttled')) } : totals,
    clock: { nowMs: () => Date.now() },
    logger: { info() {}, error() {}, warn: (...line: unknown[]) => void warned.push(line) },
    metrics: { count: (name: string, dimensions?: unknown) => void counted.push([name, dimensions]) },
  };
  const process = () => {
    const book = new CallBook(books, {
      ...{ perKey: 0, perConnection: 0, perAddress: 0, longPerKey: 0, longPerConnection: 0 },
      ...limits,
    });
    const watch = (keyHash: string, ref: ConnectionRef) => {
      const call = book.begin(gatewayRequest({}));
      call.isFrom({ ...callerWith(ref), key: secretKeyRecord({ keyHash }) });
      const { signal } = call;
      if (signal === undefined) throw new Error('A call under way has a signal');
      return { signal, end: () => call.ended(200, true) };
    };
    return { watch };
  };
  return { totals, counted, warned, process };
}

const run = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('long calls (DS-8)', () => {
  it('DS-8: short calls cost no write, however many there are', async () => {
    const { totals, process } = processes({ longPerKey: 1, longPerConnection: 1 });
    const one = process();
    for (let i = 0; i < 50; i++) {
      const watch = one.watch('key', REF);
      await run(LONG_CALL_MS - 1);
      expect(watch.end()).toBeUndefined();
    }
    expect(totals.reports).toEqual([]);
  });

  it('DS-8: one more than a key may have is ended after ten seconds; those before it continue', async () => {
    const { process, counted } = processes({ longPerKey: 2 });
    const watches = ['a', 'b', 'c'].map((connectionId) => process().watch('key', { ...REF, connectionId }));
    await run(LONG_CALL_MS);
    expect(watches.map(({ signal }) => signal.aborted)).toEqual([false, false, true]);
    expect(watches[2]?.signal.reason).toMatchObject({ name: 'TooManyLongCalls' });
    expect(counted).toEqual([['RateLimited', { limit: 'long_calls_of_key' }]]);
    await run(10 * MINUTE_MS);
    expect(watches.map(({ signal }) => signal.aborted)).toEqual([false, false, true]);
  });

  it('DS-8: a connection has a limit of its own, and another one is not touched', async () => {
    const { process } = processes({ longPerKey: 10, longPerConnection: 1 });
    const watches = [REF, REF, OTHER].map((ref) => process().watch('key', ref));
    await run(LONG_CALL_MS);
    expect(watches.map(({ signal }) => signal.aborted)).toEqual([false, true, false]);
  });

  it('DS-8: a call counts for as long as it runs, in every minute', async () => {
    const { process } = processes({ longPerKey: 1 });
    const first = process().watch('key', REF);
    await run(7 * MINUTE_MS);
    const second = process().watch('key', OTHER);
    await run(LONG_CALL_MS);
    expect([first.signal.aborted, second.signal.aborted]).toEqual([false, true]);
  });

  it('DS-8: a call that has ended is removed only from what is still expected, and is reported no more', async () => {
    const { process, totals } = processes({ longPerKey: 1 });
    const watch = process().watch('key', REF);
    await run(5.75 * MINUTE_MS);
    const told = totals.reports.length;
    await watch.end();
    await run(5 * MINUTE_MS);
    const first = totals.reports[0]?.window ?? 0;
    const out = totals.reports.slice(told).map(({ window, calls }) => [window - first, calls]);
    expect(out).toEqual([
      [5, -1],
      [6, -1],
    ]);
  });

  it('DS-8: the refusal of a connection says whose calls they are, and when to come again', async () => {
    const { process, counted } = processes({ longPerKey: 9, longPerConnection: 1 });
    const [first, second] = [process(), process()];
    first.watch('key', REF);
    const { signal } = second.watch('key', REF);
    await run(LONG_CALL_MS);
    expect(signal.reason).toMatchObject({ message: 'Too many long calls of this key or connection are under way' });
    expect(() => second.watch('another', REF)).toThrow(
      expect.objectContaining({
        message:
          'This connection already has 1 calls that have run for 10 seconds or longer. Wait until some of them end; a deployment sets the limit with gateway:longCallsPerConnection.',
        rate: { policy: 'long_calls_of_connection', quota: 1, windowSec: undefined, left: 0, resetSec: 10 },
      }),
    );
    expect(counted).toEqual(Array(2).fill(['RateLimited', { limit: 'long_calls_of_connection' }]));
  });

  it('DS-8: a process that met too many refuses the next ones at once, for ten seconds, and no other key’s', async () => {
    const { process } = processes({ longPerKey: 1 });
    const [first, second] = [process(), process()];
    first.watch('key', REF);
    second.watch('key', REF);
    await run(LONG_CALL_MS);
    expect(() => second.watch('key', OTHER)).toThrow(
      expect.objectContaining({
        code: 'rate_limited',
        retryAfterSec: 10,
        message: expect.stringMatching(/^This secret key already has 1 calls .* gateway:longCallsPerKey\.$/),
      }),
    );
    expect(() => second.watch('another', REF)).not.toThrow();
    await run(LONG_CALLS_SPENT_MS);
    expect(() => second.watch('key', OTHER)).not.toThrow();
  });

  it('DS-8: a call that has ended makes room, also across minutes', async () => {
    const { process } = processes({ longPerKey: 1 });
    for (let i = 0; i < 5; i++) {
      const watch = process().watch('key', REF);
      await run(LONG_CALL_MS + i * 45_000);
      expect(watch.signal.aborted, `call ${i}`).toBe(false);
      await watch.end();
    }
  });

  it('DS-8: a process that dies leaves its call in the count for two minutes at most', async () => {
    const { process } = processes({ longPerKey: 1 });
    const dying = process().watch('key', REF);
    await run(LONG_CALL_MS);
    vi.clearAllTimers();
    const next = process().watch('key', REF);
    await run(LONG_CALL_MS);
    expect([dying.signal.aborted, next.signal.aborted]).toEqual([false, true]);
    await next.end();
    await run(2 * MINUTE_MS);
    const later = process().watch('key', REF);
    await run(LONG_CALL_MS);
    expect(later.signal.aborted).toBe(false);
  });

  it('long calls are not limited with 0, and stopped by no count that cannot be written', async () => {
    const { process, totals } = processes({});
    const unlimited = process().watch('key', REF);
    await run(MINUTE_MS);
    expect([unlimited.signal.aborted, totals.reports.length]).toEqual([false, 0]);
    const broken = processes({ longPerKey: 1, longPerConnection: 1 }, true);
    const watch = broken.process().watch('key', REF);
    await run(3 * MINUTE_MS);
    expect(watch.signal.aborted).toBe(false);
    await watch.end();
    expect(new Set(broken.warned.map((line) => JSON.stringify(line)))).toEqual(
      new Set([JSON.stringify(['a long call could not be counted', { outcome: 'Error' }])]),
    );
  });
});
