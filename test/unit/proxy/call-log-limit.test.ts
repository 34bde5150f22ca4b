import { describe, expect, it } from 'vitest';
import type { CallRecord } from '../../../lambdas/gateway/call-log/call-record.rules.ts';
import { CALL_LOG_COUNTED_BY, CALL_LOG_ROWS_PER_DAY } from '../../../lambdas/gateway/core/limits.ts';
import type { Caller } from '../../../lambdas/gateway/keys/authenticate-caller.ts';
import { providerOf } from '../../../lambdas/gateway/providers/index.ts';
import { CallLog, newCallNotes } from '../../../lambdas/proxy/call-notes.ts';
import { integration } from '../refresh/support/connection.ts';
import { connection, NOW_EPOCH_SEC } from '../support/connection.ts';
import { gatewayRequest } from '../support/gateway-request.ts';
import { secretKeyRecord } from '../support/secret-key.ts';

/** Processes that log into one table; `broken` fails every count. */
function processes(number: number, broken = false) {
  const rows: CallRecord[] = [];
  const counts = new Map<number, number>();
  const failures: string[] = [];
  const callLog = {
    write: async (record: CallRecord) => void rows.push(record),
    count: async (_ref: unknown, day: number, calls: number) => {
      if (broken) throw new Error('throttled');
      counts.set(day, (counts.get(day) ?? 0) + calls);
      return counts.get(day) ?? 0;
    },
  };
  const clock = { ms: NOW_EPOCH_SEC * 1000, nowMs: () => clock.ms };
  const deps = {
    callLog,
    callLogMode: 'errors' as const,
    providerOf,
    clock,
    random: { bytes: (length: number) => new Uint8Array(length), number: () => 0.5 },
    metrics: { count: (name: string) => void failures.push(name) },
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  };
  const logs = Array.from({ length: number }, () => new CallLog(deps));
  const caller: Caller = {
    key: secretKeyRecord(),
    integration: integration(),
    live: { connection: connection(), accessToken: undefined },
  };
  const request = gatewayRequest({ rawPath: '/proxy/drive/v3/files' });
  /** Failed calls, spread over the processes in turns. */
  const fail = async (calls: number) => {
    for (let i = 0; i < calls; i++) {
      await logs[i % logs.length]?.ended({ ...newCallNotes(request, clock.ms), caller }, 404, true);
    }
  };
  return { rows, failures, clock, fail };
}

describe('the rows of a connection and day', () => {
  it('CL-12: are limited for all processes together, and stand for every call', async () => {
    const { rows, fail } = processes(4);
    const calls = CALL_LOG_ROWS_PER_DAY + 8_000;
    await fail(calls);
    expect(rows.length).toBeGreaterThan(CALL_LOG_ROWS_PER_DAY);
    expect(rows.length).toBeLessThan(CALL_LOG_ROWS_PER_DAY + 4 * CALL_LOG_COUNTED_BY + 8_000 / 10 + 4);
    const stoodFor = rows.reduce((sum, { standsFor }) => sum + standsFor, 0);
    expect(Math.abs(stoodFor - calls)).toBeLessThan(4 * 10);
  });

  it('are counted anew with the next day', async () => {
    const { rows, clock, fail } = processes(2);
    await fail(CALL_LOG_ROWS_PER_DAY + 1_000);
    const before = rows.length;
    clock.ms += 24 * 3600 * 1000;
    await fail(500);
    expect(rows.length).toBe(before + 500);
  });

  it('are limited in each process where the count fails, with one metric for each time', async () => {
    const { rows, failures, fail } = processes(1, true);
    await fail(CALL_LOG_ROWS_PER_DAY + 1_000);
    expect(rows.length).toBe(CALL_LOG_ROWS_PER_DAY + 100);
    expect(failures).toEqual(Array(110).fill('CallLogFailed'));
  });
});
