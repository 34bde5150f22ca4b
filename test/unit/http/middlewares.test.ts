import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import middy from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fake } from '../../../dev/support/fake.ts';
import { GatewayError } from '../../../lambdas/gateway/core/errors.ts';
import type { GatewayResponse } from '../../../lambdas/gateway/core/http-message.ts';
import {
  bufferedAnswer,
  callContext,
  errorEnvelope,
  type HandlerContext,
} from '../../../lambdas/gateway/http/middlewares.ts';
import {
  type StreamedAnswer,
  streamedAnswer,
  streamingExecutionMode,
} from '../../../lambdas/gateway/http/streaming-mode.ts';

const EVENT = fake<APIGatewayProxyEvent>({ path: '/x', requestContext: { requestId: 'call-1' } });
const OK: GatewayResponse = { status: 200, headers: [], body: Buffer.from('whole') };

let logged: string[];
let remaining: number[];
beforeEach(() => {
  logged = [];
  remaining = [];
  vi.stubGlobal('awslambda', {
    streamifyResponse: (run: unknown) => run,
    HttpResponseStream: {
      from: (stream: PassThrough, { statusCode }: { readonly statusCode: number }) => {
        stream.write(`${statusCode} `);
        return stream;
      },
    },
  });
});
afterEach(() => vi.unstubAllGlobals());

const logger = {
  info: (message: string) => void logged.push(`info ${message}`),
  warn: (message: string) => void logged.push(`warn ${message}`),
  error: (message: string) => void logged.push(`error ${message}`),
};

type Handle<Result> = (event: APIGatewayProxyEvent, context: HandlerContext) => Promise<Result>;

/** What a function that does not stream returns. */
function buffered(handle: Handle<GatewayResponse>): Promise<unknown> {
  const handler: unknown = middy<APIGatewayProxyEvent, GatewayResponse, Error, HandlerContext>()
    .use(callContext(logger, (remainingMs) => void remaining.push(remainingMs)))
    .use(bufferedAnswer())
    .use(errorEnvelope(logger, 'a call failed'))
    .handler(handle);
  if (typeof handler !== 'function') throw new Error('There is no handler');
  return Promise.resolve(handler(EVENT, fake<Context>({ getRemainingTimeInMillis: () => 30_000 })));
}

/** What a function that streams writes, and how it ends. */
function streamed(handle: Handle<StreamedAnswer>): { readonly text: Promise<string>; readonly ended: Promise<void> } {
  const handler: unknown = middy<APIGatewayProxyEvent, StreamedAnswer, Error, HandlerContext>({
    executionMode: streamingExecutionMode,
  })
    .use(callContext(logger, (remainingMs) => void remaining.push(remainingMs)))
    .use(streamedAnswer())
    .use(errorEnvelope(logger, 'a call failed'))
    .handler(handle);
  if (typeof handler !== 'function') throw new Error('There is no handler');
  const stream = new PassThrough();
  return {
    text: buffer(stream).then(String),
    ended: handler(EVENT, stream, fake<Context>({ getRemainingTimeInMillis: () => 30_000 })),
  };
}

/** Whether something has ended once nothing more can happen by itself. */
async function hasEnded(work: Promise<unknown>): Promise<boolean> {
  let ended = false;
  const note = () => {
    ended = true;
  };
  work.then(note, note);
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  return ended;
}

describe('work that outlives the answer (F61)', () => {
  test('work that outlives the answer is awaited by the function, also what is handed over meanwhile; work that fails is logged and fails no call', async () => {
    const first = Promise.withResolvers<void>();
    const second = Promise.withResolvers<void>();
    const running = buffered(async (_event, context) => {
      context.waitUntil(undefined);
      context.waitUntil(first.promise.then(() => context.waitUntil(second.promise)));
      context.waitUntil(Promise.reject(new Error('table is away')));
      return OK;
    });
    expect(await hasEnded(running)).toBe(false);
    first.resolve();
    expect(await hasEnded(running)).toBe(false);
    second.resolve();
    expect(await running).toMatchObject({ statusCode: 200 });
    expect(logged).toEqual(['error work in the background of a call failed']);
  });

  test('work that outlives the answer does not hold back a streamed answer, nor one that is an error', async () => {
    for (const fails of [false, true]) {
      const work = Promise.withResolvers<void>();
      const { text, ended } = streamed(async (_event, context) => {
        context.waitUntil(work.promise);
        if (fails) throw new GatewayError('unknown_connection', 'There is no such connection.');
        return { response: OK };
      });
      expect(await text).toMatch(fails ? /^404 .*unknown_connection/ : /^200 whole$/);
      expect(await hasEnded(ended)).toBe(false);
      work.resolve();
      await ended;
    }
  });

  test('work that outlives the answer is awaited when it comes of the end of a stream that breaks off, which stays broken', async () => {
    const work = Promise.withResolvers<void>();
    async function* body() {
      yield Buffer.from('half');
      throw new Error('the provider broke off');
    }
    const complete: boolean[] = [];
    const { ended } = streamed(async (_event, context) => ({
      response: { ...OK, body: body() },
      onEnd(isComplete) {
        complete.push(isComplete);
        context.waitUntil(work.promise);
      },
    }));
    expect(await hasEnded(ended)).toBe(false);
    work.resolve();
    await expect(ended).rejects.toThrow('the provider broke off');
    expect([complete, logged]).toEqual([[false], []]);
  });
});

test('a limit of work by the invocation knows its time before the handler begins', async () => {
  let heard: readonly number[] = [];
  await buffered(async () => {
    heard = [...remaining];
    return OK;
  });
  expect(heard).toEqual([30_000]);
});

test.each([
  [new GatewayError('unknown_connection', 'There is none.'), 404, []],
  [new GatewayError('service_unavailable', 'Later.'), 503, ['warn a call failed']],
  [new Error('a secret'), 500, ['error a call failed']],
])(
  '%s is answered with the envelope and its request id, and logged by whose fault it is',
  async (error, status, lines) => {
    const reply = await buffered(() => Promise.reject(error));
    expect(reply).toMatchObject({ statusCode: status, body: expect.stringContaining('"request_id":"call-1"') });
    expect(JSON.stringify(reply)).not.toContain('a secret');
    expect(logged).toEqual(lines);
  },
);
