import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../../lambdas/management/routes/index.ts';
import { OPERATIONS } from '../../../packages/client/src/management/operations.ts';
import { gatewayError, json, type Responder, raw, testStub } from './stub.ts';

const stub = testStub();
const SESSION = json(201, {
  data: { token: 'cs_1', connect_link: 'https://g/connect', expires_at: '2026-01-01T00:00:00Z' },
});
const keys = () => stub.arrived.map(({ headers }) => headers['idempotency-key']);
const createSession = (options = {}) => stub.client().connectSessions.create({ endUser: { id: 'u' } }, options);

/** Answers each request in its turn, the last one again and again. */
function inTurn(...turns: readonly Responder[]): Responder {
  let next = 0;
  return (request, response) => turns[Math.min(next++, turns.length - 1)]?.(request, response);
}

describe('the client, of calls that make something', () => {
  it('sends a key of its own, another one for each call', async () => {
    stub.answer(SESSION);
    await createSession();
    await createSession();
    expect(keys()).toEqual([expect.stringMatching(/^"[0-9a-f-]{36}"$/), expect.stringMatching(/^"[0-9a-f-]{36}"$/)]);
    expect(new Set(keys()).size).toBe(2);
  });

  it('sends the key that it is given, in the form of the draft', async () => {
    stub.answer(SESSION);
    await createSession({ idempotencyKey: 'job "7" \\ 1' });
    expect(keys()).toEqual(['"job \\"7\\" \\\\ 1"']);
    await expect(createSession({ idempotencyKey: 'ü' })).rejects.toThrow(/idempotencyKey must be/);
    await expect(createSession({ idempotencyKey: '' })).rejects.toThrow(/idempotencyKey must be/);
  });

  it('sends one with each operation that makes something, and with no other', async () => {
    const once = Object.entries(OPERATIONS).filter(([, [, , makes]]) => makes === 'once');
    const creating = ROUTES.filter(({ creates }) => creates === true).map(({ describe }) => describe().id);
    expect(once.map(([name]) => name).sort()).toEqual(creating.sort());
    stub.answer(json(200, { connections: [] }));
    await stub.client().connections.list();
    expect(keys()).toEqual([undefined]);
  });

  it.each<[string, Responder]>([
    ['was lost', (_, response) => void response.destroy()],
    ['is not there yet', gatewayError(409, 'request_in_progress', {}, { 'retry-after': '0' })],
    ['is that a service is down', gatewayError(503, 'service_unavailable', {}, { 'retry-after': '0' })],
    ['is the front door’s, of a function that died', raw(502, '{"message":"Internal server error"}')],
  ])('repeats a request under the same key where the answer %s', async (_, trouble) => {
    stub.answer(inTurn(trouble, SESSION));
    expect((await createSession()).token).toBe('cs_1');
    expect(stub.arrived).toHaveLength(2);
    expect(new Set(keys()).size).toBe(1);
    expect(new Set(stub.arrived.map(({ body }) => body.toString())).size).toBe(1);
  });

  it.each<[string, Responder]>([
    ['a refusal', gatewayError(400, 'invalid_body')],
    ['a lost answer of the first request', gatewayError(409, 'answer_not_kept')],
    ['a wait that is long', gatewayError(503, 'service_unavailable', {}, { 'retry-after': '60' })],
    ['a defect', gatewayError(500, 'internal_error')],
  ])('repeats nothing after %s', async (_, trouble) => {
    stub.answer(trouble);
    await expect(createSession()).rejects.toThrow();
    expect(stub.arrived).toHaveLength(1);
  });

  it('gives up after two repeats, and with the caller', async () => {
    stub.answer(gatewayError(409, 'request_in_progress', {}, { 'retry-after': '0' }));
    await expect(createSession()).rejects.toMatchObject({ code: 'request_in_progress' });
    expect(stub.arrived).toHaveLength(3);
    stub.answer(gatewayError(409, 'request_in_progress', {}, { 'retry-after': '5' }));
    const control = new AbortController();
    const asked = createSession({ signal: control.signal });
    await expect.poll(() => stub.arrived.length).toBe(4);
    control.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
  });

  it('repeats no other call', async () => {
    stub.answer((_, response) => void response.destroy());
    await expect(stub.client().keys.list()).rejects.toThrow();
    expect(stub.arrived).toHaveLength(1);
  });
});
