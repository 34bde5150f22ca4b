import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  type FeedBatch,
  type FeedStanding,
  GatewayClient,
  GatewayError,
  NetworkError,
} from '../../../packages/client/src/index.ts';
import { json, raw, SECRET_KEY, testStub } from './stub.ts';

const stub = testStub();

/** One batch after each position, up to the third. */
function threeBatches(): void {
  stub.answer((request, response) => {
    const { pathname, searchParams } = new URL(request.target, 'http://stub');
    if (pathname === '/v1/feeds/fd_1') return json(200, { data: FEED })(request, response);
    if (request.method === 'PUT') return json(200, { data: cursor('c', 3) })(request, response);
    const sequence = Number(searchParams.get('after')) + 1;
    const data = sequence > 3 ? [] : [batch(sequence)];
    return json(200, { data, last_sequence: 3, has_more: sequence < 3 })(request, response);
  });
}

const batch = (sequence: number) => ({ sequence, kind: 'changes', reason: null, stored_at: 'now', changes: [] });
const cursor = (name: string, sequence: number) => ({ name, sequence, lag: 0, moved_at: 'now' });
const FEED = {
  id: 'fd_1',
  provider_config_key: 'google-drive',
  connection_id: 'user-1',
  resource: 'drive',
  state: 'watching',
  delivery: 'pull',
  safety_interval_sec: 21_600,
  poll_interval_sec: 300,
  last_sequence: 3,
  next_pull_at: 'soon',
  failed_attempts: 0,
  created_at: 'once',
  cursors: [cursor('mirror', 1)],
};

/** Reads a following loop until it has given a number of batches. */
async function firstOf(count: number, batches: AsyncIterable<FeedBatch>): Promise<number[]> {
  const read: number[] = [];
  for await (const { sequence } of batches) {
    read.push(sequence);
    if (read.length === count) break;
  }
  return read;
}

it('CH-25: a feed of drives names the shared drives that it follows, and no other feed has any', async () => {
  stub.answer(json(200, { data: { ...FEED, resource: 'drives', drives: ['0AKf2b9QzXw'] } }));
  expect((await stub.client().feeds.get('fd_1')).drives).toEqual(['0AKf2b9QzXw']);
  stub.answer(json(200, { data: { ...FEED, drives: null } }));
  expect((await stub.client().feeds.get('fd_1')).drives).toBeUndefined();
});

describe('a loop over changes', () => {
  const outages: unknown[] = [];
  const following = { intervalMs: 1, onOutage: (error: unknown) => void outages.push(error) };
  afterEach(() => {
    vi.useRealTimers();
    outages.splice(0);
  });

  it('begins at the place of its cursor and notes each page that is done', async () => {
    threeBatches();
    const loop = stub.client().feeds.changes('fd_1', { cursor: 'mirror', follow: false });
    expect(await firstOf(9, loop)).toEqual([2, 3]);
    const noted = stub.arrived.filter(({ method }) => method === 'PUT').map(({ body }) => JSON.parse(String(body)));
    expect(noted).toEqual([{ sequence: 2 }, { sequence: 3 }]);
  });

  it('waits out a gateway that fails before its first page and while it looks for its place', async () => {
    threeBatches();
    const [place, page] = [503, 502].map((status) => raw(status, 'not yet'));
    let asked = 0;
    stub.answer((request, response) => {
      asked++;
      if (asked === 1) return place?.(request, response);
      if (asked === 3) return page?.(request, response);
      if (request.target.startsWith('/v1/feeds/fd_1/changes')) {
        return json(200, { data: [batch(2)], last_sequence: 2, has_more: false })(request, response);
      }
      return json(200, { data: request.method === 'PUT' ? cursor('mirror', 2) : FEED })(request, response);
    });
    expect(await firstOf(1, stub.client().feeds.changes('fd_1', { cursor: 'mirror', ...following }))).toEqual([2]);
    expect(outages).toHaveLength(2);
  });

  it('waits for a gateway that does not listen yet', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    await new Promise((resolve) => taken.close(resolve));
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ data: [batch(1)], last_sequence: 1, has_more: false }));
    });
    const client = new GatewayClient({ baseUrl: `http://127.0.0.1:${port}`, secretKey: SECRET_KEY });
    const reading = firstOf(1, client.feeds.changes('fd_1', following));
    await expect.poll(() => outages.length).toBe(1);
    expect(outages[0]).toBeInstanceOf(NetworkError);
    server.listen(port, '127.0.0.1');
    try {
      expect(await reading).toEqual([1]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('throws at once for a certificate that is refused, and for a gateway that does not know the feed', async () => {
    const file = (name: string) => readFileSync(join(import.meta.dirname, '../../fixtures/tls', name));
    const stranger = createTlsServer({ cert: file('self-signed.crt'), key: file('self-signed.key') });
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    const { port } = stranger.address() as AddressInfo;
    const nowhere = new GatewayClient({ baseUrl: `https://127.0.0.1:${port}`, secretKey: SECRET_KEY });
    await expect(firstOf(1, nowhere.feeds.changes('fd_1', following))).rejects.toBeInstanceOf(NetworkError);
    stranger.close();
    const unknown = { error: { code: 'not_found', message: 'No such feed.' } };
    stub.answer(json(404, unknown, { 'x-gateway-error': 'not_found' }));
    await expect(firstOf(1, stub.client().feeds.changes('fd_1', following))).rejects.toBeInstanceOf(GatewayError);
    expect(outages).toEqual([]);
  });

  it('waits as long as a gateway asks that refuses it for its limit', async () => {
    vi.useFakeTimers({ now: 0 });
    const askedAt: number[] = [];
    const refusal = { error: { code: 'rate_limited', message: 'Too many.' } };
    const fetch = async (): Promise<Response> => {
      askedAt.push(Date.now());
      if (askedAt.length > 1) return Response.json({ data: [batch(1)], last_sequence: 1, has_more: false });
      return Response.json(refusal, {
        status: 429,
        headers: { 'x-gateway-error': 'rate_limited', 'retry-after': '7' },
      });
    };
    const client = new GatewayClient({ baseUrl: 'https://gateway.example', secretKey: SECRET_KEY, fetch });
    const reading = firstOf(1, client.feeds.changes('fd_1', following));
    await vi.advanceTimersByTimeAsync(10_000);
    vi.useRealTimers();
    expect(await reading).toEqual([1]);
    expect(askedAt).toEqual([0, 7_000]);
  });

  it('reports the state of the feed with the first answer, and again whenever it changes', async () => {
    const watching = { state: 'watching', reason: null, explanation: null, remedy: null };
    const paused = { state: 'paused', reason: 'reauthorization_required', explanation: 'Why.', remedy: 'Reconnect.' };
    const standings = [undefined, watching, watching, paused, paused, watching];
    stub.answer((request, response) => {
      const feed = standings.shift();
      const data = standings.length === 0 ? [batch(1)] : [];
      return json(200, { data, last_sequence: 1, has_more: false, feed })(request, response);
    });
    const states: unknown[] = [];
    const onState = ({ state, remedy }: FeedStanding) => void states.push([state, remedy]);
    expect(await firstOf(1, stub.client().feeds.changes('fd_1', { ...following, onState }))).toEqual([1]);
    expect(states).toEqual([
      ['watching', undefined],
      ['paused', 'Reconnect.'],
      ['watching', undefined],
    ]);
  });

  it('a loop over changes that does not follow throws what a call throws', async () => {
    stub.answer(raw(503, 'not yet'));
    await expect(firstOf(1, stub.client().feeds.changes('fd_1', { follow: false }))).rejects.toThrow();
  });
});

describe('the time that a batch takes to its caller', () => {
  afterEach(() => void vi.useRealTimers());

  it('the time that a batch takes to its caller is 0.6 s at the median and 1.2 s at most, with requests that take 60 ms', async () => {
    vi.useFakeTimers({ now: 0 });
    const REQUEST_MS = 60;
    /** When each batch is stored: at any part of a second. */
    const storedAt = Array.from({ length: 200 }, (_, i) => 5_000 * (i + 1) + ((i * 373) % 1000));
    const fetch = async (url: string | URL): Promise<Response> => {
      await new Promise((resolve) => setTimeout(resolve, REQUEST_MS / 2));
      const after = Number(new URL(url).searchParams.get('after'));
      const data = storedAt.flatMap((at, i) => (i >= after && at <= Date.now() ? [batch(i + 1)] : []));
      await new Promise((resolve) => setTimeout(resolve, REQUEST_MS / 2));
      return Response.json({ data, last_sequence: after + data.length, has_more: false });
    };
    const client = new GatewayClient({ baseUrl: 'https://gateway.example', secretKey: SECRET_KEY, fetch });
    const lags: number[] = [];
    const reading = (async () => {
      for await (const { sequence } of client.feeds.changes('fd_1')) {
        lags.push(Date.now() - (storedAt[sequence - 1] ?? 0));
        if (sequence === storedAt.length) return;
      }
    })();
    await vi.advanceTimersByTimeAsync(5_000 * (storedAt.length + 2));
    await reading;
    const sorted = lags.toSorted((a, b) => a - b);
    expect(lags).toHaveLength(storedAt.length);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(600);
    expect(sorted.at(-1)).toBeLessThanOrEqual(1_200);
  });
});
