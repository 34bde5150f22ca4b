import { describe, expect, test } from 'vitest';
import type { ClientCredentials, Integration } from '../../../lambdas/gateway/integrations/integration.rules.ts';
import type { TokenCallResult } from '../../../lambdas/gateway/tokens/ports.ts';
import { connection, integration } from './support/connection.ts';
import { answer, answers, INVALID_GRANT, LOST, refreshWorld, tokens, UNSENT } from './support/refresh-world.ts';

const CLIENT = connection().clientId;
const INVALID_CLIENT = answer(401, { error: 'invalid_client' });
const AWAY = new Error('The secret store is away');
const secrets = (clientSecret: string, previousClientSecret?: string, clientId = CLIENT): ClientCredentials => ({
  clientId,
  clientSecret,
  previousClientSecret,
});
type Stored = ClientCredentials | Error | undefined;

/** A process whose refreshes get these answers, with the credentials that it remembers and those that are read again. */
function processOf(given: readonly TokenCallResult[], known: Stored, reread: Stored, callSec = 0) {
  const read: [version: number, isReread: boolean][] = [];
  const credentials = {
    get: async (of: Integration, options?: { readonly fresh?: boolean }) => {
      const isReread = options?.fresh === true;
      read.push([of.version, isReread]);
      const value = isReread ? reread : known;
      if (value instanceof Error) throw value;
      return value;
    },
  };
  const next = answers(...given);
  const provider: typeof next = (...question) => {
    world.clock.advance(callSec);
    return next(...question);
  };
  const world = refreshWorld(connection(), integration({ version: 2 }), provider, { credentials });
  const refresh = () => world.refresh({}, connection(), integration());
  return { ...world, refresh, read, secrets: () => world.asked.map(({ secret }) => secret) };
}

describe('a token call', () => {
  test('asks once, with the client of the grant', async () => {
    const { refresh, asked, read } = processOf([tokens()], secrets('old'), AWAY);
    expect(await refresh()).toMatchObject({ kind: 'fresh', accessToken: 'access-1' });
    expect(asked).toEqual([{ clientId: CLIENT, secret: 'old', refreshToken: 'refresh-0', timeoutMs: 8_000 }]);
    expect(read).toEqual([[1, false]]);
  });

  test.each([
    [[LOST, tokens()], { kind: 'fresh' }, 2],
    [[UNSENT, tokens()], { kind: 'fresh' }, 2],
    [[UNSENT, INVALID_GRANT], { kind: 'dead', death: { cause: 'user_revoked' } }, 2],
    [[LOST, UNSENT], { kind: 'transient', reason: 'token_endpoint_unreachable' }, 2],
    [[UNSENT, UNSENT, tokens()], { kind: 'transient', reason: 'token_endpoint_unreachable' }, 2],
    [[answer(503, {}), tokens()], { kind: 'transient', reason: 'http_503' }, 1],
  ])(
    'a token call is repeated once after no complete answer, never after one: case %#',
    async (given, outcome, calls) => {
      const { refresh, asked } = processOf(given, secrets('old'), AWAY);
      expect(await refresh()).toMatchObject(outcome);
      expect(asked).toHaveLength(calls);
    },
  );

  test.each([
    [[LOST, INVALID_CLIENT, tokens()], 8, [8_000, 8_000, 4_000], 'fresh'],
    [[LOST, INVALID_CLIENT, LOST, tokens()], 8, [8_000, 8_000, 4_000], 'transient'],
    [[INVALID_CLIENT, tokens()], 20, [8_000], 'transient'],
  ])(
    'F03: a token call is given no more time than is left, and none where none is left: case %#',
    async (given, callSec, ms, kind) => {
      const { refresh, asked } = processOf(given, secrets('old'), secrets('new'), callSec);
      expect(await refresh()).toMatchObject({ kind });
      expect(asked.map(({ timeoutMs }) => timeoutMs)).toEqual(ms);
    },
  );
});

describe('a client that is refused', () => {
  test('TK-4, F19: a client that is refused has its secret read again and the previous one tried, once each', async () => {
    const process = processOf([INVALID_CLIENT], secrets('old'), secrets('new', 'previous'));
    expect(await process.refresh()).toMatchObject({ kind: 'client_fault', error: 'invalid_client' });
    expect(process.secrets()).toEqual(['old', 'new', 'previous']);
    expect(process.read.map(([, isReread]) => isReread)).toEqual([false, true]);
  });

  test.each([undefined, 'new', 'old'])(
    'a client that is refused has no secret tried twice where the previous one is %j',
    async (previous) => {
      const process = processOf([INVALID_CLIENT], secrets('old'), secrets('new', previous));
      expect(await process.refresh()).toMatchObject({ kind: 'client_fault' });
      expect(process.secrets()).toEqual(['old', 'new']);
    },
  );

  test('a client that is refused has its secret read again where none is remembered', async () => {
    const process = processOf([tokens()], undefined, secrets('new'));
    expect(await process.refresh()).toMatchObject({ kind: 'fresh' });
    expect(process.secrets()).toEqual(['new']);
  });

  test.each([
    [secrets('new', 'previous'), INVALID_CLIENT, ['old', 'new'], 'fresh'],
    [secrets('old', 'previous'), INVALID_CLIENT, ['old', 'previous'], 'fresh'],
    [secrets('new'), INVALID_CLIENT, ['old', 'new'], 'fresh'],
    [secrets('old', 'old'), INVALID_CLIENT, ['old'], 'client_fault'],
    [secrets('new'), answer(401, { error: 'deleted_client' }), ['old'], 'client_fault'],
  ])(
    'a client that is refused is asked for with no secret twice, nor where no other can help: %j',
    async (reread, refusal, tried, kind) => {
      const process = processOf([refusal, tokens()], secrets('old'), reread);
      expect(await process.refresh()).toMatchObject({ kind });
      expect(process.secrets()).toEqual(tried);
    },
  );

  test.each([
    [[LOST, INVALID_CLIENT, INVALID_CLIENT, INVALID_GRANT], 'rotation_lost'],
    [[INVALID_CLIENT, INVALID_CLIENT, INVALID_GRANT], 'user_revoked'],
  ])('leaves an answer that was lost open through the other secrets: case %#', async (given, cause) => {
    const { refresh } = processOf(given, secrets('old'), secrets('new', 'previous'));
    expect(await refresh()).toMatchObject({ kind: 'dead', death: { cause } });
  });

  test.each([
    [undefined, { kind: 'client_fault', error: 'credentials_missing' }],
    [secrets('new', undefined, 'another-client'), { kind: 'dead', death: { cause: 'credentials_changed' } }],
    [AWAY, { kind: 'transient', reason: 'client_credentials_unavailable' }],
  ])('ends as the fresh secret says: %s', async (reread, outcome) => {
    const process = processOf([INVALID_CLIENT], secrets('old'), reread);
    expect(await process.refresh()).toMatchObject(outcome);
    expect(process.secrets()).toEqual(['old']);
  });
});

describe('credentials that do not fit the grant', () => {
  const older = secrets('older', undefined, 'older-client');

  test('credentials that do not fit the grant are judged on fresh records only', async () => {
    const process = processOf([INVALID_CLIENT, tokens()], older, secrets('new', 'previous'));
    expect(await process.refresh()).toMatchObject({ kind: 'fresh' });
    expect(process.secrets()).toEqual(['new', 'previous']);
    // Of the integration as it is stored, not as it was remembered.
    expect(process.read).toEqual([
      [1, false],
      [2, true],
      [2, true],
    ]);
  });

  test.each<[string, Stored, Stored, object]>([
    ['another client', older, older, { kind: 'dead', death: { cause: 'credentials_changed' } }],
    ['no credentials', older, undefined, { kind: 'client_fault', error: 'credentials_missing' }],
    ['no integration', older, secrets('new'), { kind: 'client_fault', error: 'credentials_missing' }],
    ['integrations.get', older, secrets('new'), { kind: 'transient', reason: 'client_credentials_unavailable' }],
    ['no store', AWAY, secrets('new'), { kind: 'transient', reason: 'client_credentials_unavailable' }],
    ['no fresh read', older, AWAY, { kind: 'transient', reason: 'client_credentials_unavailable' }],
  ])('F49: with %s ask nobody, and give the lease back closed', async (which, known, reread, outcome) => {
    const { refresh, table, failing, asked } = processOf([tokens()], known, reread);
    if (which === 'no integration') table.integration = undefined;
    failing.add(which);
    expect(await refresh()).toMatchObject(outcome);
    expect(asked).toEqual([]);
    expect(table.row).toMatchObject({ refreshLease: undefined, attemptHash: undefined });
  });
});
