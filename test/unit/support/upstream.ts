import { createServer, Server as HttpServer, type RequestListener } from 'node:http';
import type { Server } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Upstream, UpstreamError, type UpstreamRequest } from '../../../lambdas/gateway/core/http-message.ts';
import { openEgress } from '../../../lambdas/gateway/platform/egress/egress.ts';

/** Address of this server on loopback, where it listens until the test ends. */
export async function listening(server: Server, scheme = 'http'): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => stop(server));
  return `${scheme}://127.0.0.1:${Object(server.address()).port}`;
}

/** Ends a server and the connections it holds. */
export function stop(server: Server): void {
  if (server instanceof HttpServer) server.closeAllConnections();
  server.close();
}

/** Address of a provider that answers like this until the test ends. */
export function serve(listener: RequestListener): Promise<string> {
  return listening(createServer(listener));
}

/** The way out, which the end of the test closes. */
export function egress(allowLoopback = true): Upstream {
  const opened = openEgress(allowLoopback);
  onTestFinished(() => opened.close());
  return opened;
}

/** A GET with deadlines of seconds; `more` wins. */
export function upstreamRequest(origin: string, more: Partial<UpstreamRequest> = {}): UpstreamRequest {
  const deadlines = { firstByteTimeoutMs: 5_000, idleTimeoutMs: 5_000, totalTimeoutMs: 10_000 };
  return { origin, method: 'GET', path: '/x', headers: [], body: undefined, ...deadlines, ...more };
}

/** The failure a call ends with; fails when it ends otherwise. */
export async function upstreamError(work: Promise<unknown>): Promise<UpstreamError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof UpstreamError)) throw new Error(`Expected an UpstreamError, got ${String(error)}`);
  return error;
}

/** All bytes of a body. */
export async function bytesOf(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}
