import { describe, expect, test } from 'vitest';
import type { DoorOperations } from '../../../lambdas/gateway/core/door.ts';
import { GatewayError } from '../../../lambdas/gateway/core/errors.ts';
import { answerWithLine } from '../../../lambdas/proxy/inner-door.ts';

const context = { requestId: 'r-1', waitUntil: () => {} };

async function ask(operations: DoorOperations | undefined, event: object) {
  const lines: string[] = [];
  const logged: unknown[][] = [];
  const log = (...of: unknown[]) => void logged.push(of);
  let nowMs = Date.parse('2026-03-01T10:00:00Z');
  const deps = {
    logger: { info: log, warn: log, error: log },
    clock: { nowMs: () => nowMs++ },
    lines: { append: (line: string) => void lines.push(line) },
  };
  const { status, headers, body } = await answerWithLine(deps, operations, event, context);
  const text = body instanceof Uint8Array ? Buffer.from(body).toString() : undefined;
  return { status, headers: Object.fromEntries(headers), body: text && JSON.parse(text), lines, logged };
}

const answering: DoorOperations = {
  echo: async (input) => ({ status: 200, headers: [], body: Buffer.from(JSON.stringify(input)) }),
  nothing: async () => ({ status: 204, headers: [], body: undefined }),
  refuse: () =>
    Promise.reject(new GatewayError('rate_limited', 'Wait.', { retryAfterSec: 7, limit: { name: 'calls_per_day' } })),
  // As the class of a module that is read later.
  refuseLater: () =>
    Promise.reject(Object.assign(new Error('Over'), { name: 'GatewayError', code: 'key_expired', status: 401 })),
  fail: () => Promise.reject(new Error('secret detail')),
};

test('TB-7, TB-9: what an operation reports leaves in lines as it comes, its answer or refusal last, and one line of the log', async () => {
  const released = Promise.withResolvers<void>();
  const lines: string[] = [];
  const deps = {
    logger: { info: () => {}, warn: () => {}, error: () => {} },
    clock: { nowMs: () => 0 },
    lines: { append: (line: string) => void lines.push(line) },
  };
  const reporting: DoorOperations = {
    work: async (input, _, report) => {
      report({ progress: 1 });
      await released.promise;
      if (input === 'refuse') throw new GatewayError('rate_limited', 'Wait.', { retryAfterSec: 7 });
      return { status: 200, headers: [['content-type', 'application/json']], body: Buffer.from('"ü"') };
    },
  };
  const asked = async (input: string) => {
    const { headers, body } = await answerWithLine(deps, reporting, { operation: 'work', input }, context);
    expect(headers).toEqual([['content-type', 'application/x-ndjson']]);
    if (body === undefined || body instanceof Uint8Array) throw new Error('Not streamed');
    return body[Symbol.asyncIterator]();
  };
  const read = async (body: AsyncIterator<Uint8Array>) => {
    const { value } = await body.next();
    expect(Buffer.from(value).at(-1)).toBe(10);
    return JSON.parse(Buffer.from(value).toString());
  };
  const [done, refused] = [await asked('go'), await asked('refuse')];
  expect([await read(done), await read(refused)]).toEqual([{ part: { progress: 1 } }, { part: { progress: 1 } }]);
  expect(lines).toEqual([]);
  released.resolve();
  expect((await read(done)).end).toMatchObject({ status: 200, body: '"ü"' });
  const { end } = await read(refused);
  expect([end.status, JSON.parse(end.body).error.code]).toEqual([429, 'rate_limited']);
  expect(lines).toHaveLength(2);
});

describe('the answer of the inner door', () => {
  test('TB-7: says how long it is, so that the asking function knows its end', async () => {
    const { headers, body } = await ask(answering, { operation: 'echo', input: { a: 'ü' } });
    expect([headers['content-length'], body]).toEqual([String(Buffer.byteLength('{"a":"ü"}')), { a: 'ü' }]);
    expect((await ask(answering, { operation: 'nothing' })).headers['content-length']).toBe('0');
  });

  test('TB-4: a refusal keeps its code, its time to wait and its limit', async () => {
    const { status, headers, body, logged } = await ask(answering, { operation: 'refuse' });
    expect([status, headers['x-gateway-error'], headers['retry-after']]).toEqual([429, 'rate_limited', '7']);
    expect(body.error).toMatchObject({ code: 'rate_limited', limit: { name: 'calls_per_day' }, request_id: 'r-1' });
    expect(logged).toEqual([]);
  });

  test('TB-4: a refusal of a module that is read later is none of the gateway’s own failures', async () => {
    const { status, body } = await ask(answering, { operation: 'refuseLater' });
    expect([status, body.error.code]).toEqual([401, 'key_expired']);
  });

  test('a failure says nothing but its request’s id, and is logged', async () => {
    const { status, body, logged } = await ask(answering, { operation: 'fail' });
    expect([status, body.error.code]).toEqual([500, 'internal_error']);
    expect(JSON.stringify(body)).not.toContain('secret detail');
    expect(logged).toHaveLength(1);
  });

  test('TB-2: there is no operation but those of the alias', async () => {
    for (const operations of [undefined, answering])
      for (const operation of ['other', 'constructor', '', 7, undefined])
        expect((await ask(operations, { operation })).body.error.code).toBe('not_found');
    expect((await ask(undefined, { operation: 'echo' })).status).toBe(404);
  });

  test.each(['echo', 'refuse', 'fail', 'other'])(
    'TB-9: %s leaves one line of an invocation, without a caller',
    async (operation) => {
      const { lines } = await ask(answering, { operation, input: {} });
      expect(lines.map((line) => JSON.parse(line).call)).toEqual([
        { endedAtMs: Date.parse('2026-03-01T10:00:00Z') + 1, totalMs: 1 },
      ]);
    },
  );
});
