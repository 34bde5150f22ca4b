import { describe, expect, test } from 'vitest';
import type { RefreshOutcome } from '../../../lambdas/gateway/tokens/lease.ts';
import { RefreshMemory } from '../../../lambdas/gateway/tokens/refresher.ts';
import { connection, integration, START_SEC } from './support/connection.ts';

const transient: RefreshOutcome = { kind: 'transient', reason: 'http_503', retryAfterSec: 40 };
const fault: RefreshOutcome = { kind: 'client_fault', error: 'invalid_client', retryAfterSec: 60 };
const fresh: RefreshOutcome = { kind: 'fresh', connection: connection(), accessToken: undefined };
const busy: RefreshOutcome = { kind: 'busy', connection: connection() };

function remembering(...outcomes: RefreshOutcome[]): RefreshMemory {
  const memory = new RefreshMemory();
  for (const outcome of outcomes) memory.note(connection(), outcome, START_SEC);
  return memory;
}

describe('a back-off', () => {
  test('is remembered until its time has come', () => {
    const memory = remembering(transient);
    expect(memory.retryAt(connection(), START_SEC)).toBe(START_SEC + 40);
    expect(memory.retryAt(connection(), START_SEC + 39)).toBe(START_SEC + 40);
    expect(memory.retryAt(connection(), START_SEC + 40)).toBe(0);
  });

  test('belongs to one connection and to the tokens that failed', () => {
    const memory = remembering(transient);
    expect(memory.retryAt(connection({ connectionId: 'c2' }), START_SEC)).toBe(0);
    expect(memory.retryAt(connection({ tokenEpoch: 2 }), START_SEC)).toBe(0);
  });

  test.each([fresh, busy, fault])('is forgotten when a later attempt ends otherwise: %j', (outcome) => {
    expect(remembering(transient, outcome).retryAt(connection(), START_SEC)).toBe(0);
  });

  test('says nothing against the client', () => {
    expect(remembering(transient).clientFault(integration(), START_SEC)).toBeUndefined();
  });
});

describe('a fault of the client', () => {
  test('holds for the integration, with what is left of its pause', () => {
    const memory = remembering(fault);
    expect(memory.clientFault(integration(), START_SEC)).toEqual(fault);
    expect(memory.clientFault(integration(), START_SEC + 59)).toEqual({ ...fault, retryAfterSec: 1 });
    expect(memory.clientFault(integration(), START_SEC + 60)).toBeUndefined();
    expect(memory.clientFault(integration({ integrationId: 'calendar' }), START_SEC)).toBeUndefined();
  });

  test('is no back-off of the connection that met it', () => {
    expect(remembering(fault).retryAt(connection(), START_SEC)).toBe(0);
  });

  test('ends when a refresh succeeds, and with nothing less', () => {
    expect(remembering(fault, fresh).clientFault(integration(), START_SEC)).toBeUndefined();
    expect(remembering(fault, busy).clientFault(integration(), START_SEC)).toEqual(fault);
    expect(remembering(fault, transient).clientFault(integration(), START_SEC)).toEqual(fault);
  });

  test('that another process has stored counts while it cools down', () => {
    const marked = (retryAtEpochSec: number) =>
      integration({ clientFault: { error: 'deleted_client', sinceEpochSec: START_SEC - 9, retryAtEpochSec } });
    const memory = remembering();
    expect(memory.clientFault(marked(START_SEC + 7), START_SEC)).toEqual({
      kind: 'client_fault',
      error: 'deleted_client',
      retryAfterSec: 7,
    });
    expect(memory.clientFault(marked(START_SEC), START_SEC)).toBeUndefined();
    expect(memory.clientFault(integration(), START_SEC)).toBeUndefined();
  });

  test('as stored is told before this process’s own, which counts again once the stored one has passed', () => {
    const memory = remembering(fault);
    const stored = { error: 'deleted_client', sinceEpochSec: START_SEC };
    const later = integration({ clientFault: { ...stored, retryAtEpochSec: START_SEC + 5 } });
    expect(memory.clientFault(later, START_SEC)).toMatchObject({ error: 'deleted_client', retryAfterSec: 5 });
    expect(memory.clientFault(later, START_SEC + 5)).toMatchObject({ error: 'invalid_client', retryAfterSec: 55 });
  });
});
