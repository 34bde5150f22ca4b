import { describe, expect, test } from 'vitest';
import { apiDocument } from '../../../dev/tools/api-document.ts';
import { operationsOf, textAt } from '../../../lambdas/gateway/openapi/read-document.ts';
import { wantedPacking } from '../../../lambdas/management/reference/document-routes.ts';
import { quickStartPage } from '../../../lambdas/management/reference/page.ts';
import { titleOf } from '../../../lambdas/management/reference/titles.rules.ts';

/** What fits in the menu of the reference in one line, and in two at most. */
const TITLE_MAX_LENGTH = 30;

describe('titles of the menu', () => {
  const operations = operationsOf(apiDocument('https://gateway.example/prod'));

  test('each operation has a short one of its own', () => {
    const titles = operations.map(({ operation }) => titleOf(textAt(operation, 'operationId')));
    expect(operations.length).toBeGreaterThan(80);
    expect(titles.filter((title) => title.length > TITLE_MAX_LENGTH || !/^[A-Z][\w ]+$/.test(title))).toEqual([]);
    expect(new Set(titles).size).toBe(titles.length);
  });

  test.each([
    ['listConnections', 'List connections'],
    ['proxyGet', 'GET at the provider'],
    ['openApiDocument', 'OpenAPI document'],
    ['constructor', 'Constructor'],
  ])('%s reads %s', (id, title) => expect(titleOf(id)).toBe(title));
});

describe('the first page of the reference', () => {
  const baseUrl = 'https://gateway.example/"prod"&';
  const described = apiDocument(baseUrl);
  const { text, policy } = quickStartPage({ baseUrl, described });

  test('lists every operation under its title, and leads to where it can be tried', () => {
    for (const { method, path } of operationsOf(described).filter((one) => !one.path.startsWith('/docs')))
      expect(text).toContain(`<code>${method} ${path}</code>`);
    expect(text).toContain('href="docs?try#?route=get-/connections"');
    expect(text).toContain('<b>List connections</b>');
  });

  test('names documented query parameters and the documented environment variable in its quick start', () => {
    const [, shown = ''] = text.split('id="quick-start"');
    const [commands = ''] = shown.split('id="operations"');
    const list = operationsOf(described).find(({ method, path }) => method === 'GET' && path === '/connections');
    const documented = list?.parameters.map((parameter) => textAt(parameter, 'name')) ?? [];
    const named = [...commands.matchAll(/\/connections\?(\w+)=/g)].map(([, name]) => name);
    expect(named).toHaveLength(1);
    expect(documented).toEqual(expect.arrayContaining(named));
    expect(new Set(commands.match(/\b[A-Z_]*SECRET_KEY\b/g))).toEqual(new Set(['GATEWAY_SECRET_KEY']));
  });

  test('runs no script, loads nothing and escapes the address', () => {
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src data:;/);
    expect(text).not.toMatch(/<script|\son\w+=|style="|src=/);
    expect(text).not.toContain(baseUrl);
    expect(text).toContain('https://gateway.example/&#34;prod&#34;&#38;/connect/sessions');
  });
});

describe('how a document is packed', () => {
  test.each([
    ['', 'identity'],
    ['identity', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['GZIP ; q=0.001', 'gzip'],
    ['*', 'br'],
    ['*;q=0, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['br;q=none', 'identity'],
    ['constructor, __proto__', 'identity'],
  ])('%s: %s', (header, packing) => expect(wantedPacking(header)).toBe(packing));
});
