import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { PlacedOperation } from '../../../lambdas/gateway/openapi/read-document.ts';
import { codeSamples } from '../../../lambdas/management/reference/code-samples.ts';

const BASE_URL = 'https://gateway.example/prod';

function operation(given: Partial<PlacedOperation> & { body?: unknown }): PlacedOperation {
  const { body, ...placed } = given;
  const requestBody = { content: { 'application/json': { example: body } } };
  return {
    method: 'POST',
    path: '/things/{thingId}',
    parameters: [{ name: 'thingId', in: 'path', example: 'a b/c' }],
    operation: { security: [{ secretKey: [] }], ...(body === undefined ? {} : { requestBody }) },
    ...placed,
  };
}

function source(placed: PlacedOperation, label: string): string {
  return codeSamples(placed, BASE_URL).find((sample) => sample.label === label)?.source ?? '';
}

describe('a code sample', () => {
  const awkward = { name: 'it\'s $HOME `true` \\ "null"', none: null, yes: true, list: [1, 'false'] };

  it('a code sample for curl leaves a body to the shell byte for byte, and the key to its environment', () => {
    const command = source(operation({ body: awkward }), 'curl');
    const printed = execFileSync('/bin/sh', ['-c', command.replace(/^curl/, `printf '%s\\n'`)], {
      env: { GATEWAY_SECRET_KEY: 'sk_default_x' },
      encoding: 'utf8',
    });
    expect(printed).toContain('Authorization: Bearer sk_default_x\n');
    expect(printed).toContain('https://gateway.example/prod/things/a%20b/c\n');
    expect(JSON.parse(printed.slice(printed.indexOf('\n{')))).toEqual(awkward);
  });

  it('a code sample for Node sends the same request', () => {
    const text = source(operation({ body: awkward }), 'Node').replace('await fetch(', 'record(');
    const sent: unknown[] = [];
    const body = text.slice(0, text.indexOf('\nconsole'));
    new Function('record', 'process', body)((...given: unknown[]) => sent.push(...given), {
      env: { GATEWAY_SECRET_KEY: 'k' },
    });
    expect(sent[0]).toBe('https://gateway.example/prod/things/a%20b/c');
    expect(sent[1]).toMatchObject({
      method: 'POST',
      headers: { Authorization: 'Bearer k', 'Content-Type': 'application/json' },
    });
    expect(sent[1]).toHaveProperty('body', JSON.stringify(awkward));
  });

  it('a code sample for Python writes the three words of JSON as Python has them, but not inside of text', () => {
    const text = source(operation({ body: awkward }), 'Python');
    expect(text).toContain('"none": None,');
    expect(text).toContain('"yes": True,');
    expect(text).toContain('"false"');
    expect(text).toContain('\\"null\\"');
  });

  it('a code sample has neither key nor body where the operation takes none', () => {
    const open = operation({ method: 'GET', path: '/healthz', parameters: [], operation: {} });
    expect(codeSamples(open, BASE_URL).map((sample) => sample.source)).toEqual([
      `curl 'https://gateway.example/prod/healthz'`,
      'const response = await fetch("https://gateway.example/prod/healthz");\nconsole.log(response.status, await response.text());',
      'import httpx\n\nresponse = httpx.request(\n    "GET",\n    "https://gateway.example/prod/healthz",\n)\nprint(response.status_code, response.text)',
    ]);
  });
});
