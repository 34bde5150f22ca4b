import { getEventListeners, once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { GatewayClient, NetworkError, TimeoutError } from '../../../packages/client/src/index.ts';
import { CALL as call, inTwoParts, json, raw, SECRET_KEY, testStub, until } from './stub.ts';

const stub = testStub();
const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => void process.off('unhandledRejection', note));
afterEach(async () => {
  // Rejections nobody handles are reported a turn later.
  await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled.splice(0)).toEqual([]);
});

const BYTES = { 'content-type': 'application/octet-stream' };

/** Answers with a head and half a body; the rest never comes. */
function halfAnswer(then: 'hang' | 'break'): void {
  stub.answer((_request, response) => {
    response.writeHead(200, BYTES);
    response.write('half', () => {
      if (then === 'break') response.destroy();
    });
  });
}

/** A stream of the caller's that never ends, and what became of it. */
function endlessSource() {
  const state = { isReleased: false, yielded: 0 };
  async function* source(): AsyncGenerator<string> {
    try {
      for (; ; state.yielded += 1) {
        yield 'x'.repeat(1024);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    } finally {
      state.isReleased = true;
    }
  }
  return { source: source(), state };
}

describe('an address that is not quite the gateway’s', () => {
  // What API Gateway answers by itself where its stage is missing in the address.
  const noStage = () =>
    stub.answer((_request, response) => {
      response.writeHead(403, { 'content-type': 'application/json', 'x-amzn-errortype': 'ForbiddenException' });
      response.end('{"message":"Forbidden"}');
    });

  it('says that the stage is missing or is not there, and blames nothing on Google', async () => {
    for (const send of [() => stub.client().get(call), () => stub.client().connections.list()]) {
      noStage();
      await expect(send()).rejects.toMatchObject({
        name: 'UnexpectedAnswerError',
        message: expect.stringMatching(/baseUrl.*stage/),
      });
    }
  });
});

describe('an answer that does not come', () => {
  it('ends after the time limit, and may have been applied if it was a write', async () => {
    stub.answer(() => {});
    const reading = stub.client({ timeoutMs: 40 }).get(call);
    await expect(reading).rejects.toMatchObject({ name: 'TimeoutError', timeoutMs: 40, mayHaveBeenApplied: false });
    const writing = stub.client().post({ ...call, timeoutMs: 40 });
    await expect(writing).rejects.toMatchObject({ mayHaveBeenApplied: true });
  });

  it('counts the body of a buffered answer into the time limit', async () => {
    halfAnswer('hang');
    await expect(stub.client({ timeoutMs: 60 }).get(call)).rejects.toBeInstanceOf(TimeoutError);
  });

  it('counts only the head of a stream into the time limit', async () => {
    const { answer, finish } = inTwoParts('a', 'b');
    stub.answer(answer);
    const started = performance.now();
    const { data } = await stub.client({ timeoutMs: 2_000 }).get({ ...call, responseType: 'stream' });
    await until('the time limit has passed', () => performance.now() - started > 2_100);
    finish();
    expect(await new Response(data).text()).toBe('ab');
  });
});

describe('a connection', () => {
  it('a connection that is refused applies nothing', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const baseUrl = `http://127.0.0.1:${Object(server.address()).port}`;
    await new Promise((resolve) => server.close(resolve));
    const client = new GatewayClient({ baseUrl, secretKey: SECRET_KEY });
    const error = await client.post(call).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ mayHaveBeenApplied: false });
    expect(String(error)).toContain(`The gateway at ${baseUrl} did not answer (ECONNREFUSED).`);
  });

  it('a connection that breaks before an answer leaves open whether a write was applied', async () => {
    stub.answer((_request, response) => void response.destroy());
    await expect(stub.client().post(call)).rejects.toMatchObject({ name: 'NetworkError', mayHaveBeenApplied: true });
    await expect(stub.client().get(call)).rejects.toMatchObject({ name: 'NetworkError', mayHaveBeenApplied: false });
  });

  it('a connection that breaks in mid-body fails the call', async () => {
    halfAnswer('break');
    await expect(stub.client().get(call)).rejects.toThrow(/broke off/);
  });

  it('a connection that breaks in mid-body fails the stream', async () => {
    halfAnswer('break');
    const { data } = await stub.client().get({ ...call, responseType: 'stream' });
    await expect(new Response(data).text()).rejects.toBeInstanceOf(NetworkError);
  });

  it('a connection that ends too early without a sign is noticed by the length the provider announced', async () => {
    stub.answer(raw(200, 'half', { ...BYTES, 'x-upstream-content-length': '8' }));
    await expect(stub.client().get(call)).rejects.toThrow('after 4 of 8 bytes');
    const { data } = await stub.client().get({ ...call, responseType: 'stream' });
    await expect(new Response(data).text()).rejects.toThrow('after 4 of 8 bytes');
  });
});

describe('a signal', () => {
  it('a signal that is aborted already sends nothing', async () => {
    await expect(stub.client().get({ ...call, signal: AbortSignal.abort(new Error('mine')) })).rejects.toThrow('mine');
    expect(stub.arrived).toEqual([]);
  });

  it('ends a call that waits, with its own reason', async () => {
    const controller = new AbortController();
    stub.answer(() => {});
    const waiting = stub.client().get({ ...call, signal: controller.signal });
    const outcome = expect(waiting).rejects.toThrow('mine');
    await until('the request arrived', () => stub.arrived.length > 0);
    controller.abort(new Error('mine'));
    await outcome;
  });

  it('ends a stream that is being read', async () => {
    const controller = new AbortController();
    halfAnswer('hang');
    const { data } = await stub.client().get({ ...call, responseType: 'stream', signal: controller.signal });
    const reader = data.getReader();
    await reader.read();
    const outcome = expect(reader.read()).rejects.toThrow('mine');
    controller.abort(new Error('mine'));
    await outcome;
  });

  it('keeps no listener of a call that is over', async () => {
    const { signal } = new AbortController();
    stub.answer(json(200, {}));
    await stub.client().get({ ...call, signal });
    const { data } = await stub.client().get({ ...call, signal, responseType: 'stream' });
    await new Response(data).text();
    stub.answer(json(404, {}));
    await expect(stub.client().get({ ...call, signal })).rejects.toThrow();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('a stream', () => {
  it('a stream that is cancelled by its reader closes the connection', async () => {
    let isClosed = false;
    stub.answer((_request, response) => {
      response.writeHead(200, BYTES);
      response.write('a');
      response.on('close', () => {
        isClosed = true;
      });
    });
    const { data } = await stub.client().get({ ...call, responseType: 'stream' });
    for await (const chunk of data) {
      expect(chunk.length).toBe(1);
      break;
    }
    await until('the connection is closed', () => isClosed);
  });

  it.each<[string, () => string, string]>([
    ['that fails ends the call with its own error', () => expect.unreachable('disk broke'), 'disk broke'],
    ['that yields no bytes says so', () => JSON.parse('{"not":"bytes"}'), 'must yield Uint8Array or strings'],
  ])('of the caller %s', async (_what, next, message) => {
    async function* source(): AsyncGenerator<string> {
      yield 'a';
      yield next();
    }
    await expect(stub.client().post({ ...call, data: source(), headers: BYTES })).rejects.toThrow(message);
  });

  it('a stream of the caller is released when the call is aborted', async () => {
    const controller = new AbortController();
    const { source, state } = endlessSource();
    const sending = stub.client().post({ ...call, data: source, headers: BYTES, signal: controller.signal });
    const outcome = expect(sending).rejects.toThrow('mine');
    await until('the source is being read', () => state.yielded > 3);
    controller.abort(new Error('mine'));
    await outcome;
    await until('the source is released', () => state.isReleased);
  });

  it('a stream of the caller that takes longer than the call may is a timeout of a call that was never sent', async () => {
    const { source, state } = endlessSource();
    const sending = stub.client({ timeoutMs: 60 }).post({ ...call, data: source, headers: BYTES });
    await expect(sending).rejects.toMatchObject({ name: 'TimeoutError', mayHaveBeenApplied: false });
    await until('the source is released', () => state.isReleased);
    expect(stub.arrived).toEqual([]);
  });

  it('a stream of the caller that holds more than a request may is too large, before anything is sent', async () => {
    let yielded = 0;
    async function* source(): AsyncGenerator<Uint8Array> {
      for (; ; yielded += 1) yield new Uint8Array(1_000_000);
    }
    const sending = stub.client().post({ ...call, data: source(), headers: BYTES });
    await expect(sending).rejects.toMatchObject({
      name: 'GatewayError',
      code: 'request_too_large',
      status: 413,
      message: expect.stringMatching(/4\.5 MB.*uploadFile/),
      mayHaveBeenApplied: false,
    });
    expect([yielded, stub.arrived.length]).toEqual([4, 0]);
  });
});
