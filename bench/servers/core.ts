/** The proxy's core behind a bare `node:http` server: real rules, real way out, records in memory, no runtime client, no AWS. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { openEgress } from '../../lambdas/shared/adapters/http/egress.ts';
import { systemClock, systemRandom } from '../../lambdas/shared/adapters/system.ts';
import type { GatewayRequest, GatewayResponse } from '../../lambdas/shared/domain/http-message.ts';
import { errorResponse } from '../../lambdas/shared/http/error-response.ts';
import { proxyCall } from '../../lambdas/shared/use-cases/proxy/proxy-call.ts';
import { coreDependencies } from '../core-dependencies.ts';
import { listenAndTell, upstreamPort } from './listen.ts';

const upstream = openEgress(true);
const dependencies = await coreDependencies({
  upstream,
  clock: systemClock,
  random: systemRandom,
  apiOrigin: `http://127.0.0.1:${upstreamPort()}`,
});

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy());
});
server.keepAliveTimeout = 600_000;
listenAndTell(server);

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const request = await gatewayRequest(incoming);
  try {
    const { response, beside } = await proxyCall(dependencies, request);
    await write(outgoing, response);
    await beside;
  } catch (error) {
    await write(outgoing, errorResponse(error, request.requestId));
  }
}

async function gatewayRequest(incoming: IncomingMessage): Promise<GatewayRequest> {
  const target = incoming.url ?? '/';
  const mark = target.indexOf('?');
  const { rawHeaders } = incoming;
  const headers: [string, string][] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) headers.push([rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '']);
  return {
    method: incoming.method ?? 'GET',
    rawPath: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? [] : [...new URLSearchParams(target.slice(mark))],
    headers,
    body: await bodyBytes(incoming),
    requestId: 'bench',
    sourceIp: '127.0.0.1',
  };
}

async function bodyBytes(incoming: IncomingMessage): Promise<Uint8Array | undefined> {
  if (incoming.headers['content-length'] === undefined) {
    incoming.resume();
    return undefined;
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function write(outgoing: ServerResponse, { status, headers, body }: GatewayResponse): Promise<void> {
  outgoing.writeHead(status, headers.flat());
  if (body instanceof Uint8Array) outgoing.write(body);
  else if (body !== undefined) {
    for await (const chunk of body) {
      if (!outgoing.write(chunk)) await new Promise((resolve) => outgoing.once('drain', resolve));
    }
  }
  outgoing.end();
}
