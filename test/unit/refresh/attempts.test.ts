import { describe, expect, test } from 'vitest';
import { fake } from '../../../dev/support/fake.ts';
import { connectionToItem } from '../../../lambdas/gateway/connections/connection-item.store.ts';
import { CLIENT_FAULT_COOL_DOWN_SEC } from '../../../lambdas/gateway/core/limits.ts';
import type { TokenCallResult } from '../../../lambdas/gateway/tokens/ports.ts';
import { connection, integration, START_SEC } from './support/connection.ts';
import {
  answer,
  answers,
  escrowed,
  INVALID_GRANT,
  LOST,
  refreshWorld,
  tokens,
  UNSENT,
} from './support/refresh-world.ts';

const REQUEST = { requestId: 'request-1' };
const APP = { accountId: 'default', integrationId: 'drive' };
const DELETED_CLIENT = answer(401, { error: 'deleted_client' });
const world = (...given: readonly TokenCallResult[]) => refreshWorld(connection(), integration(), answers(...given));

describe('an attempt', () => {
  test.each<[string, TokenCallResult[], string]>([
    ['tokens', [tokens()], 'Refresh fresh none'],
    ['a dead grant', [INVALID_GRANT], 'Refresh dead user_revoked'],
    ['a refused client', [DELETED_CLIENT], 'Refresh client_fault deleted_client'],
    ['no answer', [LOST], 'Refresh transient token_endpoint_timeout'],
  ])('that ends with %s is counted with its cause', async (_, given, counted) => {
    const { refresh, counted: all } = world(...given);
    await refresh();
    expect(all.at(-1)).toBe(counted);
  });

  test.each<[string, TokenCallResult[], boolean]>([
    ['after an answer', [answer(503, {})], true],
    ['where no request left', [UNSENT], true],
    ['not after a lost answer', [LOST], false],
    ['not after a lost answer and a call that never left', [LOST, UNSENT], false],
    ['not after a lost answer and a clean one', [LOST, answer(503, {})], false],
    ['not after a success that cannot be read', [answer(200, 'not json')], false],
    ['not after a lost answer and a refused client', [LOST, DELETED_CLIENT], false],
    ['after a refused client', [DELETED_CLIENT], true],
    ['after a refusal in no list', [answer(403, { error: 'new' })], true],
    ['not after a lost answer and such a refusal', [LOST, answer(403, { error: 'new' })], false],
  ])('that brings no tokens gives its lease back and closes: %s', async (_, given, closed) => {
    const { refresh, table } = world(...given);
    await refresh();
    expect(table.row).toMatchObject({ status: 'active', refreshLease: undefined });
    expect(table.row?.attemptHash === undefined).toBe(closed);
  });

  test('an attempt that never left is not called a lost rotation by a later death', async () => {
    const { refresh, clock } = world(UNSENT, UNSENT, INVALID_GRANT);
    await refresh();
    clock.advance(120);
    expect(await refresh()).toMatchObject({ kind: 'dead', death: { cause: 'user_revoked' } });
  });

  test('F51: an attempt is not begun, and leaves no lease, while the keys are away', async () => {
    const cipher = { encrypt: () => Promise.reject(new Error('KMS')), decrypt: async () => 'refresh-0' };
    const { refresh, table, asked } = refreshWorld(connection(), integration(), () => tokens(), { cipher });
    await expect(refresh()).rejects.toThrow('KMS');
    expect([asked, table.row]).toEqual([[], connection()]);
  });

  test('asks no longer than the caller has time, and than a lease allows', async () => {
    const { refresh, asked, clock } = world(LOST);
    await refresh({ budgetMs: 900 });
    clock.advance(60);
    await refresh({ budgetMs: 60_000 });
    expect(asked.map(({ timeoutMs }) => timeoutMs)).toEqual([900, 900, 8_000, 8_000]);
  });
});

describe('a connection that could not be refreshed', () => {
  test.each([
    [0, undefined, 15],
    [1, undefined, 30],
    [2, undefined, 45],
    [30, undefined, 45],
    [0, '14', 15],
    [0, '90', 90],
  ])(
    'I12: after %i failures and Retry-After %s waits %i seconds, and nobody asks before',
    async (failures, after, waitSec) => {
      const row = connection({ failureCount: failures });
      const world = refreshWorld(row, integration(), answers(answer(503, {}, after)));
      const { refresh, table, asked, clock, logged, failing } = world;
      expect(await refresh()).toEqual({ kind: 'transient', reason: 'http_503', retryAfterSec: waitSec });
      expect(table.row).toMatchObject({ retryAtEpochSec: START_SEC + waitSec, failureCount: failures + 1 });
      expect(logged).toMatchObject([['warn', 'refresh failed for now', { ...APP, cause: 'http_503' }]]);
      clock.advance(waitSec - 1);
      // Also for who remembers the row as it was, and whatever the row says.
      failing.add('connections.takeLease');
      for (const known of [table.row, connection()]) {
        expect(await refresh({ wait: true }, known)).toMatchObject({ reason: 'refresh_backoff', retryAfterSec: 1 });
      }
      failing.clear();
      const backingOff = connection({ retryAtEpochSec: START_SEC + 600 });
      expect(await refresh({}, backingOff)).toMatchObject({ reason: 'refresh_backoff' });
      expect([asked.length, table.row?.epoch]).toEqual([1, 2]);
      // An operator does, and new tokens start again.
      await refresh({ force: true });
      clock.advance(1);
      table.row = connection({ ...table.row, retryAtEpochSec: undefined, tokenEpoch: 2 });
      await refresh();
      expect(asked).toHaveLength(3);
    },
  );

  test('backs off the same when its lease cannot be given back', async () => {
    const { refresh, failing, logged } = world(answer(503, {}));
    failing.add('connections.releaseLease');
    expect(await refresh()).toMatchObject({ kind: 'transient' });
    expect(logged[0]).toEqual([
      'error',
      'a lease could not be given back',
      REQUEST,
      'connections.releaseLease is away',
    ]);
  });
});

describe('a refused OAuth client', () => {
  test('TK-4: marks the integration with one event, pauses its connections, and leaves them as they were', async () => {
    const app = integration({ sequence: 8 });
    const world = refreshWorld(connection({ failureCount: 2 }), app, answers(DELETED_CLIENT));
    const { refresh, table, asked, clock, counted } = world;
    const fault = { kind: 'client_fault', error: 'deleted_client', retryAfterSec: CLIENT_FAULT_COOL_DOWN_SEC };
    const unmarked = table.integration;
    table.memory.put(connectionToItem(connection({ connectionId: 'c2' })));
    expect(await refresh()).toEqual(fault);
    expect(table.row).toMatchObject({ status: 'active', failureCount: 2, retryAtEpochSec: undefined });
    expect(table.integration?.clientFault).toEqual({
      error: 'deleted_client',
      sinceEpochSec: START_SEC,
      retryAtEpochSec: START_SEC + CLIENT_FAULT_COOL_DOWN_SEC,
    });
    const event = {
      eventType: 'IntegrationCredentialsRejected',
      subject: APP,
      health: 'refused',
      requestId: 'request-1',
    };
    expect(table.integrationEvents).toMatchObject([{ ...event, sequence: 9, cause: 'deleted_client' }]);
    const remedy = /^The OAuth client .* Restore the client .* connections are not at fault\.$/;
    expect(table.integrationEvents[0]?.remedy).toMatch(remedy);
    expect(counted[0]).toBe('IntegrationRejected deleted_client');
    // Others of the integration are not asked for meanwhile, by the mark as by what this process has seen.
    clock.advance(1);
    for (const app of [unmarked, table.integration]) {
      const told = await refresh({}, connection({ connectionId: 'c2' }), app);
      expect(told).toEqual({ ...fault, retryAfterSec: CLIENT_FAULT_COOL_DOWN_SEC - 1 });
    }
    expect(asked).toHaveLength(1);
    await refresh({ force: true });
    clock.advance(CLIENT_FAULT_COOL_DOWN_SEC);
    await refresh();
    expect(asked).toHaveLength(3);
    expect(table.integration?.clientFault?.sinceEpochSec, 'marked since the first refusal').toBe(START_SEC);
    expect(counted.filter((name) => name.startsWith('IntegrationRejected'))).toHaveLength(1);
  });

  test('pauses nobody any more once a refresh has worked, in the second either in which it was looked at last', async () => {
    const { refresh, asked, table } = world(DELETED_CLIENT, tokens());
    await refresh();
    expect(await refresh()).toMatchObject({ kind: 'client_fault' });
    await refresh({ force: true });
    table.row = connection({ ...table.row, accessTokenExpiresAtEpochSec: START_SEC - 1 });
    expect(await refresh({}, undefined, integration())).toMatchObject({ kind: 'fresh' });
    expect(asked).toHaveLength(3);
  });

  test('a refused OAuth client is the same answer for who comes after its integration has gone', async () => {
    const { refresh, table } = world(DELETED_CLIENT);
    await refresh();
    table.integration = undefined;
    expect(await refresh({}, undefined, integration())).toMatchObject({
      kind: 'client_fault',
      error: 'deleted_client',
    });
  });

  test('ends the wait that an outage began: once it is corrected, the connection is asked for at once', async () => {
    const { refresh, table, asked, clock } = world(answer(503, {}), DELETED_CLIENT, tokens());
    await refresh();
    await refresh({ force: true });
    table.integration = integration();
    clock.advance(1);
    expect(await refresh({}, undefined, integration())).toMatchObject({ kind: 'fresh' });
    expect(asked).toHaveLength(3);
  });

  test('a refused OAuth client of another integration pauses nobody', async () => {
    const { refresh, asked, table } = world(DELETED_CLIENT);
    const other = connection({ integrationId: 'calendar' });
    table.memory.put(connectionToItem(other));
    await refresh();
    await refresh({}, other, integration({ integrationId: 'calendar' }));
    expect(asked).toHaveLength(2);
  });

  test('a refused OAuth client as stored is returned before what this process has seen, which counts again once the stored one has passed', async () => {
    const { refresh, clock, table } = world(DELETED_CLIENT);
    await refresh();
    const clientFault = { error: 'disabled_client', sinceEpochSec: START_SEC, retryAtEpochSec: START_SEC + 5 };
    const marked = integration({ clientFault });
    table.integration = marked;
    const other = connection({ connectionId: 'c2' });
    table.memory.put(connectionToItem(other));
    expect(await refresh({}, other, marked)).toMatchObject({ error: 'disabled_client', retryAfterSec: 5 });
    clock.advance(5);
    expect(await refresh({}, other, marked)).toMatchObject({ error: 'deleted_client', retryAfterSec: 55 });
  });

  test.each(['the integration is gone', 'integrations.markClientFault'])(
    'a refused OAuth client is the same answer where no mark can be made: %s',
    async (why) => {
      const { refresh, table, failing, logged, counted } = world(DELETED_CLIENT);
      failing.add(why);
      if (why === 'the integration is gone') table.integration = undefined;
      expect(await refresh()).toMatchObject({ kind: 'client_fault' });
      expect(table.integration?.clientFault).toBeUndefined();
      expect(table.row?.refreshLease).toBeUndefined();
      const line = ['error', 'a client fault could not be noted', { requestId: 'request-1' }, `${why} is away`];
      expect(logged).toEqual(why !== 'the integration is gone' ? [line] : []);
      expect(counted.includes('IntegrationRejected deleted_client')).toBe(why !== 'the integration is gone');
    },
  );
});

describe('a client that works again', () => {
  const FAULT = { error: 'invalid_client', sinceEpochSec: START_SEC - 500, retryAtEpochSec: START_SEC };
  const marked = integration({ clientFault: FAULT, sequence: 8 });

  test('loses its mark, with one event', async () => {
    const { refresh, table } = refreshWorld(connection(), marked);
    await refresh();
    expect(table.integration?.clientFault).toBeUndefined();
    const event = { eventType: 'IntegrationRecovered', subject: APP, requestId: 'request-1' };
    expect(table.integrationEvents).toMatchObject([{ ...event, sequence: 9, cause: 'invalid_client' }]);
  });

  test('a client that works again is not looked at where no mark is known', async () => {
    const { refresh, table } = refreshWorld(connection(), marked);
    await refresh({}, connection(), integration());
    expect(table.integration?.clientFault).toEqual(FAULT);
  });

  test.each(['the mark is gone', 'the integration is gone', 'integrations.clearClientFault'])(
    'fails no refresh when %s',
    async (why) => {
      const { refresh, table, failing, logged } = refreshWorld(connection(), marked);
      failing.add(why);
      if (why === 'the mark is gone') table.integration = integration();
      if (why === 'the integration is gone') table.integration = undefined;
      expect(await refresh({}, connection(), marked)).toMatchObject({ kind: 'fresh' });
      expect(table.integrationEvents).toEqual([]);
      const line = [
        'error',
        'a recovery could not be noted',
        { requestId: 'request-1' },
        'integrations.clearClientFault is away',
      ];
      expect(logged).toEqual(why === 'integrations.clearClientFault' ? [line] : []);
    },
  );
});

describe('what new tokens say of the app', () => {
  const WEEK_SEC = 7 * 86_400;
  const { consentedAtEpochSec } = connection();
  const testing = tokens({ refresh_token_expires_in: WEEK_SEC - (START_SEC - consentedAtEpochSec) });

  test('notes of integration and connection that new tokens end a week after their consent', async () => {
    const { refresh, table } = world(testing);
    const ends = { refreshTokenExpiresAtEpochSec: consentedAtEpochSec + WEEK_SEC };
    expect(await refresh()).toMatchObject({ connection: ends });
    expect(table.row).toMatchObject(ends);
    expect(table.integration?.testingSeenAtEpochSec).toBe(consentedAtEpochSec);
  });

  test('takes tokens without a known end for no sign that the app has left Testing: only a consent is one', async () => {
    const testingSeenAtEpochSec = START_SEC - 100_000;
    const { refresh, table } = refreshWorld(connection(), integration({ testingSeenAtEpochSec }));
    expect(await refresh()).toMatchObject({ kind: 'fresh' });
    expect(table.integration).toMatchObject({ testingSeenAtEpochSec, testingOverAtEpochSec: undefined });
  });

  test('what new tokens say of the app is not looked at where the connection was deleted meanwhile', async () => {
    const { refresh, table, logged } = refreshWorld(connection(), integration(), () => {
      table.row = connection({ status: 'deleted', epoch: 3 });
      return testing;
    });
    expect(await refresh()).toEqual({ kind: 'gone' });
    expect([logged, table.integration?.testingSeenAtEpochSec]).toEqual([[], undefined]);
  });

  test('notes once that the client works', async () => {
    const unknown = integration({ clientWorksSinceEpochSec: undefined });
    const { refresh, table, clock } = refreshWorld(connection(), unknown);
    await refresh();
    clock.advance(60);
    await refresh({ force: true }, undefined, unknown);
    expect(table.integration?.clientWorksSinceEpochSec).toBe(START_SEC);
  });

  test.each([
    ['integrations.noteTesting', 'a grant could not be noted'],
    ['integrations.noteClientWorks', 'the success of a client could not be noted'],
  ])('fails no refresh where %s fails', async (method, message) => {
    const app = integration({ clientWorksSinceEpochSec: method === 'integrations.noteTesting' ? 1 : undefined });
    const { refresh, failing, logged } = refreshWorld(connection(), app, answers(testing));
    failing.add(method);
    expect(await refresh()).toMatchObject({ kind: 'fresh' });
    expect(logged).toEqual([['error', message, { requestId: 'request-1' }, `${method} is away`]]);
  });
});

describe('the day counts of refreshes', () => {
  const counting = (given: TokenCallResult) => {
    const results: unknown[] = [];
    const refreshed = async (_: unknown, result: string) => void results.push(result);
    const world = refreshWorld(connection(), integration(), answers(given), { changes: fake({ refreshed }) });
    return { ...world, results };
  };

  test.each<[TokenCallResult, string]>([
    [tokens(), 'renewed'],
    [INVALID_GRANT, 'refused'],
    [answer(401, { error: 'invalid_client' }), 'clientRefused'],
    [answer(503, {}), 'failed'],
  ])('the day counts of refreshes take in how an attempt ended: case %#', async (given, result) => {
    const { refresh, results } = counting(given);
    await refresh();
    expect(results).toEqual([result]);
  });

  test('the day counts of refreshes leave out an attempt that asked for nothing, because newer tokens were in escrow', async () => {
    const { stores, refresh, results } = counting(tokens());
    await stores.escrow.put(escrowed());
    expect(await refresh({ adopt: true })).toMatchObject({ kind: 'fresh', accessToken: undefined });
    expect(results).toEqual([]);
  });
});
