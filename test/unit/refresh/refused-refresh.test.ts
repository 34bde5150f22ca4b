import { expect, test, vi } from 'vitest';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { GatewayError } from '../../../lambdas/gateway/core/errors.ts';
import { REFUSED_SEC_TO_REPORT } from '../../../lambdas/gateway/core/limits.ts';
import type { TokenCallResult } from '../../../lambdas/gateway/tokens/ports.ts';
import { callerProcess, working } from './support/caller-world.ts';
import { connection, integration, START_SEC } from './support/connection.ts';
import {
  answer,
  answers,
  DEATH,
  direct,
  INVALID_GRANT,
  LOST,
  refreshWorld,
  tokens,
  UNSENT,
} from './support/refresh-world.ts';

const UNKNOWN = answer(403, { error: 'something_new' });
const INTERNAL = answer(403, { error: 'org_internal' });
const HOUR = 3600;

/** A connection whose token has expired, its provider, and what its caller reads in one process. */
function refusedWorld(...given: readonly TokenCallResult[]) {
  const world = refreshWorld(connection(), integration(), answers(...given));
  const other = callerProcess(world, 'other');
  return {
    ...world,
    /** What a call ends with: nothing, or the gateway's code and words. */
    async called(process = callerProcess(world, 'first')): Promise<string> {
      try {
        await process.call();
        return 'served';
      } catch (error) {
        if (error instanceof GatewayError) return `${error.code}: ${error.message}`;
        throw error;
      }
    },
    other,
    types: () => world.table.events.map(({ eventType }) => eventType),
  };
}

test('a refresh that is refused three times in a row is reported once, in the provider’s word', async () => {
  const { refresh, clock, table, types } = refusedWorld(UNKNOWN);
  for (let round = 1; round <= 6; round++) {
    expect(await refresh()).toMatchObject({ kind: 'transient', reason: 'something_new', refused: true });
    expect(table.row?.refreshRefusal).toMatchObject({ count: round, error: 'something_new', sinceEpochSec: START_SEC });
    expect(types()).toEqual(round < 3 ? [] : ['ConnectionRefreshRefused']);
    expect(table.row?.refreshLease).toBeUndefined();
    clock.advance(2 * HOUR);
  }
  expect(table.events[0]).toMatchObject({
    sequence: 2,
    health: 'refused_by_provider',
    says: { provider_error: 'something_new' },
    remedy: expect.stringContaining('answers "something_new"'),
  });
  expect(table.row).toMatchObject({ status: 'active', sequence: 2, failureCount: 6 });
});

test.each<[string, readonly TokenCallResult[]]>([
  ['an answer that is no JSON', [answer(403, '<html>')]],
  ['an error of the provider that passes', [answer(400, { error: 'rate_limit_exceeded' })]],
  ['a success that cannot be read', [answer(200, 'not json')]],
  ['different answers', [answer(500, {}), answer(403, '<html>'), answer(429, {})]],
])('%s is reported after a day, and not before', async (_, given) => {
  const { refresh, clock, types, table } = refusedWorld(...given);
  await refresh();
  for (let passed = 0; passed < REFUSED_SEC_TO_REPORT - HOUR; passed += HOUR) {
    clock.advance(HOUR);
    expect(await refresh()).not.toHaveProperty('refused');
  }
  expect(types()).toEqual([]);
  clock.advance(HOUR);
  expect(await refresh()).toMatchObject({ kind: 'transient', refused: true });
  expect(types()).toEqual(['ConnectionRefreshRefused']);
  expect(table.events[0]?.says?.provider_error).toBe(table.row?.refreshRefusal?.error);
});

test('a provider that gives no answer at all has refused nobody', async () => {
  for (const given of [LOST, UNSENT]) {
    const { refresh, clock, types } = refusedWorld(given);
    for (let hours = 0; hours < 30; hours++) {
      await refresh();
      clock.advance(HOUR);
    }
    expect(types()).toEqual([]);
  }
});

test('a provider that is busy in between neither counts nor takes away what it has said', async () => {
  const { refresh, clock, types, table } = refusedWorld(
    ...[UNKNOWN, answer(503, {})],
    // A call without an answer is repeated once.
    ...[LOST, LOST, UNKNOWN, UNSENT, UNSENT, INTERNAL],
  );
  for (let round = 0; round < 5; round++) {
    await refresh();
    expect(table.row?.refreshRefusal?.error).toBe('something_new');
    clock.advance(2 * HOUR);
  }
  expect(types()).toEqual([]);
  await refresh();
  expect(types()).toEqual(['ConnectionRefreshRefused']);
  expect(table.row?.refreshRefusal).toMatchObject({ error: 'org_internal', count: 3 });
});

test('what is reported is the connection’s health until a refresh succeeds, which one event says', async () => {
  const { refresh, clock, types, table } = refusedWorld(INTERNAL, INTERNAL, INTERNAL, tokens(), UNKNOWN);
  for (let round = 0; round < 4; round++) {
    await refresh();
    clock.advance(2 * HOUR);
  }
  expect(types().toSorted()).toEqual(['ConnectionRefreshRecovered', 'ConnectionRefreshRefused']);
  const recovered = table.events.find(({ eventType }) => eventType === 'ConnectionRefreshRecovered');
  expect(recovered).toMatchObject({ sequence: 3, health: 'active', says: { provider_error: 'org_internal' } });
  expect(table.item).not.toHaveProperty('refreshRefusal');
  expect(table.row).toMatchObject({ sequence: 3, failureCount: 0 });
  // The next one begins again.
  clock.advance(2 * HOUR);
  await refresh();
  expect(table.row?.refreshRefusal).toMatchObject({ error: 'something_new', count: 1 });
});

test('a success before the report sends no event', async () => {
  const { refresh, clock, types, table } = refusedWorld(INTERNAL, INTERNAL, tokens());
  for (let round = 0; round < 3; round++) {
    await refresh();
    clock.advance(2 * HOUR);
  }
  expect(types()).toEqual([]);
  expect(table.item).not.toHaveProperty('refreshRefusal');
});

test('a death ends it: there is one state at a time', async () => {
  const { refresh, clock, types, table } = refusedWorld(INTERNAL, INTERNAL, INTERNAL, INVALID_GRANT);
  for (let round = 0; round < 4; round++) {
    await refresh();
    clock.advance(2 * HOUR);
  }
  expect(types().toSorted()).toEqual(['ConnectionReauthorizationRequired', 'ConnectionRefreshRefused']);
  expect(table.item).not.toHaveProperty('refreshRefusal');
});

test.each(['connections.reportRefusal', 'another event'])(
  'what cannot be reported (%s) is reported with a later refusal',
  async (why) => {
    const { refresh, clock, types, table, failing, logged } = refusedWorld(UNKNOWN);
    for (let round = 0; round < 3; round++) {
      if (round === 2 && why === 'connections.reportRefusal') failing.add(why);
      if (round === 2 && why === 'another event' && table.row !== undefined) {
        const known = table.row;
        table.row = { ...known, sequence: 7 };
        expect(await refresh({}, known)).toMatchObject({ refused: true });
      } else expect(await refresh()).toMatchObject({ refused: true });
      clock.advance(2 * HOUR);
    }
    expect(table.row).toMatchObject({ refreshLease: undefined, refreshRefusal: { count: 3 } });
    failing.clear();
    const line = ['error', 'a refusal could not be reported', { requestId: 'request-1' }, `${why} is away`];
    expect(logged.filter(([level]) => level === 'error')).toEqual(why === 'another event' ? [] : [line]);
    expect(types()).toEqual(why === 'another event' ? ['ConnectionRefreshRefused'] : []);
    await refresh();
    expect(types()).toEqual(['ConnectionRefreshRefused']);
  },
);

/** A world that must report its next refusal, and the tries to do so; `change` replaces the row before each try. */
async function aboutToTell(change: (row: Connection) => Connection | undefined) {
  const world = refusedWorld(UNKNOWN);
  for (let round = 0; round < 2; round++) {
    await world.refresh();
    world.clock.advance(2 * HOUR);
  }
  const { connections } = world.deps(direct);
  const tell = connections.reportRefusal;
  const reportRefusal = vi.spyOn(connections, 'reportRefusal').mockImplementation((...told) => {
    const { row } = world.table;
    if (row !== undefined) world.table.row = change(row);
    return tell(...told);
  });
  const refresher = world.refresher('me', direct, { connections });
  const options = { wait: false, force: false, requestId: 'request-1' };
  const { row = connection() } = world.table;
  return { ...world, reportRefusal, tell: () => refresher.refresh(row, integration(), options) };
}

test('a refusal is reported by the write that gives the lease back, and by no other', async () => {
  const { tell, types, table, failing, logged } = await aboutToTell((row) => row);
  failing.add('connections.releaseLease');
  expect(await tell()).toMatchObject({ reason: 'something_new', refused: true });
  expect([types(), table.row?.refreshLease]).toEqual([['ConnectionRefreshRefused'], undefined]);
  expect(logged.filter(([level]) => level === 'error')).toEqual([]);
});

test('a refusal that events of others outrun three times is reported another time, and the lease goes back', async () => {
  const world = await aboutToTell((row) => ({ ...row, sequence: row.sequence + 1 }));
  expect(await world.tell()).toMatchObject({ reason: 'something_new', refused: true });
  expect([world.reportRefusal.mock.calls.length, world.types()]).toEqual([3, []]);
  expect(world.table.row).toMatchObject({ refreshLease: undefined, refreshRefusal: { count: 3 } });
});

test.each<[string, (row: Connection) => Connection | undefined]>([
  ['is gone', () => undefined],
  ['has another holder', (row) => ({ ...row, epoch: row.epoch + 1, sequence: 7 })],
  ['has died', (row) => ({ ...row, sequence: 7, status: 'reauthorization_required', death: DEATH })],
])('a refusal of a connection that %s meanwhile is not reported again', async (_, change) => {
  const { tell, reportRefusal, types, logged } = await aboutToTell(change);
  expect(await tell()).toMatchObject({ refused: true });
  expect([reportRefusal.mock.calls.length, types()]).toEqual([1, []]);
  expect(logged.filter(([level]) => level === 'error')).toEqual([]);
});

test('an operator who asks for a dead connection gets the refusal, which is nothing to tell of it', async () => {
  const { refresh, table, types, clock } = refusedWorld(UNKNOWN);
  table.row = connection({ status: 'reauthorization_required', death: DEATH });
  for (let round = 0; round < 4; round++) {
    expect(await refresh({ force: true })).toMatchObject({ kind: 'transient', reason: 'something_new', refused: true });
    expect(table.item).not.toHaveProperty('refreshRefusal');
    clock.advance(2 * HOUR);
  }
  expect(types()).toEqual([]);
});

test('every 503 says the same while it lasts, the first and the next, in this process and another', async () => {
  const { called, clock, other, asked, refresh } = refusedWorld(INTERNAL);
  const words = await called();
  expect(words).toMatch(
    /^token_refresh_unavailable: Google does not renew the token .*\(org_internal\): the app admits/,
  );
  const first = asked.length;
  expect(await called()).toBe(words);
  // More often than the row is read again: by what the process itself has heard.
  for (let again = 0; again < 2; again++) {
    expect(await refresh({}, connection())).toMatchObject({ reason: 'org_internal', refused: true });
    expect(await called(other)).toBe(words);
  }
  expect(asked).toHaveLength(first);
  for (let round = 0; round < 4; round++) {
    clock.advance(HOUR);
    expect(await called(other)).toBe(words);
    expect(await called()).toBe(words);
  }
});

/** Failures of Google's token endpoint, with the error code for callers whose access token Google's API refuses. */
const FAILURES: readonly (readonly [kind: string, answered: TokenCallResult, code: string])[] = [
  ['a dead grant', INVALID_GRANT, 'reauthorization_required'],
  ['an administrator', answer(400, { error: 'admin_policy_enforced' }), 'reauthorization_required'],
  ['Advanced Protection', answer(400, { error: 'policy_enforced' }), 'reauthorization_required'],
  ['a deleted client', answer(401, { error: 'deleted_client' }), 'integration_credentials_rejected'],
  ['a wrong secret', answer(401, { error: 'invalid_client' }), 'integration_credentials_rejected'],
  ['another client’s token', answer(401, { error: 'unauthorized_client' }), 'token_refresh_unavailable'],
  ['an unknown error', UNKNOWN, 'token_refresh_unavailable'],
  ['a 503', answer(503, {}), 'token_refresh_unavailable'],
  ['a 429', answer(429, {}, '30'), 'token_refresh_unavailable'],
  ['HTML', answer(403, '<html>'), 'token_refresh_unavailable'],
  ['a success without token', answer(200, {}), 'token_refresh_unavailable'],
  ['no answer', LOST, 'token_refresh_unavailable'],
  ['no connection', UNSENT, 'token_refresh_unavailable'],
];

/** Who meets the failure: the call that asked, the next one within the cool-down, and one of a process that has asked nothing. */
const MEETINGS = [
  'the call that asks',
  'the next call',
  'a call of another process',
  'a call half a minute later',
] as const;

test.each(FAILURES.flatMap((failure) => MEETINGS.map((meeting) => [...failure, meeting] as const)))(
  'TK-6: after a 401 of the API, %s at the token endpoint is the gateway’s answer, never Google’s 401',
  async (_, answered, code, meeting) => {
    const world = refreshWorld(
      working(HOUR, { lastRefreshedAtEpochSec: START_SEC - 100 }),
      integration(),
      () => answered,
    );
    const [first, other] = [callerProcess(world, 'first'), callerProcess(world, 'other')];
    const told = async (process: typeof first): Promise<string> => {
      try {
        return (await process.refusal()) === undefined ? '401' : 'served';
      } catch (error) {
        if (error instanceof GatewayError) return error.code;
        throw error;
      }
    };
    const asking = await told(first);
    if (meeting === 'a call half a minute later') world.clock.advance(31);
    expect(
      meeting === 'the call that asks' ? asking : await told(meeting === 'a call of another process' ? other : first),
    ).toBe(code);
  },
);

test('TK-6: a token that was renewed and is still refused is Google’s to explain', async () => {
  const world = refreshWorld(working(HOUR), integration(), answers(tokens()));
  const process = callerProcess(world);
  expect(await process.refusal()).toMatchObject({ accessToken: 'access-1' });
  expect(await process.refusal()).toBeUndefined();
});
