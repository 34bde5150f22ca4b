/** A client of the Model Context Protocol that sends exactly the given messages; official ones are tested by `npm run second-opinions -- mcp`. */
import { jsonRequest, type TestGateway } from './gateway.ts';

export type Era = 'legacy' | 'modern';

/** The response, with the JSON of its body. */
export interface McpAnswer {
  readonly status: number;
  readonly headers: Headers;
  // What tests look into; each names what it expects there.
  readonly body: Awaited<ReturnType<Response['json']>>;
}

const MODERN = '2026-07-28';

/** Headers and `_meta` of a request. */
export function mcpMessage(era: Era, method: string, params: Record<string, unknown> = {}, capabilities = {}) {
  const message = { jsonrpc: '2.0', id: 1, method };
  if (era === 'legacy') {
    const headers: Record<string, string> = method === 'initialize' ? {} : { 'mcp-protocol-version': '2025-11-25' };
    return { headers, body: { ...message, params } };
  }
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const name: Record<string, string> = method === 'tools/call' ? { 'mcp-name': String(params.name) } : {};
  return {
    headers: { 'mcp-protocol-version': MODERN, 'mcp-method': method, ...name },
    body: { ...message, params: { ...params, _meta } },
  };
}

/** Sends one message to a gateway, as the holder of a key. */
export async function askMcp(
  { gateway }: Pick<TestGateway, 'gateway'>,
  key: string | undefined,
  { headers, body }: { readonly headers: Record<string, string>; readonly body: unknown },
): Promise<McpAnswer> {
  const request = jsonRequest('POST', body);
  const answer = await fetch(`${gateway.gatewayUrl}/mcp`, {
    ...request,
    headers: {
      ...Object.fromEntries(new Headers(request.headers).entries()),
      accept: 'application/json, text/event-stream',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) };
}

/** An assistant with a key. */
export function assistant(test: Pick<TestGateway, 'gateway'>, key: string, era: Era = 'modern') {
  const ask = (method: string, params?: Record<string, unknown>) => askMcp(test, key, mcpMessage(era, method, params));
  return {
    ask,
    /** Names of the tools that it has. */
    async tools(): Promise<string[]> {
      const { body } = await ask('tools/list');
      return body.result.tools.map(({ name }: { name: string }) => name);
    },
    /** Result of a tool, or the error instead of one. */
    async call(name: string, args: Record<string, unknown> = {}) {
      const { body } = await ask('tools/call', { name, arguments: args });
      return body.result ?? body.error;
    },
  };
}
