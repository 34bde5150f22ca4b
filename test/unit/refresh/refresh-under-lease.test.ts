import { describe, expect, test } from 'vitest';
import type { HeldAttempt } from '../../../lambdas/gateway/tokens/lease.ts';
import type { TokenCallResult } from '../../../lambdas/gateway/tokens/ports.ts';
import { LeaseHolder } from '../../../lambdas/gateway/tokens/refresher.ts';
import { connection, integration, START_SEC } from './support/connection.ts';
import { DEATH, escrowed, held, heldWorld } from './support/held-world.ts';
import { fake } from './support/refresh-world.ts';

const answered = (status: number, body: unknown, retryAfter?: string): TokenCallResult => ({
  kind: 'answered',
  response: { status, body: typeof body === 'string' ? body : JSON.stringify(body), retryAfter },
});
const TOKENS = answered(200, { access_token: 'access-1', token_type: 'Bearer', expires_in: 3599 });
const lost: TokenCallResult = { kind: 'failed', reason: 'token_endpoint_timeout', ambiguous: true };
const unsent: TokenCallResult = { kind: 'failed', reason: 'token_endpoint_unreachable', ambiguous: false };

/** A holder whose provider gives these answers; `asked` counts the token calls. */
function holder(answers: readonly TokenCallResult[], clientId: string | undefined = connection().clientId) {
  const world = heldWorld();
  const asked: unknown[][] = [];
  const left = [...answers];
  const credentials =
    clientId === undefined ? undefined : { clientId, clientSecret: 's', previousClientSecret: undefined };
  const deps = {
    ...world.deps,
    credentials: { get: async () => credentials },
    tokenEndpoint: fake<typeof world.deps.tokenEndpoint>({
      refresh: async (...args: unknown[]) => {
        asked.push(args);
        return left.shift() ?? lost;
      },
    }),
  };
  const refresh = (changes: Partial<HeldAttempt> = {}) => new LeaseHolder(deps).refresh(held(changes));
  return { ...world, refresh, asked };
}

describe('how an attempt ends is counted with its cause', () => {
  test.each<[string, TokenCallResult[], string]>([
    ['tokens', [TOKENS], 'Refresh fresh none'],
    ['a dead grant', [answered(400, { error: 'invalid_grant' })], 'Refresh dead user_revoked'],
    ['a refused client', [answered(401, { error: 'deleted_client' })], 'Refresh client_fault deleted_client'],
    ['no answer', [lost, lost], 'Refresh transient token_endpoint_timeout'],
  ])('%s', async (_, answers, counted) => {
    const world = holder(answers);
    await world.refresh();
    expect(world.counted.at(-1)).toBe(counted);
  });
});

describe('an attempt that brings no tokens closes', () => {
  test.each<[string, TokenCallResult[], boolean]>([
    ['after an answer', [answered(503, {})], true],
    ['where no request left', [unsent, unsent], true],
    ['not after a lost answer', [lost, lost], false],
    ['not after a lost answer and a clean one', [lost, answered(503, {})], false],
    ['not after a success that cannot be read', [answered(200, 'not json')], false],
    ['not after a lost answer and a refused client', [lost, answered(401, { error: 'deleted_client' })], false],
    ['after a refused client', [answered(401, { error: 'deleted_client' })], true],
  ])('%s', async (_, answers, closed) => {
    const world = holder(answers);
    await world.refresh();
    expect(world.callsOf('releaseLease')).toMatchObject([[{}, {}, { answered: closed }]]);
  });

  test('and waits as long as the provider says', async () => {
    const world = holder([answered(503, {}, '90')]);
    expect(await world.refresh()).toMatchObject({ kind: 'transient', retryAfterSec: 90 });
  });
});

describe('before the provider is asked', () => {
  test('escrow is looked at after an attempt that never closed, or when told to', async () => {
    for (const changes of [{ lostHash: 'hash' }, { adopt: true }]) {
      const world = holder([]);
      world.state.escrow = escrowed();
      expect(await world.refresh(changes)).toMatchObject({ kind: 'fresh', accessToken: undefined });
      expect(world.asked).toEqual([]);
    }
  });

  test('escrow is not looked at otherwise', async () => {
    const world = holder([TOKENS]);
    world.state.escrow = escrowed();
    expect(await world.refresh()).toMatchObject({ kind: 'fresh', accessToken: 'access-1' });
    expect(world.callsOf('escrow.read')).toEqual([]);
  });

  test('a dead connection without newer tokens gives the lease back closed', async () => {
    const world = holder([TOKENS]);
    const dead = connection({ status: 'reauthorization_required', death: DEATH });
    expect(await world.refresh({ adopt: true, connection: dead })).toEqual({
      kind: 'dead',
      connection: dead,
      death: DEATH,
    });
    expect(world.asked).toEqual([]);
    expect(world.callsOf('releaseLease')).toMatchObject([[{}, {}, { retryAtEpochSec: undefined, answered: true }]]);
  });

  test('a live connection without newer tokens is refreshed', async () => {
    const world = holder([TOKENS]);
    expect(await world.refresh({ adopt: true })).toMatchObject({ kind: 'fresh', accessToken: 'access-1' });
    const forced = holder([TOKENS]);
    const dead = connection({ status: 'reauthorization_required', death: DEATH });
    expect(await forced.refresh({ connection: dead })).toMatchObject({ kind: 'fresh', accessToken: 'access-1' });
  });

  test('the call ends within the attempt’s time', async () => {
    const world = holder([TOKENS]);
    await world.refresh({ callUntilMs: START_SEC * 1000 + 900 });
    expect(world.asked.map(([, , , , timeoutMs]) => timeoutMs)).toEqual([900]);
  });
});

test('an integration without credentials is the client’s fault, in an attempt that is closed', async () => {
  const world = holder([]);
  const bare = heldWorld();
  const deps = { ...bare.deps, credentials: { get: async () => undefined } };
  expect(await new LeaseHolder(deps).refresh(held())).toMatchObject({
    kind: 'client_fault',
    error: 'credentials_missing',
  });
  expect(bare.callsOf('releaseLease')).toMatchObject([[{}, {}, { answered: true }]]);
  expect(world.asked).toEqual([]);
});

test('an integration of another client ends the grant without asking', async () => {
  const world = holder([TOKENS], 'another-client');
  expect(await world.refresh()).toMatchObject({ kind: 'dead', death: { cause: 'credentials_changed' } });
  expect(world.asked).toEqual([]);
});

test('new tokens take the mark off an integration whose client was refused', async () => {
  const world = holder([TOKENS]);
  const clientFault = { error: 'invalid_client', sinceEpochSec: START_SEC, retryAtEpochSec: START_SEC };
  world.state.integration = integration({ clientFault });
  await world.refresh({ integration: integration({ clientFault }) });
  expect(world.callsOf('clearClientFault')).toHaveLength(1);
});
