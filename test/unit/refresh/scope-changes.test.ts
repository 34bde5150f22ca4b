import { describe, expect, test } from 'vitest';
import { connection, integration, START_SEC } from './support/connection.ts';
import { DEATH, direct, refreshWorld, tokens, type World } from './support/refresh-world.ts';

const GOOGLE = 'https://www.googleapis.com/auth/';
const READ = `${GOOGLE}drive.readonly`;
const FILE = `${GOOGLE}drive.file`;
const ONCE = { wait: false, force: false, requestId: 'run-7' };

/** A world whose provider answers refreshes with these scopes. */
function worldOf(granted: readonly string[], scope: string | undefined, more: Record<string, unknown> = {}): World {
  return refreshWorld(connection({ grantedScopes: granted }), integration(), () => tokens({ scope, ...more }));
}

const refresh = (world: World, step = direct) =>
  world.refresher('a', step).refresh(world.table.row ?? connection(), integration(), ONCE);
const told = ({ table }: World) =>
  table.events.map(({ eventType, cause, sequence, requestId }) => [eventType, cause, sequence, requestId]);

describe('a refresh that answers with other scopes (LG-5)', () => {
  test.each([
    [[READ, FILE], READ, 'scopes_lost', [READ]],
    [[READ], `${READ} ${FILE}`, 'scopes_gained', [READ, FILE]],
    [[READ], FILE, 'scopes_gained_and_lost', [FILE]],
  ])(
    'LG-5: a refresh that answers with other scopes from %j to %s is reported once as %s, with the write of the tokens',
    async (before, scope, cause, after) => {
      const world = worldOf(before, scope);
      const outcome = await refresh(world);
      expect(told(world)).toEqual([['ConnectionScopesChanged', cause, 2, 'run-7']]);
      expect(world.counted).toEqual(['Refresh fresh none']);
      const stored = { encryptedAccessToken: 'enc:access-1', grantedScopes: after, sequence: 2 };
      expect(world.table.row).toMatchObject({ ...stored, refreshLease: undefined });
      expect(outcome).toMatchObject({ kind: 'fresh', connection: { grantedScopes: after, sequence: 2 } });
      world.table.row = connection({ ...world.table.row, accessTokenExpiresAtEpochSec: 1 });
      await refresh(world);
      expect(world.table.events).toHaveLength(1);
    },
  );

  test.each([
    ['says nothing of scopes', [READ], undefined],
    ['has them in another order', [READ, FILE], `${FILE} ${READ}`],
    ['spells them otherwise', ['email', READ], `${GOOGLE}userinfo.email ${READ}`],
    ['repeats one', [READ], `${READ} ${READ}`],
  ])('LG-5: one that %s is a plain write without an event', async (_, before, scope) => {
    const world = worldOf(before, scope);
    expect(await refresh(world)).toMatchObject({ kind: 'fresh', connection: { sequence: 1 } });
    expect(world.table.events).toEqual([]);
    expect(world.table.row).toMatchObject({ encryptedAccessToken: 'enc:access-1', sequence: 1 });
  });

  test('F82: an event written while the lease was held keeps its number, and the change takes the next', async () => {
    const world = worldOf([READ, FILE], READ);
    let between = false;
    await refresh(world, async (effect) => {
      const { row } = world.table;
      if (!between && row?.refreshLease !== undefined) {
        between = true;
        world.table.row = { ...row, sequence: row.sequence + 1 };
      }
      return effect();
    });
    expect(told(world)).toEqual([['ConnectionScopesChanged', 'scopes_lost', 3, 'run-7']]);
    expect(world.table.row?.sequence).toBe(3);
  });

  test('F13, F80: a write whose reply is lost is known as its own, with one event', async () => {
    const world = worldOf([READ, FILE], READ);
    let lost = false;
    const outcome = await refresh(world, async (effect) => {
      const before = world.table.events.length;
      const result = await effect();
      if (!lost && world.table.events.length > before) {
        lost = true;
        throw new Error('The reply is lost');
      }
      return result;
    });
    expect(lost).toBe(true);
    expect(outcome).toMatchObject({ kind: 'fresh', accessToken: 'access-1', connection: { sequence: 2 } });
    expect(told(world)).toEqual([['ConnectionScopesChanged', 'scopes_lost', 2, 'run-7']]);
  });

  test('F09: a holder that was overtaken writes neither tokens nor event', async () => {
    const world = worldOf([READ, FILE], READ);
    const newer = { epoch: 3, tokenEpoch: 3, refreshLease: undefined, encryptedAccessToken: 'enc:other' };
    await refresh(world, async (effect) => {
      const { row } = world.table;
      if (row?.epoch === 2) world.table.row = { ...row, ...newer, accessTokenExpiresAtEpochSec: START_SEC + 3000 };
      return effect();
    });
    expect(world.table.events).toEqual([]);
    expect(world.table.row).toMatchObject({ encryptedAccessToken: 'enc:other', grantedScopes: [READ, FILE] });
  });

  test('F22: a connection deleted meanwhile stays as it is', async () => {
    const world = worldOf([READ, FILE], READ);
    const outcome = await refresh(world, async (effect) => {
      const { row } = world.table;
      if (row?.epoch === 2) world.table.row = { ...row, epoch: 3, status: 'deleted', encryptedAccessToken: undefined };
      return effect();
    });
    expect(outcome.kind).toBe('gone');
    expect(world.table.events).toEqual([]);
    expect(world.table.row?.encryptedAccessToken).toBeUndefined();
  });

  test('one that brings a dead connection back reports both, in order', async () => {
    const world = worldOf([READ, FILE], READ);
    world.table.row = connection({ grantedScopes: [READ, FILE], status: 'reauthorization_required', death: DEATH });
    const options = { ...ONCE, force: true };
    await world.refresher('a', direct).refresh(world.table.row, integration(), options);
    expect(told(world)).toEqual([
      ['ConnectionRecovered', 'user_revoked', 2, 'run-7'],
      ['ConnectionScopesChanged', 'scopes_lost', 3, 'run-7'],
    ]);
    expect(world.table.row).toMatchObject({ status: 'active', grantedScopes: [READ], sequence: 3 });
  });
});
