import { describe, expect, it } from 'vitest';
import type { CallLogClearing, Clearing } from '../../../lambdas/gateway/calls/ports.ts';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { CALL_LOG_CLEARING_DELAY_SEC, CALL_LOG_CLEARING_ROUNDS } from '../../../lambdas/gateway/core/limits.ts';
import { clearCallLog } from '../../../lambdas/refresh/housekeeping.ts';
import { connection } from '../support/connection.ts';

const NOW_MS = Date.parse('2026-03-01T12:00:00.000Z');
const REF = { accountId: 'default', integrationId: 'drive', connectionId: 'c-1' };

/** One tick over one noted deletion, with so many batches of rows left. */
async function tick(noted: { agoSec: number; batches: number }, found: Connection | Error | undefined) {
  const clearing: Clearing = { ...REF, notedAtMs: NOW_MS - noted.agoSec * 1000 };
  const done: Clearing[] = [];
  const clearedBefore: number[] = [];
  const errors: unknown[][] = [];
  const callLog: CallLogClearing = {
    pending: async () => [clearing],
    async clearSome(_ref, beforeMs) {
      clearedBefore.push(beforeMs);
      return clearedBefore.length < noted.batches;
    },
    async done(one) {
      done.push(one);
    },
  };
  const note = (...line: unknown[]) => errors.push(line);
  const logger = { info: note, warn: note, error: note };
  const read = async () => {
    if (found instanceof Error) throw found;
    return found;
  };
  const connections = { read };
  const nothing = { clearSome: async () => false };
  const clock = { nowMs: () => NOW_MS };
  await clearCallLog({ callLog, clearings: [nothing], connections, clock, logger }, 'tick');
  return { clearedBefore, done, errors };
}

const PAST = CALL_LOG_CLEARING_DELAY_SEC + 1;

describe('rows of a deleted connection', () => {
  it('CL-15: rows of a deleted connection go, to the last, once no process serves the connection any more', async () => {
    const gone = await tick({ agoSec: PAST, batches: 3 }, connection({ status: 'deleted' }));
    expect(gone).toMatchObject({ clearedBefore: [NOW_MS, NOW_MS, NOW_MS], done: [REF], errors: [] });
    expect(await tick({ agoSec: PAST, batches: 1 }, undefined)).toMatchObject({ done: [REF] });
  });

  it('CL-15: rows of a deleted connection go from the last second of the delay on, and not when the connection is as old as the note', async () => {
    const agoSec = CALL_LOG_CLEARING_DELAY_SEC;
    expect(await tick({ agoSec, batches: 1 }, undefined)).toMatchObject({ done: [REF] });
    const createdAt = new Date(NOW_MS - agoSec * 1000).toISOString();
    expect((await tick({ agoSec, batches: 1 }, connection({ createdAt }))).clearedBefore).toEqual([]);
  });

  it('rows of a deleted connection stay, and fail nothing, when the table is away', async () => {
    const away = new Error('throttled');
    const line = ['the call log could not be cleared', { requestId: 'tick' }, away];
    expect(await tick({ agoSec: PAST, batches: 1 }, away)).toEqual({ clearedBefore: [], done: [], errors: [line] });
  });

  it('CL-15: rows of a deleted connection stay while a late row may still be written', async () => {
    const early = await tick({ agoSec: CALL_LOG_CLEARING_DELAY_SEC - 1, batches: 1 }, undefined);
    expect(early).toEqual({ clearedBefore: [], done: [], errors: [] });
  });

  it('CL-15: rows of a deleted connection are as many as a tick has room for; the next continues', async () => {
    const cut = await tick({ agoSec: PAST, batches: CALL_LOG_CLEARING_ROUNDS + 1 }, undefined);
    expect(cut.clearedBefore).toHaveLength(CALL_LOG_CLEARING_ROUNDS);
    expect(cut.done).toEqual([]);
  });

  it('rows of a deleted connection stay when the connection was not deleted after all', async () => {
    const kept = await tick({ agoSec: PAST, batches: 1 }, connection({ createdAt: '2026-01-01T00:00:00.000Z' }));
    expect(kept).toMatchObject({ clearedBefore: [], done: [REF] });
  });

  it('rows of a deleted connection go without those of a connection that has the same name since', async () => {
    const createdAt = new Date(NOW_MS - 60_000).toISOString();
    const cleared = await tick({ agoSec: PAST, batches: 1 }, connection({ createdAt }));
    expect(cleared).toMatchObject({ clearedBefore: [NOW_MS - 60_000], done: [REF] });
  });
});
