import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { challengedScopes } from '../../../lambdas/gateway/proxying/scope-challenge.rules.ts';
import {
  readServerAnswer,
  serverRequest,
  watchedProgress,
} from '../../../lambdas/gateway/server-tools/server-message.rules.ts';

const read = (type: string, text: string) => readServerAnswer([['Content-Type', type]], Buffer.from(text));

describe('a message to an MCP server', () => {
  test('GA-23: a message to an MCP server has the headers of its version, equal to its body', () => {
    const { headers, body } = serverRequest('tools/call', { name: 'list_events', arguments: {} });
    const { params } = JSON.parse(Buffer.from(body).toString());
    expect(Object.fromEntries(headers)).toMatchObject({
      'mcp-protocol-version': params._meta['io.modelcontextprotocol/protocolVersion'],
      'mcp-method': 'tools/call',
      'mcp-name': params.name,
    });
  });

  test('GA-23: a message to an MCP server is answered by JSON, or by a stream whose other events are passed over', () => {
    const result = { kind: 'result', result: { a: 1 } };
    expect(read('application/json', '{"jsonrpc":"2.0","id":1,"result":{"a":1}}')).toEqual(result);
    const stream =
      'data: {"jsonrpc":"2.0","method":"notifications/progress"}\n\nevent: message\r\ndata: {"id":1,\r\ndata: "result":{"a":1}}\r\n\r\n';
    expect(read('text/event-stream; charset=utf-8', stream)).toEqual(result);
    expect(read('application/json', '{"id":1,"error":{"code":-32602,"message":"no"}}')).toMatchObject({
      kind: 'error',
      code: -32602,
    });
    expect(read('text/html', '<p>')).toEqual({ kind: 'unreadable' });
  });
});

describe('a challenge for scopes', () => {
  test.each([
    ['Bearer error="insufficient_scope", scope="a b"', ['a', 'b']],
    ['Bearer resource_metadata="x", error="insufficient_scope"', []],
    ['Bearer error="invalid_token", scope="a"', undefined],
    [undefined, undefined],
  ])('GA-23: %s names %j', (challenge, scopes) => {
    expect(challengedScopes(challenge === undefined ? [] : [['WWW-Authenticate', challenge]])).toEqual(scopes);
  });
});

describe('progress in an answer', () => {
  const notification = (params: object, method = 'notifications/progress') =>
    `event: message\r\ndata: ${JSON.stringify({ jsonrpc: '2.0', method, params })}\r\n\r\n`;
  const step = (progress: unknown, more: object = {}) => notification({ progressToken: 'call', progress, ...more });
  async function watched(text: string, cuts: readonly number[] = [], type = 'text/event-stream') {
    const bytes = Buffer.from(text);
    const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
    async function* body() {
      let at = 0;
      for (const end of ends) {
        yield bytes.subarray(at, end);
        at = end;
      }
    }
    const reported: unknown[] = [];
    const passed: Uint8Array[] = [];
    const answer = { headers: [['Content-Type', type]] as const, body: body() };
    for await (const chunk of watchedProgress(answer, (progress) => void reported.push(progress))) passed.push(chunk);
    expect(Buffer.concat(passed).toString()).toBe(text);
    return reported;
  }

  test('GA-23: progress in an answer is reported however its bytes are cut, and the bytes pass as they came', async () => {
    const long = `data: {"id":1,"result":{"text":"${'x'.repeat(9_000)}"}}\n\n`;
    const text = step(1, { total: 2, message: 'Läuft…' }) + long + step(2);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(20_000), { maxLength: 20 }), async (cuts) => {
        const seen = await watched(text, cuts);
        expect(seen).toEqual([{ progress: 1, total: 2, message: 'Läuft…' }, { progress: 2 }]);
      }),
      { numRuns: 50 },
    );
  });

  test('GA-23: keeps characters whose bytes arrive apart', async () => {
    const text = step(1, { message: 'Läuft…' });
    for (let cut = 0; cut < Buffer.byteLength(text); cut++) {
      expect(await watched(text, [cut])).toEqual([{ progress: 1, message: 'Läuft…' }]);
    }
  });

  test('GA-23: progress in an answer is only that of the call itself, forwards, in numbers, with a short text', async () => {
    const others = [
      step(5, { progressToken: 'other' }),
      step('1'),
      notification({ progressToken: 'call', progress: 1 }, 'notifications/message'),
      'data: no JSON\n\n',
      'data: null\n\n',
    ].join('');
    const seen = await watched(
      others + step(2, { message: 'x'.repeat(400), total: 'many' }) + step(2) + step(1) + step(3),
    );
    expect(seen).toEqual([{ progress: 2, message: 'x'.repeat(300) }, { progress: 3 }]);
    expect(await watched(step(1), [], 'application/json')).toEqual([]);
  });

  test('GA-23: progress in an answer is asked for only where somebody wants it', () => {
    const metaOf = (wantsProgress: boolean) =>
      JSON.parse(Buffer.from(serverRequest('tools/call', { name: 'x' }, {}, wantsProgress).body).toString()).params
        ._meta;
    expect(metaOf(true).progressToken).toBe('call');
    expect(metaOf(false)).not.toHaveProperty('progressToken');
  });
});
