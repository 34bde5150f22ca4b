import { request } from 'node:http';
import { Duplex } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { writeResponse } from '../../../lambdas/gateway/http/streaming-mode.ts';
import { egress, serve, upstreamRequest } from '../support/upstream.ts';

/** A connection that counts how often the system would be called. */
class Wire extends Duplex {
  readonly writes: string[] = [];

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.writes.push(chunk.toString('latin1'));
    done();
  }

  override _writev(chunks: { readonly chunk: Buffer }[], done: () => void): void {
    this.writes.push(Buffer.concat(chunks.map(({ chunk }) => chunk)).toString('latin1'));
    done();
  }

  override _read(): void {}
}

// As AWS's runtime client does it: the head goes before the first write.
beforeEach(() => {
  const from = (stream: ReturnType<typeof request>, head: object) => {
    const write = stream.write.bind(stream);
    let isFirst = true;
    return Object.assign(stream, {
      write(chunk: string | Uint8Array) {
        if (isFirst) for (const part of [JSON.stringify(head), new Uint8Array(8)]) write(part);
        isFirst = false;
        return write(chunk);
      },
    });
  };
  vi.stubGlobal('awslambda', { HttpResponseStream: { from } });
});
afterEach(() => vi.unstubAllGlobals());

test.each([
  ['with its length', { 'content-length': '9' }],
  ['in chunks', {}],
])('head, body and end of a small answer %s leave in one write', async (_, headers) => {
  const origin = await serve((_request, response) => void response.writeHead(200, headers).end('{"a":"b"}'));
  const wire = new Wire();
  const stream = request({
    createConnection: () => wire,
    method: 'POST',
    path: '/response',
    headers: { 'transfer-encoding': 'chunked' },
  });
  stream.on('error', () => {});
  // The runtime's connection is there before the provider is asked.
  await new Promise((resolve) => setImmediate(resolve));
  const { status, body } = await egress().send(upstreamRequest(origin));
  await writeResponse(stream, { status, headers: [['content-type', 'application/json']], body });
  await new Promise((resolve) => setImmediate(resolve));
  stream.destroy();
  expect(wire.writes).toHaveLength(1);
  expect(wire.writes[0]).toMatch(/^POST \/response.*"statusCode":200.*\{"a":"b"\}\r\n0\r\n\r\n$/s);
});
