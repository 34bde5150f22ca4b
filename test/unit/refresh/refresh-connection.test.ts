import { describe, expect, test, vi } from 'vitest';
import { CLIENT_FAULT_COOL_DOWN_SEC, DEATH_INCIDENT_COUNT, LEASE_SEC } from '../../../lambdas/gateway/core/limits.ts';
import type { TokenCallResult } from '../../../lambdas/gateway/tokens/ports.ts';
import { connection, integration, START_SEC } from './support/connection.ts';
import { fake, refreshWorld, type Step } from './support/refresh-world.ts';

const direct: Step = (effect) => effect();
const ONCE = { wait: false, force: false, requestId: 'test' };
const WAIT = { wait: true, force: false, requestId: 'test' };

function answer(status: number, body: unknown, retryAfter?: string): TokenCallResult {
  return { kind: 'answered', response: { status, body: JSON.stringify(body), retryAfter } };
}
const tokens = (more: Record<string, unknown> = {}) =>
  answer(200, { access_token: 'access-1', token_type: 'Bearer', expires_in: 3599, ...more });
const invalidGrant = answer(400, { error: 'invalid_grant' });
const unanswered: TokenCallResult = { kind: 'failed', reason: 'token_endpoint_timeout', ambiguous: true };
const unsent: TokenCallResult = { kind: 'failed', reason: 'token_endpoint_unreachable', ambiguous: false };

describe('tokens', () => {
  test('TK-2: the refresh token stays when the answer brings none', async () => {
    const world = refreshWorld(connection(), integration(), () => tokens());
    expect(await world.refresher('a', direct).refresh(connection(), integration(), ONCE)).toMatchObject({
      kind: 'fresh',
    });
    expect(world.table.row).toMatchObject({
      encryptedRefreshToken: 'enc:refresh-0',
      encryptedAccessToken: 'enc:access-1',
    });
  });

  test('TK-2: a new refresh token replaces the old one in the same write', async () => {
    const world = refreshWorld(connection(), integration(), () => tokens({ refresh_token: 'refresh-1' }));
    await world.refresher('a', direct).refresh(connection(), integration(), ONCE);
    expect(world.table.row?.encryptedRefreshToken).toBe('enc:refresh-1');
  });

  test('F14: a rotated token that cannot be written goes to escrow, the call is served, and a later lease adopts it', async () => {
    const world = refreshWorld(connection(), integration(), () => tokens({ refresh_token: 'refresh-1' }));
    const { table } = world;
    const failing = fake<never>({ ...table.connections, storeTokens: () => Promise.reject(new Error('throttled')) });
    // Its pauses take no time, so the clock must.
    const pause = async () => world.clock.advance(5);
    const outcome = await world
      .refresher('a', direct, { connections: failing, pause })
      .refresh(connection(), integration(), ONCE);
    expect(outcome).toMatchObject({ kind: 'fresh', accessToken: 'access-1' });
    expect(table.escrowed).toMatchObject({ encryptedRefreshToken: 'enc:refresh-1', epoch: 2 });
    world.clock.advance(LEASE_SEC);
    const { row } = table;
    if (row === undefined) throw new Error('The row is gone');
    await world.refresher('b', direct).refresh(row, integration(), ONCE);
    expect(table.row).toMatchObject({ encryptedRefreshToken: 'enc:refresh-1', lostHash: undefined, tokenEpoch: 3 });
  });

  test('F14: without a new refresh token nothing is put into escrow, and the caller is not held up for the lease', async () => {
    const world = refreshWorld(connection(), integration(), () => tokens());
    const failing = fake<never>({
      ...world.table.connections,
      storeTokens: () => Promise.reject(new Error('throttled')),
    });
    let waitedMs = 0;
    const pause = async (ms: number) => {
      waitedMs += ms;
      world.clock.advance(ms / 1000);
    };
    const refresher = world.refresher('a', direct, { connections: failing, pause });
    expect(await refresher.refresh(connection(), integration(), ONCE)).toMatchObject({ kind: 'fresh' });
    expect(world.table.escrowed).toBeUndefined();
    expect(waitedMs).toBeLessThan(4_000);
  });

  test('a use is noted in the same write, and keeps the connection warm', async () => {
    const idle = connection({ lastUsedAtEpochSec: START_SEC - 90 * 86_400 });
    const world = refreshWorld(idle, integration(), () => tokens());
    const outcome = await world
      .refresher('a', direct)
      .refresh(idle, integration(), { ...WAIT, usedAtEpochSec: START_SEC });
    expect(outcome).toMatchObject({ connection: { lastUsedAtEpochSec: START_SEC } });
    expect(world.table.row?.refreshAtEpochSec).toBeLessThan(START_SEC + 3600);
  });
});

describe('lost answers', () => {
  test('F06: an ambiguous failure is repeated once, and a death that follows may be a lost rotation', async () => {
    const answers = [unanswered, invalidGrant];
    const world = refreshWorld(connection(), integration(), () => answers.shift() ?? invalidGrant);
    const outcome = await world.refresher('a', direct).refresh(connection(), integration(), ONCE);
    expect(outcome).toMatchObject({ kind: 'dead', death: { cause: 'rotation_lost', certain: false } });
  });

  test('an ambiguous failure stays open behind a clean one of the same attempt', async () => {
    const answers = [unanswered, answer(503, {})];
    const world = refreshWorld(connection(), integration(), () => answers.shift() ?? tokens());
    expect(await world.refresher('a', direct).refresh(connection(), integration(), ONCE)).toMatchObject({
      kind: 'transient',
    });
    expect(world.table.row?.attemptHash).toBeTypeOf('string');
  });

  test('a request that never left closes its attempt: a later death is not called a lost rotation', async () => {
    let reachable = false;
    const world = refreshWorld(connection(), integration(), () => (reachable ? invalidGrant : unsent));
    await world.refresher('a', direct).refresh(connection(), integration(), ONCE);
    expect(world.table.row?.attemptHash).toBeUndefined();
    reachable = true;
    world.clock.advance(120);
    const outcome = await world.refresher('b', direct).refresh(world.table.row ?? connection(), integration(), ONCE);
    expect(outcome).toMatchObject({ kind: 'dead', death: { cause: 'user_revoked' } });
  });
});

describe("what is not the connection's fault", () => {
  test('TK-4: a client fault leaves the connection as it was and is remembered for the integration', async () => {
    let calls = 0;
    const world = refreshWorld(connection(), integration(), () => {
      calls++;
      return answer(401, { error: 'deleted_client' });
    });
    const refresher = world.refresher('a', direct);
    expect(await refresher.refresh(connection(), integration(), ONCE)).toMatchObject({
      kind: 'client_fault',
      error: 'deleted_client',
    });
    expect(world.table.row).toMatchObject({ status: 'active', retryAtEpochSec: undefined, failureCount: 0 });
    expect(world.table.integration.clientFault).toMatchObject({ error: 'deleted_client' });
    const other = connection({ connectionId: 'c2' });
    expect(await refresher.refresh(other, integration(), ONCE)).toMatchObject({ kind: 'client_fault' });
    expect(calls).toBe(1);
    world.clock.advance(CLIENT_FAULT_COOL_DOWN_SEC);
    await refresher.refresh(world.table.row ?? other, integration(), ONCE);
    expect(calls).toBe(2);
  });

  test('F19: the secret is read anew and the previous one tried, once each', async () => {
    const tried: string[] = [];
    const world = refreshWorld(connection(), integration(), (_, secret) => {
      tried.push(secret);
      return secret === 'previous' ? tokens() : answer(401, { error: 'invalid_client' });
    });
    const { clientId } = connection();
    const credentials = {
      get: async (_: unknown, options?: { readonly fresh?: boolean }) => ({
        clientId,
        clientSecret: options?.fresh === true ? 'new' : 'old',
        previousClientSecret: 'previous',
      }),
    };
    const outcome = await world.refresher('a', direct, { credentials }).refresh(connection(), integration(), ONCE);
    expect(outcome.kind).toBe('fresh');
    expect(tried).toEqual(['old', 'new', 'previous']);
  });

  test('remembered settings of an older client kill no grant of the newer one', async () => {
    const world = refreshWorld(connection(), integration(), () => tokens());
    const get = vi.fn(async (_: unknown, options?: { readonly fresh?: boolean }) => ({
      clientId: options?.fresh === true ? connection().clientId : '123-older.apps.googleusercontent.com',
      clientSecret: 'secret',
      previousClientSecret: undefined,
    }));
    const outcome = await world
      .refresher('a', direct, { credentials: { get } })
      .refresh(connection(), integration(), ONCE);
    expect(outcome.kind).toBe('fresh');
  });

  test('a client that really changed ends the grant and says so', async () => {
    const world = refreshWorld(connection(), integration(), () => tokens());
    const get = async () => ({ clientId: '999-new', clientSecret: 'secret', previousClientSecret: undefined });
    const outcome = await world
      .refresher('a', direct, { credentials: { get } })
      .refresh(connection(), integration(), ONCE);
    expect(outcome).toMatchObject({ kind: 'dead', death: { cause: 'credentials_changed', certain: true } });
  });

  test('F49: a secret store out of reach is transient and gives the lease back', async () => {
    const world = refreshWorld(connection(), integration(), () => tokens());
    const get = () => Promise.reject(new Error('unreachable'));
    const outcome = await world
      .refresher('a', direct, { credentials: { get } })
      .refresh(connection(), integration(), ONCE);
    expect(outcome).toMatchObject({ kind: 'transient', reason: 'client_credentials_unavailable' });
    expect(world.table.row).toMatchObject({ status: 'active', refreshLease: undefined, attemptHash: undefined });
  });

  test('F51: keys out of reach stop the attempt before it takes a lease or asks the provider', async () => {
    const call = vi.fn(() => tokens());
    const world = refreshWorld(connection(), integration(), call);
    const cipher = { encrypt: () => Promise.reject(new Error('KMS')), decrypt: async () => 'refresh-0' };
    await expect(world.refresher('a', direct, { cipher }).refresh(connection(), integration(), ONCE)).rejects.toThrow(
      'KMS',
    );
    expect(call).not.toHaveBeenCalled();
    expect(world.table.row?.refreshLease).toBeUndefined();
  });
});

describe('a dead connection', () => {
  const dead = () => {
    const world = refreshWorld(connection(), integration(), () => invalidGrant);
    return world
      .refresher('a', direct)
      .refresh(connection(), integration(), ONCE)
      .then(() => world);
  };

  test('is not asked for again by callers', async () => {
    const world = await dead();
    const call = vi.fn(() => tokens());
    const refresher = world.refresher('b', direct, { tokenEndpoint: fake({ refresh: call }) });
    expect(await refresher.refresh(world.table.row ?? connection(), integration(), WAIT)).toMatchObject({
      kind: 'dead',
    });
    expect(call).not.toHaveBeenCalled();
  });

  test('lives again, with one event, when an operator asks and the provider takes its token', async () => {
    const world = await dead();
    const refresher = world.refresher('b', direct, { tokenEndpoint: fake({ refresh: async () => tokens() }) });
    const outcome = await refresher.refresh(world.table.row ?? connection(), integration(), { ...WAIT, force: true });
    expect(outcome.kind).toBe('fresh');
    expect(world.table.row).toMatchObject({ status: 'active', death: undefined });
    expect(world.table.events.map(({ eventType, sequence }) => [eventType, sequence])).toEqual([
      ['ConnectionReauthorizationRequired', 2],
      ['ConnectionRecovered', 3],
    ]);
  });

  test('stays dead without a second event when an operator asks and it is refused again', async () => {
    const world = await dead();
    const outcome = await world
      .refresher('b', direct)
      .refresh(world.table.row ?? connection(), integration(), { ...WAIT, force: true });
    expect(outcome.kind).toBe('dead');
    expect(world.table.events).toHaveLength(1);
    expect(world.table.row?.refreshLease).toBeUndefined();
  });

  test('is one incident of its client when it is the fifth within minutes', async () => {
    for (const [count, incidents] of [
      [DEATH_INCIDENT_COUNT - 1, 0],
      [DEATH_INCIDENT_COUNT, 1],
      [DEATH_INCIDENT_COUNT + 1, 0],
    ] as const) {
      const world = refreshWorld(connection(), integration(), () => invalidGrant);
      const append = vi.fn(async () => {});
      const refresher = world.refresher('a', direct, { deaths: { note: async () => count }, audit: { append } });
      await refresher.refresh(connection(), integration(), ONCE);
      expect(append).toHaveBeenCalledTimes(incidents);
    }
  });
});

describe('back-off', () => {
  test('honours Retry-After, and later callers of the process neither write nor ask', async () => {
    const call = vi.fn(() => answer(503, {}, '45'));
    const world = refreshWorld(connection(), integration(), call);
    const refresher = world.refresher('a', direct);
    expect(await refresher.refresh(connection(), integration(), WAIT)).toMatchObject({ retryAfterSec: 45 });
    const epoch = world.table.row?.epoch;
    expect(await refresher.refresh(connection(), integration(), WAIT)).toMatchObject({
      kind: 'transient',
      reason: 'refresh_backoff',
    });
    expect(call).toHaveBeenCalledTimes(1);
    expect(world.table.row?.epoch).toBe(epoch);
  });

  test('I12: never holds callers longer than a minute on its own account', async () => {
    const world = refreshWorld(connection({ failureCount: 30 }), integration(), () => answer(500, {}));
    const outcome = await world.refresher('a', direct).refresh(connection({ failureCount: 30 }), integration(), ONCE);
    expect(outcome).toMatchObject({ kind: 'transient' });
    expect(outcome.kind === 'transient' ? outcome.retryAfterSec : 0).toBeLessThanOrEqual(60);
  });
});
