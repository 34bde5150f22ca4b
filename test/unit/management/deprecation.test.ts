import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { openApiDocument } from '../../../lambdas/gateway/openapi/document.ts';
import { documented } from '../../../lambdas/gateway/openapi/documented.ts';
import { deprecated, route } from '../../../lambdas/management/route.ts';
import { serveRequest } from '../../../lambdas/management/serve-request.ts';
import { FULL_KEY, managementGateway } from './support/gateway.ts';

const describeAs = (id: string) =>
  documented(() => ({
    ...{ id, tag: 'Service' as const, summary: 'A thing', answer: z.object({ ok: z.boolean() }), errors: [] },
    example: {},
  }));
const base = { access: { right: 'read' }, handle: () => ({ ok: true }) } as const;

/** A table of three routes: one that will go, one with members that will, one that stays. */
const TABLE = [
  route({
    ...base,
    ...{ method: 'GET', pattern: '/former', describe: describeAs('getFormer') },
    deprecated: { since: '2026-03-01', sunset: '2026-12-31', instead: 'Call `GET /latter`.' },
  }),
  route({
    ...base,
    ...{ method: 'POST', pattern: '/latter', describe: describeAs('makeLatter') },
    query: z.strictObject({
      old_way: deprecated(z.string().optional(), { since: '2026-02-01', instead: 'Use `new_way`.' }),
      new_way: z.string().optional(),
    }),
    body: z.strictObject({
      name: z.string(),
      title: deprecated(z.string().optional(), { since: '2026-01-01', sunset: '2027-01-01', instead: 'Use `name`.' }),
    }),
  }),
  route({ ...base, method: 'GET', pattern: '/latter', describe: describeAs('getLatter') }),
];

async function headersOf(method: string, target: string, body?: unknown, key: string = FULL_KEY) {
  const [rawPath = '', query = ''] = target.split('?');
  const { headers, status } = await serveRequest(
    {
      ...{ method, rawPath, requestId: 'request-1', sourceIp: '203.0.113.7', query: [...new URLSearchParams(query)] },
      headers: [
        ['authorization', `Bearer ${key}`],
        ['content-type', 'application/json'],
      ],
      body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
    },
    managementGateway().services,
    { routes: TABLE },
  );
  const { deprecation, sunset } = Object.fromEntries(headers);
  return { status, deprecation, sunset };
}

describe('a deprecated route', () => {
  it('says since when and until when in each answer, refusals included', async () => {
    const told = { deprecation: '@1772323200', sunset: 'Thu, 31 Dec 2026 00:00:00 GMT' };
    expect(await headersOf('GET', '/former')).toEqual({ status: 200, ...told });
    expect(await headersOf('GET', '/former?x=1')).toEqual({ status: 400, ...told });
    expect(await headersOf('GET', '/former', undefined, 'sk_unknown')).toEqual({ status: 401, ...told });
  });

  it('says nothing of routes that stay', async () => {
    expect(await headersOf('GET', '/latter')).toEqual({ status: 200, deprecation: undefined, sunset: undefined });
  });
});

describe('a deprecated member', () => {
  it('a deprecated member is shown to callers who name it, in a body or a query, and to nobody else', async () => {
    const unsaid = { deprecation: undefined, sunset: undefined };
    expect(await headersOf('POST', '/latter?new_way=x', { name: 'n' })).toEqual({ status: 200, ...unsaid });
    expect(await headersOf('POST', '/latter?old_way=x', { name: 'n' })).toEqual({
      ...unsaid,
      status: 200,
      deprecation: '@1769904000',
    });
    const both = { status: 200, deprecation: '@1767225600', sunset: 'Fri, 01 Jan 2027 00:00:00 GMT' };
    expect(await headersOf('POST', '/latter?old_way=x', { name: 'n', title: 't' })).toEqual(both);
  });

  it('a deprecated member is shown with a refusal as well', async () => {
    expect(await headersOf('POST', '/latter', { title: 't' })).toMatchObject({
      status: 400,
      deprecation: '@1767225600',
    });
  });
});

describe('the document', () => {
  const paths = JSON.parse(JSON.stringify(openApiDocument(TABLE, [], 'https://gateway.example.com').paths));

  it('marks the route, names what to use instead, and lists the headers', () => {
    expect(paths['/former'].get).toMatchObject({
      deprecated: true,
      description: expect.stringContaining(
        '**Deprecated** since 2026-03-01, and may be gone from 2026-12-31 on. Call `GET /latter`.',
      ),
      responses: { 200: { headers: { deprecation: expect.anything(), sunset: expect.anything() } } },
    });
    expect(paths['/latter'].get).not.toHaveProperty('deprecated');
    expect(Object.keys(paths['/latter'].get.responses[200].headers)).toEqual([
      'x-request-id',
      'ratelimit',
      'ratelimit-policy',
    ]);
  });

  it('marks the parameter and the member', () => {
    const [former, latter] = paths['/latter'].post.parameters;
    expect(former).toMatchObject({
      name: 'old_way',
      deprecated: true,
      schema: { description: 'Deprecated since 2026-02-01. Use `new_way`.' },
    });
    expect(latter).not.toHaveProperty('deprecated');
    expect(JSON.stringify(openApiDocument(TABLE, [], 'https://gateway.example.com'))).toContain(
      '"title":{"deprecated":true,"description":"Deprecated since 2026-01-01. Use `name`.","x-deprecated":{"since":"2026-01-01"',
    );
  });
});
