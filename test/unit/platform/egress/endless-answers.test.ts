import { createServer, type RequestListener } from 'node:http';
import { createServer as createSocketServer, type Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { readCapped, UpstreamError } from '../../../../lambdas/gateway/core/upstream.ts';
import { openEgress } from '../../../../lambdas/gateway/platform/egress/egress.ts';
import { closeServer, listen } from '../../../../local/network.ts';

const MIB = 1024 * 1024;
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  const port = await listen(server, 0, 'test', '');
  closers.push(() => closeServer(server));
  return `http://127.0.0.1:${port}`;
}

/** A server that says what it likes, without HTTP's help. */
async function serveBytes(talk: (socket: Socket) => void): Promise<string> {
  const server = createSocketServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => talk(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return `http://127.0.0.1:${Object(server.address()).port}`;
}

function send(origin: string) {
  const egress = openEgress(true);
  closers.push(() => egress.close());
  const limits = { firstByteTimeoutMs: 10_000, idleTimeoutMs: 10_000, totalTimeoutMs: 30_000 };
  return egress.send({ origin, method: 'GET', path: '/', headers: [], body: undefined, ...limits });
}

/** Writes for ever, as fast as the other side takes it; counts what it wrote. */
function pour(socket: Writable, piece: string | Buffer): { bytes: number } {
  const written = { bytes: 0 };
  const go = (): void => {
    while (!socket.destroyed) {
      written.bytes += piece.length;
      if (!socket.write(piece)) {
        socket.once('drain', go);
        return;
      }
    }
  };
  go();
  return written;
}

describe('answers without an end', () => {
  test('DS-5: headers that never end are refused as an invalid answer after some kilobytes', async () => {
    let poured = { bytes: 0 };
    const origin = await serveBytes((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      poured = pour(socket, `x-filler: ${'a'.repeat(1000)}\r\n`);
    });
    const error: unknown = await send(origin).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UpstreamError);
    expect(error).toMatchObject({ kind: 'invalid_response' });
    // What lies in the buffers of two sockets, and no more.
    expect(poured.bytes).toBeLessThan(16 * MIB);
  });

  test('DS-5: a body the gateway reads itself is left at its limit, and the rest is never taken', async () => {
    let poured = { bytes: 0 };
    const origin = await serve((_request, response) => {
      poured = pour(response.writeHead(200), Buffer.alloc(64 * 1024));
    });
    const answer = await send(origin);
    expect(await readCapped(answer.body, MIB)).toBeUndefined();
    expect(poured.bytes).toBeLessThan(32 * MIB);
  });

  test('DS-5: a body that is passed on takes no more memory the longer it is, however slow its reader', async () => {
    const origin = await serve((_request, response) => void pour(response.writeHead(200), Buffer.alloc(64 * 1024)));
    const answer = await send(origin);
    const held: number[] = [];
    let read = 0;
    for await (const chunk of answer.body) {
      read += chunk.length;
      // The end of each eighth of 64 MiB.
      if (read >= (held.length + 1) * 8 * MIB) {
        const { arrayBuffers, external } = process.memoryUsage();
        held.push(arrayBuffers + external);
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (held.length === 8) break;
    }
    expect(held).toHaveLength(8);
    // Both sides of the connection live in this process; their buffers are bounded, whatever passed through them. What
    // other tests have left behind may be freed meanwhile, so only growth counts.
    expect(Math.max(...held) - Number(held[0])).toBeLessThan(24 * MIB);
  });
});
