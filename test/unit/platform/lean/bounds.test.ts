import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, type TestOptions, test, vi } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import { quietNowMs } from '../../../support/quiet-time.ts';
import { fullListener, TROUBLES } from '../support/troubles.ts';
import { type Driver, inLambda, json, LIMITS, outcomeOf, recordingService, useDrivers } from './clients.ts';

const driverOf = useDrivers();

beforeEach(() => inLambda());
afterEach(() => {
  vi.unstubAllEnvs();
  for (const name of CLIENTS) driverOf(name).endCallsWithInvocation(Number.POSITIVE_INFINITY);
});

const CLIENTS = ['sdk', 'lean'] as const;
/** What holds for the SDK is the other half of the claim; its bounds have tests of their own (aws-client.test.ts). */
const RUNS: readonly (readonly [(typeof CLIENTS)[number], TestOptions])[] = [
  ['lean', {}],
  ['sdk', { tags: ['long'] }],
];
/** Longer than a test that passes needs, short enough for one that does not. */
const PATIENT = { ...LIMITS, attempts: 2, answerMs: 15_000, lastRepeatMs: 15_000 };
/** Short, so that a test takes no time. */
const SHORT = { ...LIMITS, attempts: 2, answerMs: 200 };
const ITEM = JSON.stringify({ Item: { pk: { S: 'a' } } });

const get = (d: Driver, limits = LIMITS, options?: { readonly abortSignal: AbortSignal }) => {
  const { client } = d.openTable('gateway', {}, limits);
  return client.send(new d.GetCommand({ TableName: 'gateway', Key: { pk: 'a' } }), options);
};

/** What a call ended with, and after how long. */
async function timed(call: () => Promise<unknown>) {
  const [from, quietFrom] = [performance.now(), quietNowMs()];
  const outcome = await outcomeOf(call);
  return { ...outcome, ms: performance.now() - from, quietMs: quietNowMs() - quietFrom };
}

describe.each(RUNS)('LA-22: with the %s client a service that', (name, options) => {
  test.each(TROUBLES)('%s is asked twice and then given up as an outage', options, async (_, trouble) => {
    const requests = await recordingService((response) => trouble(response));
    const { error, ms, quietMs } = await timed(() => get(driverOf(name), SHORT));
    expect(error).toMatchObject({
      name: 'GatewayError',
      code: 'service_unavailable',
      cause: { name: 'TimeoutError', $metadata: { attempts: 2 } },
    });
    // A busy machine may give up a request before it has left.
    expect(requests.length).toBeLessThanOrEqual(2);
    expect(ms).toBeGreaterThan(2 * SHORT.answerMs - 50);
    expect(quietMs).toBeLessThan(10_000);
  });

  test.each(TROUBLES)('%s is let go at once by a signal, and not asked again (LA-2)', options, async (_, trouble) => {
    const leaving = new AbortController();
    const requests = await recordingService((response) => {
      trouble(response);
      leaving.abort();
    });
    const { error, quietMs } = await timed(() => get(driverOf(name), PATIENT, { abortSignal: leaving.signal }));
    expect(error).toMatchObject({ name: 'AbortError', message: 'Request aborted' });
    expect(quietMs).toBeLessThan(10_000);
    expect(requests).toHaveLength(1);
  });

  test('throttles is let go while the call waits for its repeat', options, async () => {
    await recordingService(json(400, { __type: 'x#ThrottlingException' }));
    const limits = { ...PATIENT, attempts: 1_000 };
    const { error, quietMs } = await timed(() =>
      get(driverOf(name), limits, { abortSignal: AbortSignal.timeout(100) }),
    );
    expect(error?.name).toBe('AbortError');
    expect(quietMs).toBeLessThan(10_000);
  });

  test('a service is not asked at all by a call whose signal was over before', options, async () => {
    const requests = await recordingService();
    const { error } = await timed(() => get(driverOf(name), LIMITS, { abortSignal: AbortSignal.abort() }));
    expect(error?.name).toBe('AbortError');
    expect(requests).toEqual([]);
  });

  test('cuts its answers is asked again until one is whole', options, async () => {
    const requests = await recordingService((response, count) => {
      response.writeHead(200, { 'content-length': ITEM.length });
      if (count === 3) response.end(ITEM);
      else response.write(ITEM.slice(0, 9), () => response.socket?.resetAndDestroy());
    });
    expect((await timed(() => get(driverOf(name)))).output).toMatchObject({ Item: { pk: 'a' } });
    expect(requests).toHaveLength(3);
  });

  test('ends its answers early without a reset is asked again, too', options, async () => {
    const requests = await recordingService((response, count) => {
      response.writeHead(200, { 'content-length': ITEM.length });
      if (count === 2) response.end(ITEM);
      else response.write(ITEM.slice(0, 9), () => response.socket?.end());
    });
    expect((await timed(() => get(driverOf(name)))).output).toMatchObject({ Item: { pk: 'a' } });
    expect(requests).toHaveLength(2);
  });

  test('answers what is no HTTP fails its call with an error of Node', options, async () => {
    await recordingService((response) => response.socket?.end('garbage\r\n\r\n'));
    const { error } = await timed(() => get(driverOf(name), { ...LIMITS, attempts: 1 }));
    expect(JSON.stringify(error)).toContain('HPE_INVALID_CONSTANT');
  });

  test('takes no connection is given up after the time for one', options, async () => {
    vi.stubEnv('AWS_ENDPOINT_URL', await fullListener());
    const { error, quietMs } = await timed(() => get(driverOf(name), { ...LIMITS, connectMs: 100, attempts: 1 }));
    expect(error).toMatchObject({ cause: { name: 'TimeoutError', message: expect.stringContaining('connection') } });
    expect(quietMs).toBeLessThan(10_000);
  });

  test('a service that is not there is asked as often as it may be', options, async () => {
    vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:1');
    const { error } = await timed(() => get(driverOf(name)));
    expect(error).toMatchObject({ cause: { code: 'ECONNREFUSED', $metadata: { attempts: 4 } } });
  });

  test('F115: a service that is away is given up so early that the invocation can still answer', options, async () => {
    await recordingService(() => {});
    driverOf(name).endCallsWithInvocation(1_300);
    expect((await timed(() => get(driverOf(name)))).quietMs).toBeLessThan(10_000);
  });
});

describe.each(RUNS)('LA-23: the %s client', (name, options) => {
  test('sends one call after the other over one connection', options, async () => {
    const requests = await recordingService();
    const d = driverOf(name);
    const { client } = d.openTable('gateway', {}, LIMITS);
    for (let n = 0; n < 5; n++) await client.send(new d.GetCommand({ TableName: 'gateway', Key: { pk: 'a' } }));
    expect(new Set(requests.map(({ port }) => port)).size).toBe(1);
  });

  test('repeats a call whose connection the service had closed meanwhile', options, async () => {
    const closing = (response: ServerResponse, count: number) => {
      if (count === 2) response.socket?.resetAndDestroy();
      else response.end(ITEM);
    };
    const requests = await recordingService(closing);
    const d = driverOf(name);
    const { client } = d.openTable('gateway', {}, LIMITS);
    const send = () => client.send(new d.GetCommand({ TableName: 'gateway', Key: { pk: 'a' } }));
    await send();
    expect(await send()).toMatchObject({ Item: { pk: 'a' }, $metadata: { attempts: 2 } });
    expect(requests).toHaveLength(3);
  });

  test('opens at most fifty connections', options, async () => {
    const held: ServerResponse[] = [];
    let isFull = false;
    const requests = await recordingService((response) => {
      if (isFull) response.end('{}');
      else held.push(response);
    });
    const d = driverOf(name);
    const { client } = d.openTable('gateway', {}, LIMITS);
    const key = { TableName: 'gateway', Key: { pk: 'a' } };
    const calls = Promise.all(Array.from({ length: 60 }, () => client.send(new d.GetCommand(key))));
    await eventually(() => expect(held).toHaveLength(50));
    isFull = true;
    for (const response of held) response.end('{}');
    await calls;
    expect(new Set(requests.map(({ port }) => port)).size).toBe(50);
  });

  test('asks again for the keys of a batch that the table did not get to (F47)', options, async () => {
    const answers = [
      {
        Responses: { gateway: [{ pk: { S: 'a' } }] },
        UnprocessedKeys: { gateway: { Keys: [{ pk: { S: 'b' }, sk: { S: 'c' } }] } },
      },
      { Responses: { gateway: [{ pk: { S: 'b' }, bytes: { B: 'AAE=' } }] }, UnprocessedKeys: {} },
    ];
    const requests = await recordingService((response, count) => response.end(JSON.stringify(answers[count - 1])));
    const d = driverOf(name);
    const items = await d.batchGet(d.openTable('gateway', {}, LIMITS), [
      { pk: 'a', sk: 'c' },
      { pk: 'b', sk: 'c' },
    ]);
    expect(items).toEqual([{ pk: 'a' }, { pk: 'b', bytes: Uint8Array.from([0, 1]) }]);
    expect(JSON.parse(String(requests[1]?.body))).toEqual({
      RequestItems: { gateway: { Keys: [{ pk: { S: 'b' }, sk: { S: 'c' } }] } },
    });
  });

  test('ST-25: reports each request that the table throttles', options, async () => {
    await recordingService((response, count) =>
      count < 3 ? json(400, { __type: 'x#ThrottlingException' })(response, count, NEVER) : response.end(ITEM),
    );
    vi.spyOn(Math, 'random').mockReturnValue(0.01);
    let told = 0;
    const d = driverOf(name);
    const { client } = d.openTable('gateway', { onThrottled: () => void told++ }, LIMITS);
    await client.send(new d.GetCommand({ TableName: 'gateway', Key: { pk: 'a' } }));
    vi.restoreAllMocks();
    expect(told).toBe(2);
  });
});

const NEVER = { method: '', path: '', headers: {}, body: Buffer.alloc(0), port: 0 };
