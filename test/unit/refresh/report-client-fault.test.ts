import { describe, expect, test } from 'vitest';
import { CLIENT_FAULT_COOL_DOWN_SEC } from '../../../lambdas/gateway/core/limits.ts';
import { reportClientFault, reportClientRecovered } from '../../../lambdas/gateway/tokens/diagnosis.ts';
import { connection, integration, START_SEC } from './support/connection.ts';
import { held, heldWorld } from './support/held-world.ts';

const REF = { accountId: 'default', integrationId: 'drive' };
const FAULT = {
  error: 'invalid_client',
  sinceEpochSec: START_SEC - 500,
  retryAtEpochSec: START_SEC - 1,
};
const failing = held({ connection: connection({ failureCount: 2 }) });

describe('a refused OAuth client', () => {
  test('TK-4: marks the integration, with one event, and gives the lease back without a back-off', async () => {
    const world = heldWorld();
    world.state.integration = integration({ sequence: 8 });
    expect(await reportClientFault(world.deps, failing, 'deleted_client', true)).toEqual({
      kind: 'client_fault',
      error: 'deleted_client',
      retryAfterSec: CLIENT_FAULT_COOL_DOWN_SEC,
    });
    const [[ref, fault, event] = []] = world.callsOf('markClientFault');
    expect(ref).toEqual(REF);
    expect(fault).toEqual({
      error: 'deleted_client',
      sinceEpochSec: START_SEC,
      retryAtEpochSec: START_SEC + CLIENT_FAULT_COOL_DOWN_SEC,
    });
    expect(event).toMatchObject({
      eventType: 'IntegrationCredentialsRejected',
      subject: REF,
      sequence: 9,
      cause: 'deleted_client',
      requestId: 'request-1',
    });
    expect(Object(event).remedy).toMatch(/^The OAuth client .* Restore the client .* connections are not at fault\.$/);
    expect(world.counted).toEqual(['IntegrationRejected deleted_client']);
    expect(world.callsOf('releaseLease')).toEqual([
      [failing.connection, failing.lease, { retryAtEpochSec: undefined, failureCount: 2, answered: true }],
    ]);
  });

  test('stays marked since the first refusal and is counted once', async () => {
    const world = heldWorld();
    world.state.integration = integration({ clientFault: FAULT });
    await reportClientFault(world.deps, failing, 'invalid_client', true);
    expect(world.callsOf('markClientFault')).toMatchObject([[REF, { sinceEpochSec: START_SEC - 500 }, {}]]);
    expect(world.counted).toEqual([]);
  });

  test('leaves the attempt open where an answer was lost before', async () => {
    const world = heldWorld();
    await reportClientFault(world.deps, failing, 'invalid_client', false);
    expect(world.callsOf('releaseLease')).toMatchObject([[{}, {}, { answered: false }]]);
  });

  test('of an integration that is gone marks nothing', async () => {
    const world = heldWorld();
    world.state.integration = undefined;
    expect(await reportClientFault(world.deps, failing, 'invalid_client', true)).toMatchObject({
      kind: 'client_fault',
    });
    expect([world.callsOf('markClientFault'), world.counted, world.logged]).toEqual([[], [], []]);
    expect(world.callsOf('releaseLease')).toHaveLength(1);
  });

  test('that cannot be noted is the same answer, and a line says so', async () => {
    const world = heldWorld();
    world.failing.add('markClientFault');
    expect(await reportClientFault(world.deps, failing, 'invalid_client', true)).toMatchObject({
      kind: 'client_fault',
    });
    expect(world.logged).toEqual([
      ['error', 'a client fault could not be noted', { requestId: 'request-1' }, 'markClientFault is away'],
    ]);
    expect(world.callsOf('releaseLease')).toHaveLength(1);
  });
});

describe('a client that works again', () => {
  const marked = held({ integration: integration({ clientFault: FAULT }) });

  test('loses its mark, with one event', async () => {
    const world = heldWorld();
    world.state.integration = integration({ clientFault: FAULT, sequence: 8 });
    await reportClientRecovered(world.deps, marked);
    expect(world.callsOf('integrations.get')).toEqual([[REF]]);
    expect(world.callsOf('clearClientFault')).toMatchObject([
      [
        REF,
        {
          eventType: 'IntegrationRecovered',
          subject: REF,
          sequence: 9,
          cause: 'invalid_client',
          requestId: 'request-1',
        },
      ],
    ]);
  });

  test('is not looked at where no mark is known', async () => {
    const world = heldWorld();
    world.state.integration = integration({ clientFault: FAULT });
    await reportClientRecovered(world.deps, held());
    expect(world.calls).toEqual([]);
  });

  test.each([
    ['the mark', integration()],
    ['the integration', undefined],
  ])('has nothing to lose when %s is gone', async (_, current) => {
    const world = heldWorld();
    world.state.integration = current;
    await reportClientRecovered(world.deps, marked);
    expect([world.callsOf('clearClientFault'), world.logged]).toEqual([[], []]);
  });

  test('whose mark cannot be taken away fails no refresh', async () => {
    const world = heldWorld();
    world.state.integration = integration({ clientFault: FAULT });
    world.failing.add('clearClientFault');
    await reportClientRecovered(world.deps, marked);
    expect(world.logged).toEqual([
      ['error', 'a recovery could not be noted', { requestId: 'request-1' }, 'clearClientFault is away'],
    ]);
  });
});
