/** The proxy's core behind a bare `node:http` server: real rules, real way out, records in memory, no runtime client, no AWS. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { CallBook } from '../../../lambdas/gateway/calls/book.ts';
import { LimitsJudge } from '../../../lambdas/gateway/calls/judge-limits.ts';
import { ProxyPacing } from '../../../lambdas/gateway/calls/proxy-pacing.ts';
import type { GatewayRequest, GatewayResponse } from '../../../lambdas/gateway/core/http-message.ts';
import { type ProxyDependencies, proxyCall } from '../../../lambdas/gateway/forwarding/proxy-call.ts';
import { retryBudgets } from '../../../lambdas/gateway/forwarding/retries.ts';
import { errorResponse } from '../../../lambdas/gateway/http/middlewares.ts';
import { CallerDirectory } from '../../../lambdas/gateway/keys/authenticate-caller.ts';
import { tokenCipher } from '../../../lambdas/gateway/platform/kms/token-cipher.ts';
import { PROVIDERS } from '../../../lambdas/gateway/providers/catalogue.ts';
import { CHANGES } from '../../../lambdas/gateway/providers/changes.ts';
import { AccessTokens } from '../../../lambdas/gateway/tokens/access-tokens.ts';
import { makeRefresher, openSharedDependencies } from '../../../lambdas/gateway/wiring.ts';
import { memoryDataKeys, sampleRecords } from '../sample.ts';
import { listenAndTell } from './listen.ts';

const { book, dependencies } = await core();
const server = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy());
});
server.keepAliveTimeout = 600_000;
listenAndTell(server);

/** As the function wires it, with the table and KMS replaced by memory. */
async function core(): Promise<{ readonly book: CallBook; readonly dependencies: ProxyDependencies }> {
  const laid = openSharedDependencies('proxy');
  const records = await sampleRecords(laid.clock.nowMs());
  const shared = {
    ...laid,
    callers: { load: async () => records, unconfirmed: async () => undefined },
    cipher: tokenCipher(memoryDataKeys(), laid.random),
  };
  const { config, clock } = shared;
  const book = new CallBook(
    {
      ...shared,
      totals: { add: async () => 0 },
      lines: { append: () => {} },
      callLog: { write: async () => {}, count: async () => 0 },
      callLogMode: config.callLog.mode,
      openJudge: async (deps) =>
        new LimitsJudge({ ...deps, changes: CHANGES, thresholds: { report: async () => true } }),
      openPacing: async (deps) => new ProxyPacing(deps),
      newItems: { putNew: async () => true },
      callFaults: { mark: async () => {}, clear: async () => {} },
      providers: PROVIDERS,
    },
    config.callLimits,
  );
  const directory = new CallerDirectory(shared.callers, clock, book.admission, book.limits);
  const dependencies = {
    ...shared,
    directory,
    tokens: new AccessTokens({ ...shared, directory, refresher: makeRefresher(shared) }),
    providers: PROVIDERS,
    retryBudgetOf: retryBudgets(),
    hooks: [],
    endpointsOf: config.endpointsOf,
    apiOrigins: config.apiOrigins,
    baseUrl: config.baseUrl,
    hold: () => Promise.reject(new Error('No key of a bench asks for approval')),
  };
  return { book, dependencies };
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const call = book.begin(await gatewayRequest(incoming));
  const works: unknown[] = [];
  const context = { requestId: call.request.requestId, waitUntil: (work: unknown) => void works.push(work) };
  try {
    const response = await proxyCall(dependencies, call, context);
    await write(outgoing, response);
    context.waitUntil(call.ended(response.status, true));
  } catch (error) {
    await write(outgoing, errorResponse(error, call.request.requestId));
  }
  await Promise.all(works);
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
