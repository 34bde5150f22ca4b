import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { READER_STEP_BYTES, READER_WINDOW_MS } from '../../../lambdas/gateway/core/limits.ts';
import { writeResponse } from '../../../lambdas/gateway/http/streaming-mode.ts';

const CHUNK_BYTES = 64 * 1024;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('awslambda', { HttpResponseStream: { from: (stream: unknown) => stream } });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** An answer of many chunks, and whether it was cancelled at the provider. */
function answer(chunks: number) {
  const state = { isAbandoned: false, sent: 0 };
  async function* body() {
    let isDone = false;
    try {
      for (; state.sent < chunks; state.sent++) yield Buffer.alloc(CHUNK_BYTES, state.sent);
      isDone = true;
    } finally {
      state.isAbandoned = !isDone;
    }
  }
  return { state, response: { status: 200, headers: [] as const, body: body() } };
}

/** Reads so many bytes every so often, until the stream is over. */
function reader(stream: PassThrough, bytes: number, everyMs: number) {
  const seen = { bytes: 0 };
  const timer = setInterval(() => {
    const chunk: unknown = stream.read(bytes) ?? stream.read();
    if (Buffer.isBuffer(chunk)) seen.bytes += chunk.length;
  }, everyMs);
  return { seen, stop: () => clearInterval(timer) };
}

/** How an answer ended: undefined when it was written whole. */
async function outcome(writing: Promise<void>, withinMs: number): Promise<unknown> {
  let ended: unknown = 'under way';
  const settled = (error?: unknown) => {
    ended = error;
  };
  writing.then(() => settled(), settled);
  for (let ms = 0; ms < withinMs && ended === 'under way'; ms += 1_000) await vi.advanceTimersByTimeAsync(1_000);
  return ended;
}

describe('the pace of a caller', () => {
  it('DS-8: one that reads nothing is cut off after a minute, and the provider is not read any further', async () => {
    const { state, response } = answer(1_000);
    const stream = new PassThrough();
    const ended = await outcome(writeResponse(stream, response), 2 * READER_WINDOW_MS);
    expect(ended).toMatchObject({ name: 'SlowReaderError' });
    expect(state.isAbandoned).toBe(true);
    expect(state.sent).toBeLessThan(3);
    expect(stream.writableEnded).toBe(false);
  });

  it('DS-8: one below a kilobyte a second is cut off, however it continues', async () => {
    const stream = new PassThrough();
    const { seen, stop } = reader(stream, 512, 1_000);
    const ended = await outcome(writeResponse(stream, answer(1_000).response), 10 * READER_WINDOW_MS);
    stop();
    expect(ended).toMatchObject({ name: 'SlowReaderError' });
    expect(seen.bytes).toBeGreaterThan(0);
  });

  it('DS-8: one that stops in mid-answer is cut off a minute after it stopped, not a minute after it was first waited for', async () => {
    const stream = new PassThrough();
    const { seen, stop } = reader(stream, 3 * 1024, 1_000);
    const writing = writeResponse(stream, answer(1_000).response);
    expect(await outcome(writing, READER_WINDOW_MS + 30_000)).toBe('under way');
    stop();
    const before = seen.bytes;
    expect(await outcome(writing, 20_000)).toBe('under way');
    expect(await outcome(writing, 2 * READER_WINDOW_MS)).toMatchObject({ name: 'SlowReaderError' });
    expect(seen.bytes).toBe(before);
  });

  it('one above it gets everything, be it hours', async () => {
    const { response } = answer(20);
    const stream = new PassThrough();
    const { stop } = reader(stream, 3 * 1024, 1_000);
    expect(await outcome(writeResponse(stream, response), 3_600_000)).toBeUndefined();
    stop();
    expect(stream.writableEnded).toBe(true);
  });

  it('the pace of a caller is not judged while the provider is silent', async () => {
    const stream = new PassThrough().resume();
    async function* body() {
      for (let i = 0; i < 5; i++) {
        await new Promise((resolve) => setTimeout(resolve, 2 * READER_WINDOW_MS));
        yield Buffer.from('drip');
      }
    }
    const writing = writeResponse(stream, { status: 200, headers: [], body: body() });
    expect(await outcome(writing, 20 * READER_WINDOW_MS)).toBeUndefined();
  });

  it('the pace of a caller is not judged by the time between two waits', async () => {
    const stream = new PassThrough({ highWaterMark: 1 });
    const { stop } = reader(stream, 4_096, 7_000);
    async function* body() {
      for (let i = 0; i < 6; i++) {
        yield Buffer.alloc(4_096, i);
        await new Promise((resolve) => setTimeout(resolve, READER_WINDOW_MS - 9_000));
      }
    }
    const writing = writeResponse(stream, { status: 200, headers: [], body: body() });
    expect(await outcome(writing, 20 * READER_WINDOW_MS)).toBeUndefined();
    stop();
  });

  it('the pace of a caller is judged within large chunks, too', async () => {
    const stream = new PassThrough();
    const { stop } = reader(stream, 2 * 1024, 1_000);
    const body = Buffer.alloc(20 * READER_STEP_BYTES, 7);
    expect(await outcome(writeResponse(stream, { status: 200, headers: [], body }), 3_600_000)).toBeUndefined();
    stop();
  });
});

describe('an answer that has to make room', () => {
  it('DS-8: ends at once, also while its caller is waited for', async () => {
    const control = new AbortController();
    const { state, response } = answer(1_000);
    const writing = writeResponse(new PassThrough(), response, control.signal);
    setTimeout(() => control.abort(new Error('room')), 5_000);
    expect(await outcome(writing, 10_000)).toMatchObject({ message: 'room' });
    expect(state.isAbandoned).toBe(true);
  });
});
