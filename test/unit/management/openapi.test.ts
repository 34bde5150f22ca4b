import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiDocument } from '../../../dev/tools/api-document.ts';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';
import { ERROR_STATUS } from '../../../lambdas/gateway/core/errors.ts';
import { jsonAt, listAt, operationsOf, textAt } from '../../../lambdas/gateway/openapi/read-document.ts';
import { ROUTES } from '../../../lambdas/management/routes/index.ts';
import { managementGateway } from './support/gateway.ts';

const document = apiDocument('https://gateway.example/v1');
const text = JSON.stringify(document);

/** One sentence for each route among a module's exports that nobody can call. */
function unlisted(file: string, exported: Readonly<Record<string, unknown>>): string[] {
  const listed = new Set(ROUTES.map(({ method, pattern }) => `${method} ${pattern}`));
  return routesIn(exported)
    .filter((name) => !listed.has(name))
    .map((name) => `${name} of ${file} is in no table: add it to ROUTES in lambdas/management/routes/index.ts.`);
}

/** Method and pattern of every route that a module exports, alone or in a table. */
function routesIn(exported: Readonly<Record<string, unknown>>): string[] {
  return Object.values(exported)
    .flat()
    .map((one) => Object(one))
    .filter((one) => typeof one.run === 'function' && typeof one.pattern === 'string')
    .map(({ method, pattern }) => `${method} ${pattern}`);
}

describe('every route that is defined', () => {
  it('every route that is defined is in the table that is served and described', async () => {
    const files = globSync('lambdas/{management,features}/**/*.ts', { cwd: PROJECT_ROOT }).filter((file) =>
      /\b(?:openRoute|route|grantRoute)\(\{/.test(readFileSync(join(PROJECT_ROOT, file), 'utf8')),
    );
    const modules = await Promise.all(
      files.map(async (file) => [file, Object(await import(join(PROJECT_ROOT, file)))] as const),
    );
    expect(modules.flatMap(([file, exported]) => unlisted(file, exported)).join('\n')).toBe('');
    expect(modules.flatMap(([, exported]) => routesIn(exported)).length).toBeGreaterThan(50);
  });

  it('every route that is defined is missed where it is not, with the place to go', () => {
    const bell = { method: 'POST', pattern: '/bell', run() {} };
    const advice =
      'POST /bell of lambdas/management/bell.ts is in no table: add it to ROUTES in lambdas/management/routes/index.ts.';
    expect(unlisted('lambdas/management/bell.ts', { bell })).toEqual([advice]);
    expect(unlisted('lambdas/management/bell.ts', { bells: [bell], other: 1 })).toEqual([advice]);
  });
});

describe('the OpenAPI document', () => {
  it('describes every route of the table', () => {
    const described = operationsOf(document).map(({ method, path }) => `${method} ${path}`);
    expect(described).toEqual(expect.arrayContaining(ROUTES.map(({ method, pattern }) => `${method} ${pattern}`)));
  });

  it('describes the paths of the other functions', () => {
    expect(Object.keys(jsonAt(document, 'paths'))).toEqual(
      expect.arrayContaining([
        '/proxy/{path}',
        '/connect',
        '/connect/session',
        '/connect/authorizations',
        '/oauth/connect/{integrationId}',
        '/oauth/callback',
      ]),
    );
  });

  it('gives every operation a name of its own and a group that exists', () => {
    const operations = operationsOf(document).map(({ operation }) => operation);
    const ids = operations.map((operation) => textAt(operation, 'operationId'));
    expect(new Set(ids).size).toBe(ids.length);
    const groups = listAt(document, 'tags').map((tag) => textAt(tag, 'name'));
    for (const operation of operations) expect(groups).toContain(listAt(operation, 'tags')[0]);
  });

  it('refers to nothing that is not there', () => {
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, pointer = '']) => pointer);
    expect(references.length).toBeGreaterThan(50);
    for (const pointer of references) expect(jsonAt(document, ...pointer.split('/')), pointer).not.toEqual({});
  });

  it('shows every error code with an example but the one of routes it does not have', () => {
    const unshown = Object.entries(ERROR_STATUS).filter(
      ([code, status]) =>
        code !== 'not_supported' && !(text.includes(`"code":"${code}"`) && text.includes(`"status":${status}`)),
    );
    const advice = unshown.map(
      ([code, status]) =>
        `${code} (${status}) is in no answer of the API's document: name it among the errors of each route that answers it, in \`describe\`; lambdas/gateway/openapi/error-answers.ts says what it means.`,
    );
    expect(advice.join('\n')).toBe('');
  });

  it('describes force by what each operation does with it', () => {
    const forced = operationsOf(document).flatMap(({ operation }) =>
      listAt(operation, 'parameters')
        .filter((parameter) => textAt(parameter, 'name') === 'force')
        .map((parameter) => [textAt(operation, 'operationId'), textAt(parameter, 'description').split(' ')[0]]),
    );
    expect(forced.length).toBeGreaterThan(5);
    const rotate = forced.filter(([, verb]) => verb === 'Rotate');
    expect(rotate.map(([id]) => id)).toEqual(['rotateWebhookSecret']);
    expect(forced.filter(([, verb]) => verb !== 'Make')).toEqual(rotate);
  });

  it('names the path parameters of every route', () => {
    for (const { path, parameters } of operationsOf(document)) {
      const inPath = parameters.filter((one) => textAt(one, 'in') === 'path').map((one) => textAt(one, 'name'));
      expect(inPath, path).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    }
  });

  it.each(
    ROUTES.filter(({ body }) => body !== undefined).map((route) => [route.method, route.pattern, route] as const),
  )('the OpenAPI document has an example for %s %s that its schema accepts', (_method, _pattern, route) => {
    expect(route.body?.safeParse(route.describe().example.body)).toMatchObject({ success: true });
  });

  it.each(
    ROUTES.flatMap((route) => {
      const { answer, example } = route.describe();
      return typeof answer === 'string' ? [] : [[`${route.method} ${route.pattern}`, answer, example.answer] as const];
    }),
  )('the OpenAPI document has an example answer for %s that its schema accepts', (_, answer, example) => {
    expect(answer.safeParse(example)).toMatchObject({ success: true });
  });
});

describe('the routes that serve it', () => {
  it('the routes that serve it need no key and name the address of the gateway', async () => {
    const reply = await managementGateway().call('GET', '/openapi.json', { key: undefined });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'https://gateway.example/prod' }] });
  });

  it.each(['/openapi.json', '/docs'])(
    'DS-9: %s is built once, may be cached, and is not sent to anyone who has it',
    async (path) => {
      const gateway = managementGateway();
      const first = await gateway.raw('GET', path);
      expect(first).toMatchObject({ status: 200, headers: { 'cache-control': 'public, max-age=300' } });
      expect(first.headers).toMatchObject({ 'cross-origin-opener-policy': 'same-origin' });
      // The very same bytes, not equal ones: nothing was built for the second.
      expect((await gateway.raw('GET', path)).body).toBe(first.body);
      const etag = first.headers.etag ?? '';
      for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const known = await gateway.raw('GET', path, { headers: [['If-None-Match', tag]] });
        expect(known).toMatchObject({ status: 304, headers: { etag }, body: undefined });
      }
      expect((await gateway.raw('GET', path, { headers: [['If-None-Match', '"other"']] })).status).toBe(200);
    },
  );
});

describe('the OpenAPI document, read by generators of clients', () => {
  const schemas = jsonAt(document, 'components', 'schemas');
  const tagsOf = (operations: readonly unknown[]) =>
    new Set(operations.map((operation) => String(listAt(operation, 'tags')[0])));

  it('gives the meanings of fixed values as a list, one for each value', () => {
    const described = partsOf(document).filter(({ part }) => 'x-enum-descriptions' in part);
    expect(described.length).toBeGreaterThan(10);
    const uneven = described.filter(
      ({ part }) =>
        listAt(part, 'x-enum-descriptions').length !== listAt(part, 'enum').filter((value) => value !== null).length,
    );
    expect(uneven.map(({ path }) => path)).toEqual([]);
  });

  it('gives every member a type other than null', () => {
    const members = partsOf(document).filter(({ path }) => /\/properties\/[^/]+$/.test(path));
    expect(members.length).toBeGreaterThan(500);
    expect(members.filter(({ part }) => part.type === 'null').map(({ path }) => path)).toEqual([]);
  });

  it('says of every integer that may exceed 32 bits that it has 64', () => {
    const integers = partsOf(schemas).filter(({ part }) => [part.type].flat().includes('integer'));
    const wide = integers.filter(({ part }) => part.maximum === undefined || Number(part.maximum) >= 2 ** 31);
    expect(wide.length).toBeGreaterThan(50);
    expect(wide.filter(({ part }) => part.format !== 'int64').map(({ path }) => path)).toEqual([]);
    expect(integers.filter((one) => !wide.includes(one) && one.part.format !== undefined)).toEqual([]);
  });

  it('describes fixed booleans in words', () => {
    const fixed = partsOf(document).filter(({ part }) => typeof part.const === 'boolean');
    expect(fixed.map(({ path }) => path)).toEqual([]);
    expect(jsonAt(schemas, 'Success', 'properties', 'success')).toEqual({
      type: 'boolean',
      description: 'Always true.',
    });
  });

  it('names no schema as a language or a generator names something else', () => {
    const names = Object.keys(schemas);
    // In Go, NewX makes an X.
    expect(names.filter((name) => names.includes(`New${name}`))).toEqual([]);
    expect(names.filter((name) => name in globalThis)).toEqual([]);
  });

  it('refers to messages of webhooks, in a group of their own, of which generators make no methods of a client', () => {
    const webhooks = Object.entries(jsonAt(document, 'webhooks'));
    expect(webhooks.length).toBeGreaterThan(50);
    for (const [type, message] of webhooks) expect(message).toEqual({ $ref: `#/components/pathItems/${type}` });
    const messages = Object.values(jsonAt(document, 'components', 'pathItems')).map((item) => jsonAt(item, 'post'));
    const routes = tagsOf(operationsOf(document).map(({ operation }) => operation));
    expect([...tagsOf(messages)].filter((tag) => routes.has(tag))).toEqual([]);
    expect([...tagsOf(messages)]).toEqual(['Webhook messages']);
  });

  it('gives a name to every map of anything that is one of several forms of a member', () => {
    const forms = partsOf(document).filter(({ path }) => /\/(?:anyOf|oneOf)\/\d+$/.test(path));
    expect(forms.length).toBeGreaterThan(20);
    expect(forms.filter(({ part }) => part.type === 'object').map(({ path }) => path)).toEqual([]);
    expect(jsonAt(schemas, 'ServiceAccountKeyFile')).toMatchObject({
      required: ['private_key_id', 'private_key'],
      additionalProperties: {},
    });
  });
});

/** Every object within a value, with its path. */
function partsOf(
  value: unknown,
  path = '',
): { readonly path: string; readonly part: Readonly<Record<string, unknown>> }[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, member]) => partsOf(member, `${path}/${name}`));
  return Array.isArray(value) ? inner : [{ path, part: Object(value) }, ...inner];
}
