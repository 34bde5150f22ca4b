import { describe, expect, it } from 'vitest';
import { erasePerson, loadPerson } from '../../../packages/dashboard/src/data/erase-person.ts';

const connection = (connectionId: string, userId: string) => ({ providerConfigKey: 'drive', connectionId, userId });
const CONNECTIONS = [connection('one', 'user-1'), connection('by-tag', 'user-1'), connection('of-another', 'user-2')];
/** A flow that is under way when the page is opened ends with this one. */
const LATE = connection('late', 'user-1');
const KEYS = [
  { id: 'theirs', agent: { endUserId: 'user-1', connections: [] } },
  { id: 'revoked', agent: { endUserId: 'user-1', connections: [] }, revokedAt: '2026-01-01T00:00:00Z' },
  { id: 'other', agent: { endUserId: 'user-2', connections: [] } },
  { id: 'backend' },
];

/** A gateway that remembers what was deleted, in this order. */
function gatewayOf(refused: string | undefined) {
  const done: string[] = [];
  const note = (what: string) => {
    if (what === refused) throw new Error('no network');
    done.push(what);
  };
  const batches = [
    { deleted: 500, hasMore: true },
    { deleted: 2, hasMore: false },
  ];
  const gateway = Object({
    keys: { list: async () => KEYS, revoke: async (id: string) => note(`key ${id}`) },
    connections: {
      async *all({ endUserId }: { endUserId: string }) {
        if (done.length > 0 && refused === 'second search') throw new Error('no network');
        yield* [...CONNECTIONS, ...(done.length === 0 ? [] : [LATE])].filter(({ userId }) => userId === endUserId);
      },
      async delete({ connectionId }: { connectionId: string }, { revoke }: { revoke: unknown }) {
        note(`connection ${connectionId} ${revoke}`);
        return { status: connectionId === 'one' ? 'skipped' : 'revoked' };
      },
    },
    connectSessions: {
      async deleteOf(endUserId: string) {
        note(`sessions of ${endUserId}`);
        return batches.shift();
      },
    },
  });
  return { gateway, done };
}

describe('erasing a person', () => {
  it('finds the connections of the person and the agent keys that still work', async () => {
    const person = await loadPerson(gatewayOf(undefined).gateway, 'user-1');
    expect(person.connections.map(({ connectionId }) => connectionId)).toEqual(['one', 'by-tag']);
    expect(person.agentKeys.map(({ id }) => id)).toEqual(['theirs']);
  });

  it('deletes all sessions first, then all connections that exist by then, then the keys of their assistants, and records each', async () => {
    const { gateway, done } = gatewayOf(undefined);
    const person = await loadPerson(gateway, 'user-1');
    expect(await erasePerson(gateway, person)).toEqual([
      { what: 'connect sessions', id: '', isDone: true, outcome: '502 deleted.' },
      { what: 'second search', id: '', isDone: true, outcome: 'Found 3 connections and 1 agent key.' },
      { what: 'connection', id: 'drive/one', isDone: true, outcome: expect.stringContaining('Its grant stays') },
      { what: 'connection', id: 'drive/by-tag', isDone: true, outcome: 'Deleted. Its grant was revoked at Google.' },
      { what: 'connection', id: 'drive/late', isDone: true, outcome: 'Deleted. Its grant was revoked at Google.' },
      { what: 'agent key', id: 'theirs', isDone: true, outcome: 'Revoked.' },
    ]);
    expect(done).toEqual([
      'sessions of user-1',
      'sessions of user-1',
      'connection one if_last',
      'connection by-tag if_last',
      'connection late if_last',
      'key theirs',
    ]);
  });

  it('takes the other steps when one fails, and says which', async () => {
    const { gateway, done } = gatewayOf('connection one if_last');
    const steps = await erasePerson(gateway, await loadPerson(gateway, 'user-1'));
    expect(steps.map(({ isDone }) => isDone)).toEqual([true, true, false, true, true, true]);
    expect(done).toContain('key theirs');
  });

  it('erases what the page showed when the second search fails, and does not call that complete', async () => {
    const { gateway, done } = gatewayOf('second search');
    const steps = await erasePerson(gateway, await loadPerson(gateway, 'user-1'));
    expect(steps.map(({ what, isDone }) => [what, isDone])).toEqual([
      ['connect sessions', true],
      ['second search', false],
      ['connection', true],
      ['connection', true],
      ['agent key', true],
    ]);
    expect(done).toContain('connection by-tag if_last');
  });
});
