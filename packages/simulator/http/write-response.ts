import type { ServerResponse } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import type { SimResponse } from './exchange.ts';

/** How a response travels when a fault switch is on; empty for a plain delivery. */
export interface Delivery {
  delayMs?: number;
  hang?: boolean;
  dripBytesPerSec?: number;
  /** The connection is reset after this many body bytes. */
  resetAfterBytes?: number;
  /** The connection is closed in order after this many body bytes, although Content-Length says more. */
  truncateAfterBytes?: number;
}

/** Pieces per second in which a dripping body is sent. */
const DRIPS_PER_SEC = 4;

/** Waits without keeping the process alive: a slow answer must not outlast a closed simulator. */
function delay(ms: number): Promise<void> {
  return after(ms, undefined, { ref: false });
}

async function* bodyChunks({ body, following }: SimResponse): AsyncIterable<Buffer> {
  if (Buffer.isBuffer(body)) yield body;
  else yield* body.chunks();
  if (following !== undefined) yield* following;
}

async function* cutAt(chunks: AsyncIterable<Buffer>, limit: number): AsyncIterable<Buffer> {
  let left = limit;
  for await (const chunk of chunks) {
    if (left <= 0) return;
    yield chunk.subarray(0, left);
    left -= chunk.length;
  }
}

async function send(response: ServerResponse, chunk: Buffer): Promise<void> {
  if (chunk.length === 0 || response.destroyed || response.write(chunk)) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.once('drain', done);
    response.once('close', done);
  });
}

async function drip(response: ServerResponse, chunk: Buffer, bytesPerSec: number): Promise<void> {
  const step = Math.max(1, Math.floor(bytesPerSec / DRIPS_PER_SEC));
  for (let offset = 0; offset < chunk.length && !response.destroyed; offset += step) {
    await delay(1000 * (Math.min(step, chunk.length - offset) / Math.max(1, bytesPerSec)));
    await send(response, chunk.subarray(offset, offset + step));
  }
}

function hasLength(status: number): boolean {
  return status >= 200 && status !== 204 && status !== 304;
}

function writeHead(response: ServerResponse, answer: SimResponse): void {
  const { headers, status, body } = answer;
  const chunked = headers.some(([name]) => name.toLowerCase() === 'transfer-encoding');
  const flat = headers.filter(([name]) => name.toLowerCase() !== 'transfer-encoding').flat();
  const date = response.getHeader('date');
  if (typeof date === 'string') flat.push('Date', date);
  if (hasLength(status) && !chunked) flat.push('Content-Length', String(body.length));
  response.writeHead(status, flat);
}

/**
 * Sends a response; `Transfer-Encoding: chunked` among its headers asks for chunks, else Content-Length is added.
 * @param isHead true sends the head of the answer to a HEAD request, with the length the body would have
 */
export async function writeResponse(
  response: ServerResponse,
  answer: SimResponse,
  isHead: boolean,
  delivery: Delivery,
): Promise<void> {
  if (delivery.delayMs !== undefined) await delay(delivery.delayMs);
  // A hanging exchange ends when the caller gives up or the simulator closes.
  if (delivery.hang === true || response.destroyed) return;
  writeHead(response, answer);
  if (isHead) {
    response.end();
    return;
  }
  const limit = delivery.resetAfterBytes ?? delivery.truncateAfterBytes;
  const chunks = bodyChunks(answer);
  for await (const chunk of limit === undefined ? chunks : cutAt(chunks, limit)) {
    if (response.destroyed) return;
    if (delivery.dripBytesPerSec === undefined) await send(response, chunk);
    else await drip(response, chunk, delivery.dripBytesPerSec);
  }
  if (limit === undefined) response.end();
  else await cutConnection(response, delivery.resetAfterBytes !== undefined);
}

/** Ends the TCP connection under a response: by reset, or in order. */
async function cutConnection(response: ServerResponse, reset: boolean): Promise<void> {
  const { socket } = response;
  if (socket === null || socket.destroyed) return;
  response.flushHeaders();
  // Bytes already handed over must leave first, or the peer would see nothing instead of a cut.
  await new Promise<void>((resolve) => socket.write('', () => resolve()));
  if (reset) socket.resetAndDestroy();
  else socket.destroySoon();
}
