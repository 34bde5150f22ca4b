import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveRequest } from '../../../lambdas/features/agents/mcp/serve-request.ts';
import { errorResponse } from '../../../lambdas/gateway/http/middlewares.ts';
import type { ToolCall, ToolOutcome, ToolSet } from '../../../lambdas/gateway/server-tools/tool.rules.ts';

/** The tools that the conformance suite calls, those of them that a server of texts can have. */
const tools: ToolSet = {
  list: async () =>
    ['test_simple_text', 'test_error_handling'].map((name) => ({
      name,
      title: name,
      description: 'A tool of the conformance suite',
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    })),
  async call({ name }: ToolCall): Promise<ToolOutcome | undefined> {
    if (name === 'test_simple_text') {
      return { result: { content: [{ type: 'text', text: 'This is a simple text response for testing.' }] } };
    }
    if (name === 'test_error_handling') {
      const text = 'This tool intentionally returns an error for testing';
      return { result: { content: [{ type: 'text', text }], isError: true } };
    }
    return undefined;
  },
};

/** The gateway's protocol with the suite's tools, open to everybody on loopback. */
export async function openConformanceServer(): Promise<AsyncDisposable & { readonly address: string }> {
  const allowedOrigins: string[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one) => [name, one] as const),
    );
    const request = {
      method: incoming.method ?? '',
      rawPath: '/mcp',
      query: [],
      // The runner signs in nowhere, and every message needs a credential.
      headers: [...headers, ['authorization', 'Bearer conformance'] as const],
      body: Buffer.concat(chunks),
      requestId: 'conformance',
      sourceIp: '127.0.0.1',
    };
    const identity = { name: 'conformance', title: 'Conformance', version: '1', instructions: '' };
    const logger = { info: () => {}, warn: () => {}, error: console.error };
    const answer = await serveRequest(
      { identity, allowedOrigins, logger, toolsOf: () => ({ ...tools, judged: async () => {} }) },
      request,
    ).catch((error: unknown) => errorResponse(error, request.requestId));
    outgoing.writeHead(answer.status, answer.headers.flat());
    outgoing.end(answer.body instanceof Uint8Array ? answer.body : undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  for (const host of ['127.0.0.1', 'localhost']) allowedOrigins.push(`http://${host}:${port}`);
  return {
    address: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
