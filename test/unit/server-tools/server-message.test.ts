import { describe, expect, test } from 'vitest';
import { challengedScopes } from '../../../lambdas/gateway/proxying/scope-challenge.rules.ts';
import { readServerAnswer, serverRequest } from '../../../lambdas/gateway/server-tools/server-message.rules.ts';

const read = (type: string, text: string) => readServerAnswer([['Content-Type', type]], Buffer.from(text));

describe('a message to an MCP server', () => {
  test('GA-23: has the headers of its version, equal to its body', () => {
    const { headers, body } = serverRequest('tools/call', { name: 'list_events', arguments: {} });
    const { params } = JSON.parse(Buffer.from(body).toString());
    expect(Object.fromEntries(headers)).toMatchObject({
      'mcp-protocol-version': params._meta['io.modelcontextprotocol/protocolVersion'],
      'mcp-method': 'tools/call',
      'mcp-name': params.name,
    });
  });

  test('GA-23: is answered by JSON, or by a stream whose other events are passed over', () => {
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
