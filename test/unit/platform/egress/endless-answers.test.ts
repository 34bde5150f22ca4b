import { createServer, type Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { readCapped } from '../../../../lambdas/gateway/core/http-message.ts';
import { egress, listening, serve, upstreamError, upstreamRequest } from '../../support/upstream.ts';

const MIB = 1024 * 1024;

/** A server that says what it likes, without HTTP's help. */
function serveBytes(talk: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => talk(socket));
  });
  return listening(server);
}

const send = (origin: string) => egress().send(upstreamRequest(origin, { totalTimeoutMs: 30_000 }));

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
    expect(await upstreamError(send(origin))).toMatchObject({ kind: 'invalid_response' });
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
