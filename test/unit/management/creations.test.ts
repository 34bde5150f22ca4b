import { describe, expect, it } from 'vitest';
import { MemoryTable } from '../../../dev/support/memory-table.ts';
import { GatewayError } from '../../../lambdas/gateway/core/errors.ts';
import { createWithin } from '../../../lambdas/management/creations/create-within.ts';
import { creationGate } from '../../../lambdas/management/creations/creation-gate.store.ts';
import { requestNotes } from '../../../lambdas/management/creations/request-notes.store.ts';

const NOW_SEC = 1_795_435_200;

/** A table whose first write is carried out, and sent again because its reply was lost. */
function withLostReply(memory: MemoryTable) {
  let isLost = false;
  return memory.through(async (call) => {
    if (isLost) return call();
    isLost = true;
    await call();
    return call();
  });
}

describe('a write whose reply is lost and that is sent again', () => {
  it('enters the gate of creations', async () => {
    const memory = new MemoryTable();
    const entered = await creationGate(withLostReply(memory)).enter('default', 'webhook');
    expect(entered).toMatchObject({ recent: [] });
    await entered?.leave('w-1');
    expect(await creationGate(memory.table).enter('default', 'webhook')).toMatchObject({ recent: ['w-1'] });
  });

  it('begins the request of an Idempotency-Key, which is not answered as one that another carries out', async () => {
    const memory = new MemoryTable();
    const begin = (table = memory.table) => requestNotes(table).begin('default', 'digest', 'request', NOW_SEC);
    expect(await begin(withLostReply(memory))).toMatchObject({ kind: 'begun' });
    expect(await begin()).toEqual({ kind: 'running' });
  });
});

describe('a creation whose gate cannot be closed', () => {
  const gate = {
    enter: async () => ({ recent: [], leave: () => Promise.reject(new Error('the table is away')) }),
  };

  it('still gives what was made', async () => {
    const made = { id: 'key-1', secret: 'shown only once' };
    expect(await createWithin(gate, 'default', 'secret_key', async () => made)).toEqual(made);
  });

  it('keeps the words of a refusal', async () => {
    const refusal = new GatewayError('conflict', 'There are as many as there may be.');
    await expect(createWithin(gate, 'default', 'secret_key', () => Promise.reject(refusal))).rejects.toBe(refusal);
  });
});
