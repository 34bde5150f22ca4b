import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../../lambdas/gateway/core/errors.ts';
import { type GatewayRequest, headerValues } from '../../../lambdas/gateway/core/http-message.ts';
import {
  IDEMPOTENCY_KEY_LIFETIME_SEC,
  IDEMPOTENT_ANSWER_MAX_BYTES,
  IDEMPOTENT_RUN_SEC,
} from '../../../lambdas/gateway/core/limits.ts';
import { ROUTES } from '../../../lambdas/management/routes/index.ts';
import { serveRequest } from '../../../lambdas/management/serve-request.ts';
import { FULL_KEY, managementGateway, secretKey, serve, textAt } from './support/gateway.ts';
import { OPERATOR_TOKEN, operatorGateway } from './support/operator.ts';

const SESSION = { end_user: { id: 'u-1' } };

type Gateway = ReturnType<typeof managementGateway>;
type Asked = Partial<Parameters<Gateway['call']>[2]> & { readonly as?: string };

/** Asks for a connect session under a key. */
function ask(gateway: Gateway, { as = 'k-1', body = SESSION, ...options }: Asked = {}) {
  return gateway.call('POST', '/connect/sessions', { body, headers: [['idempotency-key', as]], ...options });
}

const sessionsOf = (gateway: Gateway) => gateway.memory.ofType('connect_session');
const notesOf = (gateway: Gateway) => gateway.memory.ofType('request_note');

/** What a client can read of an answer, but for the id of its own request. */
const said = ({ status, body, headers }: Awaited<ReturnType<Gateway['call']>>) => ({
  status,
  body,
  type: headers['content-type'],
});

describe('Idempotency-Key', () => {
  it('gives the same answer again and makes nothing more', async () => {
    const gateway = managementGateway();
    const first = await ask(gateway);
    expect(first.status).toBe(201);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    const again = await ask(gateway);
    expect(said(again)).toEqual(said(first));
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.headers['cache-control']).toBe('no-store');
    expect(sessionsOf(gateway)).toHaveLength(1);
    expect(gateway.events.types()).toEqual(['ConnectSessionCreated']);
  });

  it('Idempotency-Key is taken by every route that makes something, and by these alone', () => {
    const paths = ROUTES.filter(({ creates }) => creates === true).map(({ method, pattern }) => `${method} ${pattern}`);
    expect(paths.sort()).toEqual([
      'POST /account/agents',
      'POST /account/keys',
      'POST /account/roles',
      'POST /connect/reconnect-links',
      'POST /connect/sessions',
      'POST /connect/sessions/admin',
      'POST /connect/sessions/confirm',
      'POST /connect/sessions/reconnect',
      'POST /connections',
      'POST /feeds',
      'POST /integrations',
      'POST /integrations/quickstart',
      'POST /webhooks',
      'POST /webhooks/{webhookId}/replay',
      'POST /webhooks/{webhookId}/rotate-secret',
      'POST /webhooks/{webhookId}/test',
    ]);
    const others = ROUTES.filter(
      ({ method, status, creates }) => method === 'POST' && status === 201 && creates !== true,
    );
    expect(others.map(({ pattern }) => pattern)).toEqual(['/connections/metadata']);
  });

  it('Idempotency-Key is the same key in quotes, as the draft writes it, and bare', async () => {
    const gateway = managementGateway();
    const first = await ask(gateway, { as: '"8e03978e-40d5"' });
    expect(said(await ask(gateway, { as: '8e03978e-40d5' }))).toEqual(said(first));
    expect((await ask(gateway, { as: '"8e03978e \\"40d5\\\\"' })).headers['idempotent-replayed']).toBeUndefined();
  });

  it.each(['', '""', '"open', 'two words', 'a,b', '"a";p=1', '"\\a"', 'ü', 'k'.repeat(256)])(
    'Idempotency-Key is refused where it is malformed, and nothing is made: %j',
    async (as) => {
      const gateway = managementGateway();
      const reply = await ask(gateway, { as });
      expect(reply).toMatchObject({ status: 400, code: 'invalid_headers', paths: ['headers.Idempotency-Key'] });
      expect(sessionsOf(gateway)).toEqual([]);
    },
  );

  it('Idempotency-Key is refused where it is sent twice', async () => {
    const gateway = managementGateway();
    const twice = [['idempotency-key', 'a'] as const, ['Idempotency-Key', 'a'] as const];
    expect(await ask(gateway, { headers: twice })).toMatchObject({ status: 400, code: 'invalid_headers' });
  });

  it('answers 422 to another body, query or path under the same key, and keeps the first answer', async () => {
    const gateway = managementGateway();
    const first = await ask(gateway);
    expect(await ask(gateway, { body: { end_user: { id: 'u-2' } } })).toMatchObject({
      status: 422,
      code: 'idempotency_key_reused',
    });
    const elsewhere = await gateway.call('POST', '/account/keys', {
      body: SESSION,
      headers: [['idempotency-key', 'k-1']],
    });
    expect(elsewhere.status).toBe(422);
    expect(sessionsOf(gateway)).toHaveLength(1);
    expect(said(await ask(gateway))).toEqual(said(first));
  });

  it('answers 409 with Retry-After while the first request runs, and makes one thing', async () => {
    const gateway = managementGateway();
    let during: Awaited<ReturnType<typeof ask>> | undefined;
    onceAt(gateway, isTransaction, async (send) => {
      during = await ask(gateway);
      return send();
    });
    const first = await ask(gateway);
    expect(first.status).toBe(201);
    expect(during).toMatchObject({ status: 409, code: 'request_in_progress', headers: { 'retry-after': '1' } });
    expect(sessionsOf(gateway)).toHaveLength(1);
    expect(said(await ask(gateway))).toEqual(said(first));
  });

  it('belongs to one caller: another secret key, an operator and another account have keys of their own', async () => {
    const { gateway } = operatorGateway();
    const other = gateway.addKey(secretKey('other'));
    const foreign = gateway.addKey(secretKey('foreign', 'acme'));
    const replies = [];
    for (const key of [FULL_KEY, other, foreign, OPERATOR_TOKEN]) replies.push(await ask(gateway, { key }));
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(replies.map(({ body }) => textAt(body, 'data', 'token'))).size).toBe(4);
    expect(sessionsOf(gateway)).toHaveLength(4);
  });

  it('Idempotency-Key is free again after 24 hours, also where the row has not been deleted yet', async () => {
    const gateway = managementGateway();
    const first = await ask(gateway);
    gateway.clock.advanceSec(IDEMPOTENCY_KEY_LIFETIME_SEC - 1);
    expect(said(await ask(gateway))).toEqual(said(first));
    gateway.clock.advanceSec(1);
    const later = await ask(gateway);
    expect(later.headers['idempotent-replayed']).toBeUndefined();
    expect(sessionsOf(gateway)).toHaveLength(2);
  });

  it('Idempotency-Key is free again after a request that was refused and changed nothing', async () => {
    const gateway = managementGateway();
    expect((await ask(gateway, { body: { end_user: {} } })).status).toBe(400);
    expect(notesOf(gateway)).toEqual([]);
    expect((await ask(gateway)).status).toBe(201);
  });

  it('AK-1: stores an answer with a secret encrypted, shows it again to its caller, and nowhere else', async () => {
    const gateway = managementGateway();
    const body = { name: 'Backend', right: 'read' };
    const headers = [['idempotency-key', 'k']] as const;
    const first = await gateway.call('POST', '/account/keys', { body, headers });
    const text = textAt(first.body, 'data', 'secret_key');
    expect(said(await gateway.call('POST', '/account/keys', { body, headers }))).toEqual(said(first));
    const [note] = notesOf(gateway);
    expect(String(note?.answer)).not.toContain(text);
    expect(JSON.stringify([...gateway.memory.items.values()])).not.toContain(text);
    // Copied to another note, it cannot be read.
    await gateway.call('POST', '/account/keys', { body, headers: [['idempotency-key', 'other']] });
    const other = notesOf(gateway).find(({ sk }) => sk !== note?.sk);
    gateway.memory.put({ ...other, answer: note?.answer });
    const moved = await gateway.call('POST', '/account/keys', { body, headers: [['idempotency-key', 'other']] });
    expect(moved).toMatchObject({ status: 409, code: 'answer_not_kept' });
  });

  it('repeats a refusal that has changed something, as it was', async () => {
    const gateway = managementGateway();
    const { sessions } = gateway.services;
    const services = {
      ...gateway.services,
      sessions: {
        ...sessions,
        async create(...args: Parameters<typeof sessions.create>) {
          await sessions.create(...args);
          throw new GatewayError('conflict', 'Made, and taken back.');
        },
      },
    };
    const send = () => serve(sessionRequest(), services);
    const [first, again] = [await send(), await send()];
    expect([first.status, again.status]).toEqual([409, 409]);
    expect(again.body).toEqual(first.body);
    expect(headerValues(again.headers, 'x-gateway-error')).toEqual(['conflict']);
    expect(headerValues(again.headers, 'idempotent-replayed')).toEqual(['true']);
    expect(sessionsOf(gateway)).toHaveLength(1);
  });

  it('says that the thing was made where its answer is too large to be kept', async () => {
    const gateway = managementGateway();
    const route = ROUTES.find(({ pattern, method }) => pattern === '/connect/sessions' && method === 'POST');
    if (route === undefined) throw new Error('no such route');
    let runs = 0;
    const run: typeof route.run = async () => {
      runs++;
      return { status: 201, body: { text: 'x'.repeat(IDEMPOTENT_ANSWER_MAX_BYTES) } };
    };
    const send = () => serveRequest(sessionRequest(), gateway.services, { routes: [{ ...route, run }] });
    expect((await send()).status).toBe(201);
    expect(headerValues((await send()).headers, 'x-gateway-error')).toEqual(['answer_not_kept']);
    expect(runs).toBe(1);
  });
});

describe('a request with an Idempotency-Key whose run dies', () => {
  it('runs again after 20 seconds where it had made nothing', async () => {
    const gateway = managementGateway();
    const reached = onceAt(gateway, isTransaction, () => never);
    void ask(gateway);
    await reached;
    expect(await ask(gateway)).toMatchObject({ status: 409, code: 'request_in_progress' });
    gateway.clock.advanceSec(IDEMPOTENT_RUN_SEC - 1);
    expect((await ask(gateway)).status).toBe(409);
    gateway.clock.advanceSec(1);
    expect((await ask(gateway)).status).toBe(201);
    expect(sessionsOf(gateway)).toHaveLength(1);
  });

  it('says that it was carried out where the thing was made and the answer was not noted, and makes no second one', async () => {
    const gateway = managementGateway();
    const reached = onceAt(gateway, isAnswer, () => never);
    void ask(gateway);
    await reached;
    expect(await ask(gateway)).toMatchObject({ status: 409, code: 'request_in_progress' });
    gateway.clock.advanceSec(IDEMPOTENT_RUN_SEC);
    expect(await ask(gateway)).toMatchObject({ status: 409, code: 'answer_not_kept' });
    expect(sessionsOf(gateway)).toHaveLength(1);
  });

  it('runs again at once where it failed before anything was made', async () => {
    const gateway = managementGateway();
    onceAt(gateway, isTransaction, () => Promise.reject(new Error('The table is not reachable')));
    expect((await ask(gateway)).status).toBe(500);
    expect((await ask(gateway)).status).toBe(201);
    expect(sessionsOf(gateway)).toHaveLength(1);
  });

  it('makes no second thing where the reply to its own write was lost', async () => {
    const gateway = managementGateway();
    onceAt(gateway, isTransaction, async (send) => {
      await send();
      throw new Error('The reply was lost');
    });
    expect((await ask(gateway)).status).toBe(500);
    expect(await ask(gateway)).toMatchObject({ status: 409, code: 'answer_not_kept' });
    expect(sessionsOf(gateway)).toHaveLength(1);
  });

  it('writes nothing any more once another run has taken its place', async () => {
    const gateway = managementGateway();
    let wake = () => {};
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const reached = onceAt(gateway, isTransaction, async (send) => {
      await woken;
      return send();
    });
    const late = ask(gateway);
    await reached;
    gateway.clock.advanceSec(IDEMPOTENT_RUN_SEC);
    const second = await ask(gateway);
    expect(second.status).toBe(201);
    wake();
    expect(await late).toMatchObject({ status: 409, code: 'request_in_progress' });
    expect(sessionsOf(gateway)).toHaveLength(1);
    expect(said(await ask(gateway))).toEqual(said(second));
  });

  it('answers its own caller also where its answer cannot be noted', async () => {
    const gateway = managementGateway();
    onceAt(gateway, isAnswer, () => Promise.reject(new Error('The table is not reachable')));
    expect((await ask(gateway)).status).toBe(201);
    expect(gateway.logged).toContain('an answer could not be noted');
  });
});

const never = new Promise<never>(() => {});
const isTransaction = (command: object) => command instanceof TransactWriteCommand;
const isAnswer = (command: object) =>
  command instanceof UpdateCommand && command.input.UpdateExpression === 'SET answer = :answer';

/** Does something else at the next such command of the table. @returns when it is reached */
function onceAt(
  gateway: Gateway,
  isMeant: (command: object) => boolean,
  step: (send: () => Promise<object>) => Promise<object>,
): Promise<void> {
  const { client } = gateway.memory.table;
  const real = client.send;
  const send = (command: object): Promise<object> => Reflect.apply(real, client, [command]);
  return new Promise((resolve) => {
    let isOver = false;
    Object.assign(client, {
      send(command: object) {
        if (isOver || !isMeant(command)) return send(command);
        isOver = true;
        resolve();
        return step(() => send(command));
      },
    });
  });
}

let requests = 0;

function sessionRequest(): GatewayRequest {
  return {
    method: 'POST',
    rawPath: '/connect/sessions',
    query: [],
    headers: [
      ['authorization', `Bearer ${FULL_KEY}`],
      ['content-type', 'application/json'],
      ['idempotency-key', 'k-1'],
    ],
    body: Buffer.from(JSON.stringify(SESSION)),
    requestId: `direct-${++requests}`,
    sourceIp: '192.0.2.1',
  };
}
