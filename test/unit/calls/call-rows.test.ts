import { describe, expect, it } from 'vitest';
import { CALL_LOG_COUNTED_BY, CALL_LOG_ROWS_PER_DAY } from '../../../lambdas/gateway/core/limits.ts';
import { gatewayRequest } from '../support/gateway-request.ts';
import { callBooks, callerWith } from './book-support.ts';

/** Processes that log into one table; `broken` fails every count. */
function processes(number: number, broken = false) {
  const { rows, counted, clock, process } = callBooks({ broken });
  const books = Array.from({ length: number }, process);
  const request = gatewayRequest({ rawPath: '/proxy/drive/v3/files' });
  const caller = callerWith();
  /** Failed calls, spread over the processes in turns. */
  const fail = async (calls: number) => {
    for (let i = 0; i < calls; i++) {
      const call = books[i % books.length]?.begin(request);
      call?.isFrom(caller);
      await call?.ended(404, true);
    }
  };
  return { rows, failures: counted, clock, fail };
}

describe('the rows of a connection and day', () => {
  it('CL-12: the rows of a connection and day are limited for all processes together, and stand for every call', async () => {
    const { rows, fail } = processes(4);
    const calls = CALL_LOG_ROWS_PER_DAY + 8_000;
    await fail(calls);
    expect(rows.length).toBeGreaterThan(CALL_LOG_ROWS_PER_DAY);
    expect(rows.length).toBeLessThan(CALL_LOG_ROWS_PER_DAY + 4 * CALL_LOG_COUNTED_BY + 8_000 / 10 + 4);
    const stoodFor = rows.reduce((sum, { standsFor }) => sum + standsFor, 0);
    expect(Math.abs(stoodFor - calls)).toBeLessThan(4 * 10);
  });

  it('the rows of a connection and day are counted again with the next day', async () => {
    const { rows, clock, fail } = processes(2);
    await fail(CALL_LOG_ROWS_PER_DAY + 1_000);
    const before = rows.length;
    clock.ms += 24 * 3600 * 1000;
    await fail(500);
    expect(rows.length).toBe(before + 500);
  });

  it('the rows of a connection and day are limited in each process for the whole day where the count fails, with one metric for each time', async () => {
    const { rows, failures, clock, fail } = processes(1, true);
    await fail(CALL_LOG_ROWS_PER_DAY);
    clock.ms += 3600 * 1000;
    await fail(1_000);
    expect(rows.length).toBe(CALL_LOG_ROWS_PER_DAY + 100);
    expect(failures).toEqual(Array(110).fill('CallLogFailed'));
  });
});
