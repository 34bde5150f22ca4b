import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IDENTITY } from '../../../lambdas/features/agents/mcp/identity.ts';
import { answerMessage } from '../../../lambdas/features/agents/mcp/protocol/answer-message.ts';
import { serveRequest } from '../../../lambdas/features/agents/mcp/serve-request.ts';
import { doorJson } from '../../../lambdas/gateway/core/door.ts';
import { GatewayError } from '../../../lambdas/gateway/core/errors.ts';
import type { Logger } from '../../../lambdas/gateway/core/ports.ts';
import { errorResponse } from '../../../lambdas/gateway/http/middlewares.ts';
import type { ReportProgress, ToolCall, ToolOutcome } from '../../../lambdas/gateway/server-tools/tool.rules.ts';
import { mcpMessage } from '../../support/mcp-client.ts';

const calls: ToolCall[] = [];
const silent: Logger = { info: () => {}, warn: () => {}, error: () => {} };
const ECHO = {
  name: 'echo',
  title: 'Echo',
  description: 'Echoes',
  inputSchema: { type: 'object', properties: {} },
} as const;

const tools = {
  list: async () => [ECHO],
  async call(call: ToolCall, report?: ReportProgress): Promise<ToolOutcome | undefined> {
    calls.push(call);
    if (call.name === 'work' || call.name === 'refuse' || call.name === 'refuse at door') {
      report?.({ progress: 1, total: 2 });
      report?.({ progress: 2 });
      const refusal = new GatewayError('rate_limited', 'Wait.', { retryAfterSec: 7, applied: 'no' });
      if (call.name === 'refuse') throw refusal;
      if (call.name === 'refuse at door') doorJson(errorResponse(refusal, 'r-1') as Parameters<typeof doorJson>[0]);
      return { result: { content: [{ type: 'text', text: report === undefined ? 'quiet' : 'reported' }] } };
    }
    if (call.name === 'ask') return { question: { inputRequests: { url: {} }, requestState: 's' } };
    if (call.name === 'break') throw new Error('broken');
    return call.name === 'echo' ? { result: { content: [{ type: 'text', text: 'hello' }] } } : undefined;
  },
};

async function send(headers: Record<string, string>, body: unknown, method = 'POST') {
  const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(JSON.stringify(body));
  const request = {
    method,
    rawPath: '/mcp',
    query: [],
    headers: Object.entries(headers),
    body: bytes,
    requestId: 'r-1',
    sourceIp: '203.0.113.1',
  };
  const answer = await answerMessage({ identity: IDENTITY, tools, logger: silent }, request);
  const { body: sent = new Uint8Array() } = answer;
  const chunks: Uint8Array[] = [];
  if (!(sent instanceof Uint8Array)) for await (const chunk of sent) chunks.push(chunk);
  const text = Buffer.concat(sent instanceof Uint8Array ? [sent] : chunks).toString();
  if (chunks.length > 0) {
    const messages = text.split('\n\n').filter((event) => event !== '');
    const read = messages.map((event) => JSON.parse(event.replace(/^event: message\ndata: /, '')));
    return { status: answer.status, headers: answer.headers, body: read };
  }
  return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) };
}

const ask = (era: 'legacy' | 'modern', method: string, params?: Record<string, unknown>, more = {}) => {
  const { headers, body } = mcpMessage(era, method, params);
  return send({ ...headers, ...more }, body);
};

describe('messages of both eras', () => {
  it('MC-4: a handshake is answered with the version that was asked for, or the newest that has one', async () => {
    const versionFor = async (protocolVersion: string) => {
      const { status, body } = await ask('legacy', 'initialize', { protocolVersion, capabilities: {} });
      expect(status).toBe(200);
      expect(body.result).toMatchObject({ capabilities: { tools: {} }, serverInfo: { name: IDENTITY.name } });
      return body.result.protocolVersion;
    };
    expect(await versionFor('2025-06-18')).toBe('2025-06-18');
    expect(await versionFor('2025-11-25')).toBe('2025-11-25');
    // A client that knows newer versions has asked for the handshake of an old one.
    expect(await versionFor('2026-07-28')).toBe('2025-11-25');
    expect(await versionFor('1999-01-01')).toBe('2025-11-25');
  });

  it('MC-4: results of the handshake’s era are bare, and unknown methods are answered with status 200', async () => {
    expect((await ask('legacy', 'ping')).body).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect((await ask('legacy', 'tools/list')).body.result).toEqual({ tools: [ECHO] });
    expect((await ask('legacy', 'tools/call', { name: 'echo' })).body.result).toEqual({
      content: [{ type: 'text', text: 'hello' }],
    });
    expect(await ask('legacy', 'resources/list')).toMatchObject({ status: 200, body: { error: { code: -32601 } } });
  });

  it('MC-3: results of the modern era are complete, and lists say how long they keep', async () => {
    const serverInfo = { name: IDENTITY.name, title: IDENTITY.title, version: IDENTITY.version };
    const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo };
    const kept = { ttlMs: 60_000, cacheScope: 'private' };
    expect((await ask('modern', 'tools/list')).body.result).toEqual({
      resultType: 'complete',
      tools: [ECHO],
      ...kept,
      _meta,
    });
    expect((await ask('modern', 'tools/call', { name: 'echo' })).body.result).toMatchObject({
      resultType: 'complete',
      _meta,
    });
    expect((await ask('modern', 'server/discover')).body.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28', '2025-11-25', '2025-06-18'],
      capabilities: { tools: {} },
      ...kept,
    });
    expect((await ask('modern', 'tools/call', { name: 'ask' })).body.result).toEqual({
      resultType: 'input_required',
      inputRequests: { url: {} },
      requestState: 's',
      _meta,
    });
  });

  it('MC-4: methods that are gone are unknown to modern clients, with 404', async () => {
    for (const method of ['initialize', 'ping', 'logging/setLevel', 'resources/list']) {
      expect(await ask('modern', method)).toMatchObject({ status: 404, body: { error: { code: -32601 } } });
    }
  });

  it('MC-2: refuses in the order of the specification: member, header, version, method, tool', async () => {
    const { headers, body } = mcpMessage('modern', 'tools/call', { name: 'echo' });
    const without = (member: string) => {
      const { [`io.modelcontextprotocol/${member}`]: _, ...meta } = body.params._meta as Record<string, unknown>;
      return { ...body, params: { ...body.params, _meta: meta } };
    };
    const codeOf = async (sent: Record<string, string>, message: unknown) => {
      const { status, body: answer } = await send(sent, message);
      return [status, answer.error.code];
    };
    expect(await codeOf(headers, without('protocolVersion'))).toEqual([400, -32602]);
    expect(await codeOf({}, without('clientCapabilities'))).toEqual([400, -32602]);
    for (const name of Object.keys(headers)) {
      const { [name]: _, ...others } = headers as Record<string, string>;
      expect(await codeOf(others, body)).toEqual([400, -32020]);
      expect(await codeOf({ ...headers, [name]: 'other' }, body)).toEqual([400, -32020]);
    }
    const future = structuredClone(body);
    Object.assign(future.params, {
      _meta: { ...(body.params as { _meta: object })._meta, 'io.modelcontextprotocol/protocolVersion': '2031-01-01' },
    });
    const refused = await send({ ...headers, 'mcp-protocol-version': '2031-01-01' }, future);
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { code: -32022, data: { requested: '2031-01-01', supported: expect.any(Array) } } },
    });
    expect(
      await codeOf({ ...headers, 'mcp-name': 'nothing' }, { ...body, params: { ...body.params, name: 'nothing' } }),
    ).toEqual([200, -32602]);
    expect(await codeOf({}, { jsonrpc: '2.0', id: 1, method: 'server/discover' })).toEqual([400, -32602]);
  });

  it('MC-2: a name that is not ASCII arrives in base64', async () => {
    const { headers, body } = mcpMessage('modern', 'tools/call', { name: 'échø' });
    const encoded = `=?base64?${Buffer.from('échø').toString('base64')}?=`;
    expect((await send({ ...headers, 'mcp-name': encoded }, body)).body.error.code).toBe(-32602);
    expect(calls.at(-1)?.name).toBe('échø');
  });

  it('MC-4: notifications and answers get 202 without a body, arrays and what is no message 400', async () => {
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } },
    ]) {
      expect(await send({}, message)).toMatchObject({ status: 202, body: undefined });
    }
    const wrong: [unknown, number][] = [
      ['{', -32700],
      ['\u00ff', -32700],
      [[], -32600],
      [[{ jsonrpc: '2.0', id: 1, method: 'ping' }], -32600],
      ['null', -32600],
      [{ id: 1, method: 'ping' }, -32600],
      [{ jsonrpc: '2.0', id: null, method: 'ping' }, -32600],
      [{ jsonrpc: '2.0', id: 1.5, method: 'ping' }, -32600],
      [{ jsonrpc: '2.0', id: 1, method: 7 }, -32600],
      [{ jsonrpc: '2.0', id: 1, method: 'ping', params: [] }, -32602],
    ];
    for (const [body, code] of wrong)
      expect(await send({}, body)).toMatchObject({ status: 400, body: { error: { code } } });
  });

  it('MC-34: a fault of its own is -32603 with the request’s id, and says nothing else', async () => {
    const { status, body } = await ask('modern', 'tools/call', { name: 'break' });
    expect(status).toBe(200);
    expect(body.error.code).toBe(-32603);
    expect(JSON.stringify(body)).toContain('r-1');
    expect(JSON.stringify(body)).not.toContain('broken');
  });

  it('answers any body with JSON or nothing, and never with a fault of its own', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.json(), fc.string()),
        fc.dictionary(fc.constantFrom('mcp-protocol-version', 'mcp-method', 'mcp-name'), fc.string()),
        async (body, headers) => {
          const answer = await send(headers, body);
          expect([200, 202, 400, 404]).toContain(answer.status);
          expect(answer.body?.error?.code).not.toBe(-32603);
        },
      ),
    );
  });
});

describe('a client that wants to know how far its call is', () => {
  const STREAM = { accept: 'application/json, text/event-stream' };
  const call = (name: string, progressToken: unknown, more: object = STREAM, era: 'legacy' | 'modern' = 'legacy') => {
    const { headers, body } = mcpMessage(era, 'tools/call', { name });
    const { params } = Object(body);
    return send({ ...headers, ...more }, { ...body, params: { ...params, _meta: { ...params._meta, progressToken } } });
  };

  it.each(['legacy', 'modern'] as const)('GA-23: gets it under its own token, then the answer (%s)', async (era) => {
    const { status, headers, body } = await call('work', 'p-1', STREAM, era);
    expect([status, new Map(headers).get('content-type')]).toEqual([200, 'text/event-stream']);
    const notification = { jsonrpc: '2.0', method: 'notifications/progress' };
    expect(body.slice(0, 2)).toEqual([
      { ...notification, params: { progressToken: 'p-1', progress: 1, total: 2 } },
      { ...notification, params: { progressToken: 'p-1', progress: 2 } },
    ]);
    expect(body[2]).toMatchObject({ jsonrpc: '2.0', id: 1, result: { content: [{ text: 'reported' }] } });
    expect(body[2].result.resultType).toBe(era === 'modern' ? 'complete' : undefined);
  });

  it.each([
    ['names no token', undefined, STREAM],
    ['names one of another form', { a: 1 }, STREAM],
    ['reads no streams', 'p-1', { accept: 'application/json' }],
    ['says nothing of what it reads', 'p-1', {}],
  ])('GA-23: a client that wants to know how far its call is is answered whole where it %s', async (_, token, more) => {
    const { body } = await call('work', token, more);
    expect(body.result.content).toEqual([{ type: 'text', text: 'quiet' }]);
  });

  it('GA-23: a client that wants to know how far its call is is answered with JSON by a call that reports nothing', async () => {
    const { headers, body } = await call('echo', 0);
    expect(new Map(headers).get('content-type')).toContain('application/json');
    expect(body.result.content).toEqual([{ type: 'text', text: 'hello' }]);
  });

  it.each([
    ['of this function', 'refuse'],
    ['of the proxy', 'refuse at door'],
  ])(
    'GA-23: reads a refusal %s behind progress as an error with its code, its words and its time to wait',
    async (_, name) => {
      const { body } = await call(name, 'p-1');
      expect(body.at(-1)).toEqual({
        jsonrpc: '2.0',
        id: 1,
        error: {
          code: -32603,
          message: 'Wait.',
          data: { code: 'rate_limited', retry_after: 7, applied: 'no' },
        },
      });
      await expect(call(name, undefined)).rejects.toMatchObject({ code: 'rate_limited' });
    },
  );
});

describe('POST /mcp', () => {
  const request = (method: string, headers: [string, string][] = []) => ({
    method,
    rawPath: '/mcp',
    query: [],
    headers,
    body: undefined,
    requestId: 'r-1',
    sourceIp: '203.0.113.1',
  });
  let asked = 0;
  const deps = {
    identity: IDENTITY,
    allowedOrigins: ['https://gateway.example.com'],
    logger: silent,
    toolsOf: () => {
      asked++;
      return { ...tools, judged: async () => {} };
    },
  };

  it('MC-4: POST /mcp has no stream and no session, and takes no page of another origin', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS']) {
      const refused = serveRequest(deps, request(method));
      await expect(refused).rejects.toMatchObject({ status: 405, allow: ['POST'] });
    }
    const foreign = serveRequest(deps, request('POST', [['Origin', 'https://evil.example']]));
    await expect(foreign).rejects.toMatchObject({ status: 403 });
    expect(asked).toBe(0);
    const headers: [string, string][] = [['origin', 'https://gateway.example.com']];
    await expect(serveRequest(deps, request('POST', headers))).rejects.toMatchObject({ status: 401 });
    expect(asked).toBe(0);
    const own = await serveRequest(deps, request('POST', [...headers, ['authorization', 'Bearer ak_x']]));
    expect(own.status).toBe(400);
    expect(asked).toBe(1);
  });

  it('MC-32: shows nobody an answer, not even that a body cannot be read, before they are judged', async () => {
    const refused = new GatewayError('invalid_secret_key', 'no');
    const toolsOf = () => ({ ...tools, judged: () => Promise.reject(refused) });
    for (const body of ['{', '{"jsonrpc":"2.0","id":1,"method":"ping"}']) {
      const asked = { ...request('POST', [['authorization', 'Bearer ak_x']]), body: Buffer.from(body) };
      await expect(serveRequest({ ...deps, toolsOf }, asked)).rejects.toBe(refused);
    }
  });
});
