import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { connectionToItem } from '../../../lambdas/gateway/connections/connection-item.store.ts';
import { CLIENT_SUSPICION_WINDOW_SEC } from '../../../lambdas/gateway/core/limits.ts';
import { type SuspectedFault, suspect } from '../../../lambdas/gateway/integrations/client-fault.rules.ts';
import type { TokenCallResult } from '../../../lambdas/gateway/tokens/ports.ts';
import { connection, integration, START_SEC } from './support/connection.ts';
import { answer, direct, refreshWorld, type Step, tokens } from './support/refresh-world.ts';

const ONCE = { wait: false, force: false, requestId: 'test' };
const TOKENS = tokens();
const UNLISTED = answer(403, { error: 'something_new' });

/** Connections of one integration, each refreshed by a process of its own. */
function users(answers: (connectionId: string) => TokenCallResult) {
  const asked: string[] = [];
  const world = refreshWorld(undefined, integration(), (id) => {
    asked.push(id);
    return answers(id);
  });
  const { table, stores, clock } = world;
  const counted = { integrationWrites: 0, extraCalls: 0 };
  const step: Step = (call, isShared) => {
    const app = () => table.memory.ofType('integration')[0];
    const before = app();
    const answered = call();
    if (app() !== before) counted.integrationWrites++;
    if (!isShared) counted.extraCalls++;
    return answered;
  };
  return {
    table,
    counted,
    asked,
    row: (id: string) => stores.connections.read(connection({ connectionId: id })),
    types: () => table.integrationEvents.map(({ eventType }) => eventType),
    later: clock.advance,
    /** The process has read the integration just now, as a scheduled run does, unless it remembers an older one. */
    async refresh(id: string, remembered = table.integration ?? integration()) {
      const first = connection({ connectionId: id, encryptedRefreshToken: `enc:${id}` });
      const row = await stores.connections.read(first);
      if (row === undefined) table.memory.put(connectionToItem(first));
      return world.refresher(id, step).refresh(row ?? first, remembered, ONCE);
    },
  };
}

describe('TK-4: an answer for one end user', () => {
  test.each([
    ['access_denied', 400, 'Account restricted', 'dead'],
    ['invalid_grant', 400, 'Account has been deleted', 'dead'],
    ['unauthorized_client', 401, 'Unauthorized', 'transient'],
    ['invalid_scope', 400, 'Bad Request', 'transient'],
    ['something_new', 403, 'Never seen before', 'transient'],
  ])('%s never pauses, marks or slows another’s calls', async (error, status, error_description, kind) => {
    const { table, refresh, asked } = users((id) =>
      id === 'unlucky' ? answer(status, { error, error_description }) : TOKENS,
    );
    expect(await refresh('unlucky')).toMatchObject({ kind });
    expect(table.integration?.clientFault).toBeUndefined();
    for (const id of ['a', 'b', 'c']) expect(await refresh(id)).toMatchObject({ kind: 'fresh' });
    expect(asked).toEqual(['unlucky', 'a', 'b', 'c']);
    expect(table.integrationEvents).toEqual([]);
  });

  test('an answer for one end user that is in no list keeps the connection alive and makes it wait longer each time, alone', async () => {
    const { refresh, row, asked, later } = users(() => UNLISTED);
    const waits: number[] = [];
    for (let round = 0; round < 10; round++) {
      const outcome = await refresh('unlucky');
      expect(outcome).toMatchObject({ kind: 'transient', reason: 'something_new', refused: true });
      const waitSec = outcome.kind === 'transient' ? outcome.retryAfterSec : 0;
      expect(await refresh('unlucky'), 'not asked before its time').toMatchObject({ kind: 'transient' });
      waits.push(waitSec);
      later(waitSec);
    }
    expect(asked).toHaveLength(10);
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(waits.at(-1)).toBeGreaterThan(1_800);
    expect(await row('unlucky')).toMatchObject({ status: 'active', death: undefined });
  });
});

test('TK-4: an unlisted answer that cannot be counted still puts its connection off, and is logged', async () => {
  const world = refreshWorld(connection(), integration(), () => UNLISTED);
  world.failing.add('integrations.noteSuspicion');
  expect(await world.refresh()).toMatchObject({ kind: 'transient', reason: 'something_new' });
  const line = [
    'error',
    'a refusal could not be counted',
    { requestId: 'request-1' },
    'integrations.noteSuspicion is away',
  ];
  expect(world.logged).toContainEqual(line);
});

test('TK-4: an unlisted answer is counted where others count theirs at the same time, and goes uncounted if they keep coming', async () => {
  const counting = (others: number) => {
    const world = refreshWorld(connection(), integration(), () => UNLISTED);
    const { integrations } = world.stores;
    let tries = 0;
    const noteSuspicion: typeof integrations.noteSuspicion = async (...args) =>
      tries++ < others ? false : integrations.noteSuspicion(...args);
    const refresher = world.refresher('me', direct, { integrations: { ...integrations, noteSuspicion } });
    return { ...world, tries: () => tries, ask: () => refresher.refresh(connection(), integration(), ONCE) };
  };
  const late = counting(2);
  expect(await late.ask()).toMatchObject({ kind: 'transient', reason: 'something_new' });
  expect([late.tries(), late.table.integration?.suspectedFault?.error]).toEqual([3, 'something_new']);
  const crowded = counting(10);
  expect(await crowded.ask()).toMatchObject({ kind: 'transient', reason: 'something_new' });
  expect([crowded.tries(), crowded.table.integration?.suspectedFault]).toEqual([3, undefined]);
});

test('TK-4: an unlisted answer is counted nowhere where the integration is gone, and that is no failure', async () => {
  const world = refreshWorld(connection(), integration(), () => {
    world.table.integration = undefined;
    return UNLISTED;
  });
  expect(await world.refresh()).toMatchObject({ kind: 'transient', reason: 'something_new', refused: true });
  expect(world.logged.filter(([level]) => level === 'error')).toEqual([]);
});

describe('TK-4: the same unlisted answer for several connections', () => {
  test('marks the integration with one event when three agree, and pauses nobody', async () => {
    const { table, refresh, types, asked } = users((id) => (id === 'well' ? TOKENS : UNLISTED));
    await refresh('a');
    await refresh('b');
    expect(table.integration?.clientFault).toBeUndefined();
    await refresh('c');
    expect(table.integration?.clientFault).toMatchObject({ error: 'something_new' });
    expect(types()).toEqual(['IntegrationCredentialsRejected']);
    expect(table.integrationEvents[0]?.remedy).toContain('probably');
    await refresh('d');
    expect(types()).toHaveLength(1);
    expect(await refresh('well')).toMatchObject({ kind: 'fresh' });
    expect(asked).toEqual(['a', 'b', 'c', 'd', 'well']);
    expect(table.integration?.clientFault, 'one success clears it').toBeUndefined();
    expect(types()).toEqual(['IntegrationCredentialsRejected', 'IntegrationRecovered']);
  });

  test('the same unlisted answer for several connections is not counted of an integration that is marked already, or gone', async () => {
    const marked = users(() => UNLISTED);
    const clientFault = { error: 'invalid_client', sinceEpochSec: START_SEC, retryAtEpochSec: START_SEC };
    marked.table.integration = integration({ clientFault });
    for (const id of ['a', 'b', 'c']) expect(await marked.refresh(id)).toMatchObject({ kind: 'transient' });
    expect(marked.counted.integrationWrites).toBe(0);
    const gone = users(() => UNLISTED);
    gone.table.integration = undefined;
    for (const id of ['a', 'b', 'c']) await gone.refresh(id);
    expect([gone.counted.integrationWrites, (await gone.row('a'))?.refreshLease]).toEqual([0, undefined]);
  });

  test('marks nothing when one connection alone gets it, however often', async () => {
    const { table, counted, refresh, later } = users(() => UNLISTED);
    for (let round = 0; round < 12; round++) {
      await refresh('a');
      later(50);
    }
    expect(table.integration?.clientFault).toBeUndefined();
    expect(counted.integrationWrites, 'written once per window').toBeLessThanOrEqual(2);
  });

  test('marks nothing when another connection is refreshed in between, until the window is over', async () => {
    const { refresh, types, later } = users((id) => (id.startsWith('well') ? TOKENS : UNLISTED));
    await refresh('a');
    await refresh('b');
    await refresh('well-1');
    for (const id of ['c', 'd', 'e']) await refresh(id);
    expect(types()).toEqual([]);
    later(CLIENT_SUSPICION_WINDOW_SEC);
    for (const id of ['f', 'g', 'h']) await refresh(id);
    expect(types()).toEqual(['IntegrationCredentialsRejected']);
  });

  test('marks nothing when they are too far apart, or answers differ', async () => {
    const apart = users(() => UNLISTED);
    for (const id of ['a', 'b', 'c', 'd']) {
      await apart.refresh(id);
      apart.later(CLIENT_SUSPICION_WINDOW_SEC / 2);
    }
    expect(apart.types()).toEqual([]);
    const mixed = users((id) => answer(400, { error: `new_${id}` }));
    for (const id of ['a', 'b', 'c', 'd']) await mixed.refresh(id);
    expect(mixed.types()).toEqual([]);
  });

  test('writes the integration’s record a few times, however many connections and processes there are', async () => {
    const { table, counted, refresh } = users(() => UNLISTED);
    await Promise.all(Array.from({ length: 60 }, (_, i) => refresh(`c${i}`)));
    expect(table.integration?.clientFault).toMatchObject({ error: 'something_new' });
    expect(counted.integrationWrites).toBeLessThanOrEqual(4);
  });

  test('costs a success nothing where the process knows of no suspicion', async () => {
    const { counted, refresh } = users(() => TOKENS);
    await refresh('a');
    expect(counted.extraCalls).toBe(0);
  });
});

test('TK-4: only three distinct connections within the window agree, and a refuted suspicion never does', () => {
  const step = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    error: fc.constantFrom('x', 'y'),
    waitSec: fc.integer({ min: 0, max: CLIENT_SUSPICION_WINDOW_SEC }),
    success: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let current: SuspectedFault | undefined;
      let now = START_SEC;
      const seen: { id: string; error: string; at: number }[] = [];
      for (const { id, error, waitSec, success } of steps) {
        now += waitSec;
        if (success) {
          seen.length = 0;
          if (current !== undefined) current = { ...current, refuted: true };
          continue;
        }
        seen.push({ id, error, at: now });
        const { next, agreed } = suspect(current, error, id, now);
        current = next;
        const agreeing = seen.filter((one) => one.error === error && now - one.at < CLIENT_SUSPICION_WINDOW_SEC);
        if (agreed) expect(new Set(agreeing.map((one) => one.id)).size).toBeGreaterThanOrEqual(3);
        expect(next.connectionIds.length).toBeLessThanOrEqual(3);
        expect(new Set(next.connectionIds).size).toBe(next.connectionIds.length);
      }
    }),
  );
});
