import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LambdaFunctionURLEvent } from 'aws-lambda';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { PROJECT_ROOT } from '../../dev/tools/run.ts';
import { readDirectQuery } from '../../lambdas/connect/direct-query.ts';
import { isModern, modernRefusal, readMessage } from '../../lambdas/features/agents/mcp/protocol/messages.rules.ts';
import { argumentProblems } from '../../lambdas/features/agents/tools/arguments.rules.ts';
import { readPageToken } from '../../lambdas/features/agents/tools/results.rules.ts';
import { TOOLS } from '../../lambdas/features/agents/tools/tool-list.ts';
import { aboutCall } from '../../lambdas/features/approvals/about-call.rules.ts';
import { isRead, readCall } from '../../lambdas/features/approvals/read-call.rules.ts';
import { shownLines, shownText } from '../../lambdas/features/approvals/shown-text.rules.ts';
import { readWrite } from '../../lambdas/features/undo/read-write.rules.ts';
import { readCallbackQuery } from '../../lambdas/gateway/authorization/callback.rules.ts';
import { readPickedIds } from '../../lambdas/gateway/authorization/pick.rules.ts';
import { pathPattern, UnitsOfCalls } from '../../lambdas/gateway/calls/api-method.rules.ts';
import { MethodFinder } from '../../lambdas/gateway/calls/find-methods.rules.ts';
import { folded, searchForms } from '../../lambdas/gateway/connections/index-rows.rules.ts';
import type { GatewayRequest, HeaderPairs } from '../../lambdas/gateway/core/http-message.ts';
import { bindingCookies, requestOfDoor } from '../../lambdas/gateway/http/front-door.ts';
import { escapeHtml, scriptJson } from '../../lambdas/gateway/http/html-page.ts';
import { errorResponse } from '../../lambdas/gateway/http/middlewares.ts';
import { readProxyControl } from '../../lambdas/gateway/keys/credentials.rules.ts';
import { acceptedLanguage } from '../../lambdas/gateway/languages/language.rules.ts';
import { PROVIDERS } from '../../lambdas/gateway/providers/catalogue.ts';
import { classesOf } from '../../lambdas/gateway/providers/change-classes.rules.ts';
import { CHANGES } from '../../lambdas/gateway/providers/changes.ts';
import { DESCRIBED_METHODS } from '../../lambdas/gateway/providers/described.ts';
import { INVERSES } from '../../lambdas/gateway/providers/inverses.ts';
import { parseScopes } from '../../lambdas/gateway/providers/scopes.rules.ts';
import { delegatedQuery } from '../../lambdas/gateway/proxying/delegated.rules.ts';
import { planUpstreamRequest, type UpstreamPlan } from '../../lambdas/gateway/proxying/upstream-request.rules.ts';
import { idempotencyKey } from '../../lambdas/management/creations/answer-once.ts';
import { readJsonBody, readQuery, validate } from '../../lambdas/management/request-input.ts';
import { matchRoute } from '../../lambdas/management/route.ts';
import { ROUTES } from '../../lambdas/management/routes/index.ts';
import { parseSearch } from '../../packages/simulator/drive/search-syntax.ts';
import { DRAWS_ALL } from '../support/draws.ts';

/** Bytes of a hostile body. */
const BODY_BYTES = 256 * 1024;
/** Bytes of a hostile header, query or path: three times what the front doors take of all of them together (10,240 bytes). */
const HEAD_BYTES = 32 * 1024;

/** A text of a size: one part again and again, with a beginning and an end. */
const filled = (size: number, part: string, before = '', after = '') =>
  (before + part.repeat(Math.ceil(size / part.length))).slice(0, size - after.length) + after;

/** Texts that make a careless parser read the same bytes again and again. */
const shapesOf = (size: number): Readonly<Record<string, string>> => ({
  'nothing but quotation marks': filled(size, '"'),
  'nothing but backslashes': filled(size, '\\'),
  'escaped quotation marks': filled(size, '\\"', '"'),
  'spaces with a letter behind': filled(size, ' ', '', 'x'),
  'line breaks': filled(size, '\r\n'),
  'line breaks without CR, with a letter behind': filled(size, '\n', '', 'x'),
  'slashes with a letter behind': filled(size, '/', '', 'x'),
  'pairs of a query with one name': filled(size, 'a=1&'),
  'pairs of a query without values': filled(size, '&;'),
  'percent escapes': filled(size, '%25'),
  'broken percent escapes': filled(size, '%'),
  'delimiter lines of a multipart body': filled(size, '--b\r\n\r\n', '', '--b--'),
  'header lines': filled(size, 'a: b\r\n', '--b\r\n'),
  'folded header lines': filled(size, ' b\r\n', '--b\r\nContent-Type: application/http\r\n'),
  'parameters of a content type': filled(size, ';a="\\"', 'multipart/mixed'),
  'spaces in a content type': filled(size, ' ', 'application/json', 'x'),
  'brackets that open': filled(size, '['),
  'members of an object': `{${Array.from({ length: size / 13 }, (_, i) => `"k${i}":1`).join(',')}}`,
  'members with long names': `{${Array.from({ length: size / 64 }, (_, i) => `"${String(i).padStart(58, 'k')}":1`).join(',')}}`,
  'elements of a list': `[${'{},'.repeat(size / 3 - 1)}{}]`,
  'terms of a search': filled(size, "name contains 'a' and ("),
  'commas with a letter behind': filled(size, ',', '', 'x'),
  'letters with a dot behind': filled(size, 'a', '', '.'),
  'equals signs': filled(size, '='),
  hyphens: filled(size, '-'),
});

const BODIES = shapesOf(BODY_BYTES);
const HEADS = shapesOf(HEAD_BYTES);
/** Shapes of the members of a body: to a schema most texts are the same. */
const MEMBERS = Object.fromEntries(
  [
    'nothing but quotation marks',
    'spaces with a letter behind',
    'slashes with a letter behind',
    'members of an object',
    'members with long names',
    'elements of a list',
    'commas with a letter behind',
    'letters with a dot behind',
  ].map((shape) => [shape, shape]),
);

const drive = PROVIDERS['google-drive'];
const calendar = PROVIDERS['google-calendar'];
const finders = [drive, calendar].map(({ methods }) => new MethodFinder(methods ?? []));
const PATTERNS = (drive.methods ?? []).map(([, , pattern]) => pattern);
const units = new UnitsOfCalls();
const origins = { apiOrigin: 'https://www.googleapis.com', otherOrigins: {} };
const door = { scheme: 'https:', proxyUrl: undefined, secret: undefined };

function request(parts: Partial<GatewayRequest>): GatewayRequest {
  return {
    method: 'POST',
    rawPath: '/proxy/drive/v3/files',
    query: [],
    headers: [],
    body: undefined,
    requestId: 'r',
    sourceIp: '192.0.2.1',
    ...parts,
  };
}

const bytes = (text: string) => Buffer.from(text);
const json: HeaderPairs = [['content-type', 'application/json']];
const mixed: HeaderPairs = [['content-type', 'multipart/mixed; boundary=b']];
const related: HeaderPairs = [['content-type', 'multipart/related; boundary=b']];
const form: HeaderPairs = [
  ['content-type', 'application/x-www-form-urlencoded'],
  ['x-http-method-override', 'GET'],
];

/** A body with as much of a text as makes it no longer than others: escapes lengthen what a text is written as. */
function bodyWith(text: string, place: (text: string) => string): string {
  const body = place(text);
  return body.length <= BODY_BYTES ? body : place(text.slice(0, Math.floor((text.length * BODY_BYTES) / body.length)));
}

/** A text where JSON may have one: alone, as a value, as a name, as a file name in the first part of an upload. */
const JSON_PLACES: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify({ trashed: false, status: 'confirmed', attendees: [], name: text }),
  (text) => JSON.stringify({ trashed: false, status: 'confirmed', [text]: 1 }),
  (text) => `--b\r\nContent-Type: application/json\r\n\r\n${JSON.stringify({ name: text })}\r\n--b\r\n\r\nx\r\n--b--`,
];

const CHANGED = ['drive.files.update', 'calendar.events.patch', 'drive.revisions.update'];
const WRITES = [
  [drive, 'PATCH', '/drive/v3/files/f1'],
  [drive, 'POST', '/upload/drive/v3/files'],
  [calendar, 'PATCH', '/calendar/v3/calendars/c/events/e'],
  [calendar, 'POST', '/calendar/v3/calendars/c/events'],
] as const;

const plan = (parts: Partial<GatewayRequest>) =>
  planUpstreamRequest(request(parts), drive, 'https://gateway.example/v1', origins);

function queryOf(text: string): GatewayRequest['query'] {
  const event = {
    version: '2.0',
    rawPath: '/proxy/drive/v3/files',
    rawQueryString: text,
    headers: { authorization: text, 'x-forwarded-for': text },
    cookies: [text],
    requestContext: { http: { method: 'GET', sourceIp: '192.0.2.1' }, domainName: 'd.example', requestId: 'r' },
    isBase64Encoded: false,
  };
  return requestOfDoor(event as unknown as LambdaFunctionURLEvent, door).request.query;
}

/** What a search parameter of a URL makes of a text, for rules that a refused query would not reach. */
const pairsOf = (text: string): GatewayRequest['query'] => [...new URLSearchParams(text)];

/** A rule for each of some variants. */
function variants<Variant>(name: string, all: readonly Variant[], work: (variant: Variant, text: string) => unknown) {
  return Object.fromEntries(all.map((one, at) => [`${name} ${at}`, (text: string) => work(one, text)]));
}

/** Everything that reads a body, by the text of the body. */
const BODY_RULES: Readonly<Record<string, (text: string) => unknown>> = {
  ...variants('classes', CHANGED, (method, text) =>
    classesOf(CHANGES, method, { target: '/', headers: json, body: bytes(text) }),
  ),
  ...variants('journal', WRITES, ([provider, method, target], text) =>
    readWrite(provider.methods ?? [], INVERSES[provider.id], { method, target, headers: json, body: bytes(text) }),
  ),
  'journal of an upload': (text) =>
    readWrite(drive.methods ?? [], INVERSES['google-drive'], {
      method: 'POST',
      target: '/upload/drive/v3/files?uploadType=multipart',
      headers: related,
      body: bytes(text),
    }),
  ...variants('approval', [json, related], (headers, text) => {
    const upload = headers === related ? { target: '/upload/drive/v3/files/f?uploadType=multipart' } : {};
    return described('drive.files.update', { ...upload, headers, body: bytes(text) });
  }),
  ...variants('approval of an event', ['attendees', 'description', 'recurrence'], (member, text) =>
    described('calendar.events.patch', {
      target: '/calendar/v3/calendars/c/events/e',
      headers: json,
      body: bytes(bodyWith(text, (value) => `{"${member}": ${JSON.stringify(value)}}`)),
    }),
  ),
  'methods of a form': (text) => finders[0]?.find({ method: 'GET', target: '/drive/v3/files', form: text }),
  'form of a service account': (text) => delegatedQuery(text, { quotaUser: 'q', allowsDomainAdmin: false }),
  batch: (text) => plan({ rawPath: '/proxy/batch/drive/v3', headers: mixed, body: bytes(text) }),
  form: (text) => plan({ headers: form, body: bytes(text) }),
  'JSON of the API': (text) => readJsonBody(request({ headers: json, body: bytes(text) })),
  'message of MCP': (text) => readMessage(bytes(text)),
  ...variants('arguments of tool', TOOLS, ({ definition }, text) =>
    argumentProblems(
      definition,
      Object.fromEntries(Object.keys(definition.inputSchema.properties).map((name) => [name, text])),
    ),
  ),
};

const header = (name: string, value: string): HeaderPairs => [[name, value]];
const PROXY_HEADERS = [
  'authorization',
  'provider-config-key',
  'connection-id',
  'retries',
  'retry-on',
  'base-url-override',
  'gateway-priority',
] as const;

/** Everything that reads a header, by its value. */
const HEADER_RULES: Readonly<Record<string, (value: string) => unknown>> = {
  'forwarded headers': (value) =>
    ['x-a', 'connection', 'via', 'nango-proxy-accept'].map((name) =>
      attempt(() => plan({ headers: header(name, value) })),
    ),
  'content type of a batch': (value) =>
    plan({ rawPath: '/proxy/batch/drive/v3', headers: header('content-type', value), body: bytes('x') }),
  'content type of a form': (value) =>
    plan({
      headers: [
        ['x-http-method-override', 'GET'],
        ['content-type', value],
      ],
      body: bytes('x'),
    }),
  'content type of a change': (value) =>
    classesOf(CHANGES, 'drive.files.update', {
      target: '/',
      headers: header('content-type', value),
      body: bytes('{"trashed":false}'),
    }),
  'content type of a journalled change': (value) =>
    readWrite(drive.methods ?? [], INVERSES['google-drive'], {
      method: 'PATCH',
      target: '/drive/v3/files/f',
      headers: [['content-type', value]],
      body: bytes('{}'),
    }),
  'content range of an upload': (value) =>
    readWrite(drive.methods ?? [], INVERSES['google-drive'], {
      method: 'PUT',
      target: '/upload/drive/v3/files?upload_id=u',
      headers: [['content-range', value]],
    }),
  'content type of an approval': (value) =>
    ['/drive/v3/files/f', '/upload/drive/v3/files/f?uploadType=multipart'].map((target) =>
      described('drive.files.update', { target, headers: header('content-type', value), body: bytes('x') }),
    ),
  'content type of the API': (value) =>
    readJsonBody(request({ headers: header('content-type', value), body: bytes('{}') })),
  'control headers': (value) =>
    PROXY_HEADERS.map((name) => attempt(() => readProxyControl(header(name, value), ['https://www.googleapis.com']))),
  bearer: (value) => readProxyControl(header('authorization', `Bearer ${value}`), []),
  'idempotency key': (value) => idempotencyKey(header('idempotency-key', value)),
  languages: (value) => acceptedLanguage(value),
  cookies: (value) => bindingCookies(header('cookie', value)),
  'headers of MCP': (value) => [
    isModern({ version: value, method: value, name: value }, 'tools/call', {}),
    modernRefusal({ version: '2026-07-28', method: 'tools/call', name: `=?base64?${value}?=` }, 'tools/call', readMeta),
  ],
};

const readMeta = {
  name: 'x',
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};

/** Everything that reads a query, by its text. */
const QUERY_RULES: Readonly<Record<string, (text: string) => unknown>> = {
  'front door': queryOf,
  'forwarded query': (text) => plan({ method: 'GET', query: pairsOf(text) }),
  'query of the API': (text) => readQuery(pairsOf(text)),
  methods: (text) => finders.map((finder) => finder.find({ method: 'GET', target: `/drive/v3/files?${text}` })),
  units: (text) => units.of(drive.methods, { method: 'GET', target: `/drive/v3/files?${text}` }),
  ...variants('classes', CHANGED, (method, text) => classesOf(CHANGES, method, { target: `/?${text}` })),
  ...variants('journal', WRITES, ([provider, method, target], text) =>
    readWrite(provider.methods ?? [], INVERSES[provider.id], { method, target: `${target}?${text}`, headers: [] }),
  ),
  callback: (text) => readCallbackQuery(pairsOf(text)),
  'picked files': (text) => [readPickedIds(pairsOf(text)), attempt(() => readPickedIds([['picked_file_ids', text]]))],
  'direct start': (text) => readDirectQuery(pairsOf(text)),
  scopes: parseScopes,
  search: (text) => [folded(text), searchForms(text)],
  'search of Drive in the simulator': parseSearch,
  'page token of a tool': (text) => readPageToken(text, 10),
};

/** Everything that reads a path, by its text. */
const PATH_RULES: Readonly<Record<string, (text: string) => unknown>> = {
  'forwarded path': (text) => plan({ method: 'GET', rawPath: `/proxy/drive/v3/files/${text}` }),
  route: (text) => [matchRoute(ROUTES, 'GET', `/${text}`), matchRoute(ROUTES, 'GET', `/connections/${text}`)],
  pattern: (text) => pathPattern(`/drive/v3/files/${text}`, PATTERNS),
  methods: (text) => finders.map((finder) => finder.find({ method: 'GET', target: `/drive/v3/files/${text}` })),
  units: (text) => units.of(drive.methods, { method: 'GET', target: `/drive/v3/files/${text}` }),
  ...variants('journal', WRITES, ([provider, method, target], text) =>
    readWrite(provider.methods ?? [], INVERSES[provider.id], { method, target: `${target}/${text}`, headers: [] }),
  ),
  approval: (text) => described('drive.files.update', { target: `/drive/v3/files/${text}` }),
  'query of an approval': (text) => described('drive.files.update', { target: `/drive/v3/files/f?${text}` }),
  'name on a page': (text) => [shownText(text), shownLines(text), escapeHtml(text), scriptJson(text)],
};

/** What a person is shown of a call, before anything is read at the provider. */
function described(methodId: string, plan: Partial<Pick<UpstreamPlan, 'target' | 'headers' | 'body'>>): unknown {
  const whole = { target: '/drive/v3/files/f', headers: [], body: undefined, ...plan };
  const call = readCall(DESCRIBED_METHODS, methodId, { method: 'PATCH', effectiveMethod: 'PATCH', ...whole });
  return isRead(call) ? aboutCall(call, new Map(), { email: undefined }) : call;
}

/** What a rule makes of a text; a refusal is written as an answer, as its caller would get it. */
function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return errorResponse(error, 'r');
  }
}

/** Processor time of a call in microseconds, of its own thread: threads that collect garbage or compile are no part of it. */
function costOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  attempt(work);
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

/** While thirty programs share two processors, ten did not always find a moment that both had to themselves. */
const MEASUREMENTS_MAX = 40;

/**
 * How often the time of the linear reader some work takes: the least time of each, measured in turns, because what else a machine does
 * makes both slower. It ends at once where the work takes no more than it may.
 */
function ratioOf(work: () => unknown, reference: () => unknown): number {
  let [least, leastReference] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let run = 0; run < MEASUREMENTS_MAX; run++) {
    least = Math.min(least, costOf(work));
    leastReference = Math.min(leastReference, costOf(reference));
    const ratio = least / leastReference;
    // A collection of garbage may fall into a measurement or two. Nothing that a busy machine does makes so much of three.
    if (ratio <= MOST || (run >= 2 && ratio > 10 * MOST)) break;
  }
  return least / leastReference;
}

/** A reader that takes each character once: 25 ms for 256 KB on a processor of 2024. */
function linear(text: string): number {
  let sum = 0;
  for (const [found] of text.matchAll(/./gs)) sum += found.length;
  return sum;
}

/** What the platform’s own readers make of a text, as JSON or else as a form: no rule that reads a body can take less. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return [...new URLSearchParams(text)];
  }
}

/** How often the time of the linear reader, and of the platform’s own, anything may take: 50 ms for most texts. */
const MOST = 2;

type Rule = (text: string) => unknown;

const TEXT = filled(BODY_BYTES, 'a');
/** The least time of the linear reader, in microseconds. */
const REFERENCE_US = Math.min(...Array.from({ length: 5 }, () => costOf(() => linear(TEXT))));

/** Parts of the pairs of a rule and a text of which `npm test` has one; `npm run test:long` has all pairs. */
interface Draws {
  readonly places?: readonly ((text: string) => string)[];
  /** @default each rule is tried with each text */
  readonly ruleOf?: number;
}

/** What takes longer, each rule with each text, with how often the time of the linear reader. */
function tooSlow(
  rules: Readonly<Record<string, Rule>>,
  shapes: Readonly<Record<string, string>>,
  { places = [(text) => text], ruleOf = 1 }: Draws = {},
): string[] {
  const slow: string[] = [];
  for (const [row, [shape, hostile]] of Object.entries(shapes).entries()) {
    for (const [at, place] of places.entries()) {
      // Each shape in one place and each place with some shapes; `npm run test:long` has all pairs.
      if (!DRAWS_ALL && at !== row % places.length) continue;
      const input = bodyWith(hostile, place);
      for (const [number, [rule, work]] of Object.entries(rules).entries()) {
        if (!DRAWS_ALL && (number + row) % ruleOf !== 0) continue;
        if (costOf(() => work(input)) <= MOST * REFERENCE_US) continue;
        const ratio = ratioOf(
          () => work(input),
          () => [linear(TEXT), parsed(input)],
        );
        if (ratio > MOST)
          slow.push(`${rule} takes ${ratio.toFixed(1)} times as long as the linear reader: ${shape}, place ${at}`);
      }
    }
  }
  return slow;
}

/** What the schema of each body makes of a shape: as the whole body, and in all its members, which have one size together. */
function bodyRules(): Readonly<Record<string, Rule>> {
  return Object.fromEntries(
    ROUTES.flatMap(({ method, pattern, body }): [string, Rule][] => {
      if (body === undefined) return [];
      const names = body instanceof z.ZodObject ? Object.keys(body.shape) : ['any'];
      const judged = (value: unknown) => value === REFUSED || validate(body, value, 'invalid_body');
      return [
        [`${method} ${pattern}`, (shape) => judged(bodyOf(shape))],
        [`members of ${method} ${pattern}`, (shape) => judged(bodyOf(shape, names))],
      ];
    }),
  );
}

/** A body that its reader refused. */
const REFUSED = Symbol('refused');
const READ = new Map<string, unknown>();

/** A shape as the reader of bodies has it, alone or in each of some members. Read once: what is measured is what follows. */
function bodyOf(shape: string, names: readonly string[] = []): unknown {
  const key = [shape, ...names].join();
  if (!READ.has(key)) {
    const text = shapesOf(2 ** Math.floor(Math.log2(BODY_BYTES / Math.max(1, names.length))))[shape] ?? '';
    const value = /^(?:\[\{|\{")/.test(text) ? text : JSON.stringify(text);
    const body = names.length === 0 ? value : `{${names.map((name) => `"${name}":${value}`).join()}}`;
    try {
      READ.set(key, readJsonBody(request({ headers: json, body: bytes(body) })));
    } catch {
      READ.set(key, REFUSED);
    }
  }
  return READ.get(key);
}

/** What the schema of a query makes of a text in each parameter. */
function queryRules(): Readonly<Record<string, Rule>> {
  return Object.fromEntries(
    ROUTES.flatMap(({ method, pattern, query }) => {
      if (!(query instanceof z.ZodObject)) return [];
      const names = Object.keys(query.shape);
      const work = (text: string) =>
        validate(query, Object.fromEntries(names.map((name) => [name, text])), 'invalid_query_params');
      return [[`${method} ${pattern}`, work]];
    }),
  );
}

/** Every regular expression that is written in a file. */
function expressionsIn(file: string): readonly RegExp[] {
  const found: RegExp[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('regex' in node) {
      const { pattern, flags } = Object(node.regex);
      found.push(new RegExp(pattern, flags));
    } else for (const part of Object.values(node)) visit(part);
  };
  visit(parseAst(readFileSync(join(PROJECT_ROOT, file), 'utf8'), { lang: 'ts' }, file));
  return found;
}

/** Characters that an expression may repeat. */
const REPEATED = [...' a0/"\\;,.=-&%@\n', 'a.', ' ;', ', ', '\\"'];

describe('what a caller sends', () => {
  it('costs processor time in proportion to its length wherever a body is read (DS-11)', { tags: ['drawn'] }, () => {
    expect(tooSlow(BODY_RULES, BODIES, { places: JSON_PLACES })).toEqual([]);
  });

  it('costs processor time in proportion to its length in the body of every route (DS-11)', { tags: ['drawn'] }, () => {
    expect(tooSlow(bodyRules(), MEMBERS, { ruleOf: 4 })).toEqual([]);
  });

  it('costs processor time in proportion to its length wherever a header is read (DS-11)', () => {
    expect(tooSlow(HEADER_RULES, HEADS)).toEqual([]);
  });

  it('costs processor time in proportion to its length wherever a query is read (DS-11)', () => {
    expect(tooSlow(QUERY_RULES, HEADS)).toEqual([]);
  });

  it('costs processor time in proportion to its length in the query of every route (DS-11)', () => {
    expect(tooSlow(queryRules(), HEADS)).toEqual([]);
  });

  it('costs processor time in proportion to its length wherever a path is read (DS-11)', () => {
    expect(tooSlow(PATH_RULES, HEADS)).toEqual([]);
  });

  it('what a caller sends is searched by no regular expression that reads the same characters again and again (DS-11)', () => {
    const files = globSync('lambdas/**/*.ts', { cwd: PROJECT_ROOT });
    const rules = Object.fromEntries(
      files.flatMap((file) =>
        expressionsIn(file).map((expression) => {
          // What has to stand before the part that repeats.
          const [beginning = ''] = /[a-z]+(?:\\?\/[a-z]+)?/i.exec(expression.source) ?? [];
          const before = beginning.replaceAll('\\', '');
          return [
            `${expression} of ${file}`,
            (text: string) => [text.search(expression), (before + text).search(expression)],
          ];
        }),
      ),
    );
    expect(Object.keys(rules).length).toBeGreaterThan(200);
    const texts = REPEATED.map((part) => [
      `nothing but ${JSON.stringify(part)}`,
      filled(HEAD_BYTES, part, '', '\u0000'),
    ]);
    expect(tooSlow(rules, Object.fromEntries(texts))).toEqual([]);
  });
});
