import { describe, expect, it } from 'vitest';
import { CallHealth } from '../../../lambdas/gateway/calls/call-health.ts';
import type { CallFault } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { REFUSALS_TO_FAIL } from '../../../lambdas/gateway/core/limits.ts';
import { connection, NOW_EPOCH_SEC } from '../support/connection.ts';

/** A process whose calls end so; the row it remembers says what is given. */
function process(row: { readonly callFault?: CallFault } = {}, failing = false) {
  const written: string[] = [];
  const note = (text: string) => {
    written.push(text);
    if (failing) throw new Error('throttled');
  };
  const callFaults = {
    mark: async (_ref: unknown, { status, reason, sinceEpochSec }: CallFault) =>
      note(`${status} ${reason} since ${sinceEpochSec - NOW_EPOCH_SEC}`),
    clear: async () => note('cleared'),
  };
  const clock = { ms: NOW_EPOCH_SEC * 1000, nowMs: () => clock.ms };
  const logger = { info: () => {}, warn: () => {}, error: () => {} };
  const health = new CallHealth({ callFaults, clock, logger });
  const ended = (status: number, reason?: string) => health.ended(connection(row), status, async () => reason);
  return { written, clock, ended };
}

const REFUSED = 'insufficientPermissions';

describe('calls of a connection', () => {
  it('calls of a connection that are refused three times in a row mark it once, since the first of them', async () => {
    const { written, clock, ended } = process();
    for (let i = 0; i < REFUSALS_TO_FAIL + 2; i++) {
      await ended(403, REFUSED);
      clock.ms += 1000;
    }
    expect(written).toEqual([`403 ${REFUSED} since 0`]);
  });

  it('calls of a connection that succeed in between, or are refused for one file, mark nothing', async () => {
    const { written, ended } = process();
    for (let i = 0; i < 4; i++) {
      await ended(403, REFUSED);
      await ended(403, REFUSED);
      await ended(200);
      await ended(403, 'insufficientFilePermissions');
      await ended(404, 'notFound');
    }
    expect(written).toEqual([]);
  });

  it('calls of a connection that succeed write nothing, unless the connection is marked: then they clear it once', async () => {
    expect(process().ended(200)).toBeUndefined();
    const marked = process({ callFault: { status: 401, reason: undefined, sinceEpochSec: NOW_EPOCH_SEC } });
    await marked.ended(200);
    expect(marked.ended(200)).toBeUndefined();
    expect(marked.written).toEqual(['cleared']);
  });

  it('calls of a connection that fail for another reason than the connection neither mark it nor clear its mark', async () => {
    const { written, ended } = process();
    for (const status of [400, 404, 429, 500, 400, 404]) await ended(status, REFUSED);
    expect(written).toEqual([]);
    const marked = process({ callFault: { status: 401, reason: undefined, sinceEpochSec: NOW_EPOCH_SEC } });
    for (const status of [400, 404, 429, 500]) expect(marked.ended(status)).toBeUndefined();
    expect(marked.written).toEqual([]);
  });

  it('calls of a connection that fail for another reason in between are no interruption', async () => {
    const { written, ended } = process();
    for (let i = 0; i < REFUSALS_TO_FAIL; i++) {
      await ended(401);
      await ended(400);
    }
    expect(written).toEqual(['401 undefined since 0']);
  });

  it('calls of a connection that work again at once clear the mark although the row in memory has none', async () => {
    const { written, ended } = process();
    for (let i = 0; i < REFUSALS_TO_FAIL; i++) await ended(401);
    await ended(200);
    expect(written).toEqual(['401 undefined since 0', 'cleared']);
  });

  it('calls of a connection end well when the table takes no mark', async () => {
    const { written, ended } = process({}, true);
    for (let i = 0; i < REFUSALS_TO_FAIL; i++) await ended(401);
    await ended(200);
    expect(written).toHaveLength(2);
  });
});
