import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MethodFinder } from '../../../lambdas/gateway/calls/find-methods.rules.ts';
import { GatewayError } from '../../../lambdas/gateway/core/errors.ts';
import type { GatewayRequest } from '../../../lambdas/gateway/core/http-message.ts';
import { planUpstreamRequest } from '../../../lambdas/gateway/proxying/upstream-request.rules.ts';
import { matchMethod, parseApiPath } from '../../../packages/simulator/api/match-method.ts';
import { METHODS } from '../../../packages/simulator/api/method-table.ts';
import { drawn } from '../../support/draws.ts';
import { API_ORIGINS, BASE_URL, batchBody, part } from '../proxying/batch-support.ts';
import { gatewayRequest } from '../support/gateway-request.ts';
import { googleCalendar, googleDrive } from '../support/google.ts';

const APIS = {
  drive: { provider: googleDrive, finder: new MethodFinder(googleDrive.methods ?? []) },
  calendar: { provider: googleCalendar, finder: new MethodFinder(googleCalendar.methods ?? []) },
} as const;
const RULES = (['drive', 'calendar'] as const).flatMap((api) => METHODS[api].map((rule) => ({ api, rule })));
type Rule = (typeof RULES)[number];

/** What the gateway would send for a request, each part of a batch by itself; nothing where it refuses. */
function sent(api: Rule['api'], request: Partial<GatewayRequest>) {
  try {
    const plan = planUpstreamRequest(gatewayRequest(request), APIS[api].provider, BASE_URL, API_ORIGINS);
    return plan.parts ?? [{ ...plan, method: plan.effectiveMethod }];
  } catch (error) {
    if (error instanceof GatewayError) return [];
    throw error;
  }
}

const found = (api: Rule['api'], request: Parameters<MethodFinder['find']>[0]) =>
  APIS[api].finder.find(request).map(({ id }) => id);

/** An id as callers have them, and those that look like something else. */
const anyId = fc.oneof(
  fc.constantFrom(
    '1aB',
    'primary',
    'trash',
    'Trash',
    'me',
    'user:a@b.c',
    'a%2Fpermissions',
    'x%3Aresolve',
    '%74rash',
    'a%20b',
    'ä',
  ),
  fc.constantFrom('permissions', 'generateIds', 'startPageToken', 'copy', 'watch', 'import', 'quickAdd', 'clear'),
  fc.stringMatching(/^[A-Za-z0-9_@:.-]{1,12}$/),
);

/** Ways to write a letter of a path that a reader may take for the same. */
const spelling = fc.constantFrom('', 'escape', 'ESCAPE', 'twice', 'case', 'slash', 'parameter', 'dots', 'backslash');

function spelled(path: string, ways: readonly { at: number; way: string }[]): string {
  let text = path;
  for (const { at, way } of ways) {
    const i = at % text.length;
    const letter = text[i] ?? '';
    const hex = letter.charCodeAt(0).toString(16).padStart(2, '0');
    const written: Record<string, string> = {
      escape: `%${hex}`,
      ESCAPE: `%${hex.toUpperCase()}`,
      twice: `%25${hex}`,
      case: letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
      slash: `${letter}/`,
      parameter: `${letter};x=1`,
      dots: `${letter}/./`,
      backslash: `${letter}%5c`,
    };
    text = text.slice(0, i) + (written[way] ?? letter) + text.slice(i + 1);
  }
  return text;
}

const anyRequest = fc
  .record({
    row: fc.constantFrom(...RULES),
    ids: fc.array(anyId, { minLength: 4, maxLength: 4 }),
    prefix: fc.constantFrom('', '', '', '/upload', '/resumable/upload', '/download'),
    verb: fc.constantFrom('', '', '', 'HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
    ways: fc.array(fc.record({ at: fc.nat({ max: 80 }), way: spelling }), { maxLength: 3 }),
    query: fc.array(
      fc.tuple(
        fc.constantFrom('alt', '$alt', 'ALT', 'fields', 'upload_id'),
        fc.constantFrom('media', 'MEDIA', 'json', 'id', ' media'),
      ),
      { maxLength: 2 },
    ),
  })
  .map(({ row, ids, prefix, verb, ways, query }) => {
    let next = 0;
    const below = row.rule.path.replace(/\{\w+\}/g, () => ids[next++] ?? '1');
    const servicePath = `${prefix}/${row.api}/v3/`;
    return { ...row, query, method: verb === '' ? row.rule.verb : verb, path: servicePath + spelled(below, ways) };
  });

/** What the simulator does with a request, which reads paths by segment, as Google's documents say. */
function dispatched(method: string, target: string, form = ''): string | undefined {
  const [path = '', rawQuery = ''] = target.split('?');
  const parsed = parseApiPath(path);
  if (parsed === undefined) return undefined;
  const query = new URLSearchParams([...new URLSearchParams(rawQuery), ...new URLSearchParams(form)]);
  // A session continues whatever the verb.
  const isSession = parsed.upload !== 'none' && query.has('upload_id');
  const verbs = isSession ? ['POST', 'PATCH'] : [method === 'HEAD' ? 'GET' : method];
  const rule = verbs.map((verb) => matchMethod(verb, parsed)?.rule).find((one) => one !== undefined);
  if (rule === undefined) return undefined;
  const isMedia =
    rule.allowsMedia && rule.id !== 'drive.files.export' && (query.get('alt') === 'media' || parsed.isDownload);
  return `${rule.id}${isMedia ? '#media' : ''}`;
}

describe('the methods that a request may mean', () => {
  it('LK-11: each method of Google’s discovery documents belongs to exactly one set, and names itself', () => {
    for (const api of ['drive', 'calendar'] as const) {
      const meanings = (APIS[api].provider.methodMeanings ?? []).filter(({ id }) => id.startsWith(`${api}.`));
      const methods = METHODS[api].map(({ id }) => id);
      const media = METHODS[api]
        .filter(({ allowsMedia, id }) => allowsMedia && id !== 'drive.files.export')
        .map(({ id }) => `${id}#media`);
      expect(meanings.map(({ id }) => id).toSorted()).toEqual([...methods, ...media].toSorted());
    }
    const sizes = (api: 'drive' | 'calendar') =>
      Object.groupBy(
        (APIS[api].provider.methodMeanings ?? []).filter(({ id }) => !id.includes('#') && id.startsWith(`${api}.`)),
        ({ set }) => set,
      );
    const counted = (api: 'drive' | 'calendar') => Object.values(sizes(api)).map((rows = []) => rows.length);
    expect(counted('drive').reduce((sum, one) => sum + one, 0)).toBe(64);
    expect(counted('calendar').reduce((sum, one) => sum + one, 0)).toBe(38);
  });

  it('LK-12: each method in its documented spelling is that one and no other', () => {
    for (const { api, rule } of RULES) {
      const path = `/${api}/v3/${rule.path.replace(/\{\w+\}/g, '1aB')}`;
      expect(found(api, { method: rule.verb, target: path })).toEqual([rule.id]);
    }
  });

  it('LK-17: any spelling that is sent and that the simulator dispatches is found under its method', {
    tags: ['drawn'],
  }, () => {
    let dispatches = 0;
    fc.assert(
      fc.property(anyRequest, ({ api, method, path, query }) => {
        for (const request of sent(api, { method, rawPath: `/proxy${path}`, query })) {
          const id = dispatched(request.method, request.target);
          if (id === undefined) continue;
          const ids = found(api, request);
          if (ids.length === 0) continue;
          dispatches += 1;
          expect(ids).toContain(id);
        }
      }),
      { numRuns: drawn(2_000) },
    );
    expect(dispatches).toBeGreaterThan(drawn(50));
  });

  it('LK-17: the same as a part of a batch, also under a method that a header names', { tags: ['drawn'] }, () => {
    let dispatches = 0;
    fc.assert(
      fc.property(anyRequest, fc.boolean(), ({ api, method, path, query }, named) => {
        const rawQuery = query.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&');
        const line = named ? 'POST' : method;
        const override = named ? `X-HTTP-Method-Override: ${method}\r\n` : '';
        const body = batchBody([part(`${line} ${path}?${rawQuery} HTTP/1.1\r\n${override}\r\n`)]);
        const headers = [['Content-Type', 'multipart/mixed; boundary=b']] as const;
        for (const request of sent(api, { method: 'POST', rawPath: `/proxy/batch/${api}/v3`, headers, body })) {
          const id = dispatched(request.method, request.target, request.form);
          if (id === undefined) continue;
          const ids = found(api, request);
          if (ids.length === 0) continue;
          dispatches += 1;
          expect(ids).toContain(id);
        }
      }),
      { numRuns: drawn(2_000) },
    );
    expect(dispatches).toBeGreaterThan(drawn(50));
  });

  it.each([
    ['GET', '/drive/v3/files/1?alt=media', ['drive.files.get#media']],
    ['GET', '/drive/v3/files/1?%61lt=m%65dia', ['drive.files.get#media']],
    ['GET', '/drive/v3/files/1?$alt=media', ['drive.files.get', 'drive.files.get#media']],
    ['GET', '/drive/v3/files/1?alt=MEDIA', ['drive.files.get', 'drive.files.get#media']],
    ['GET', '/drive/v3/files/1?alt=json&alt=media', ['drive.files.get', 'drive.files.get#media']],
    ['GET', '/drive/v3/files/1?alt=media&alt=json', ['drive.files.get', 'drive.files.get#media']],
    ['GET', '/drive/v3/files/1?alt=+media', ['drive.files.get', 'drive.files.get#media']],
    ['GET', '/drive/v3/files/1?+alt=media', ['drive.files.get', 'drive.files.get#media']],
    ['GET', '/drive/v3/files/1?al%54=media', ['drive.files.get', 'drive.files.get#media']],
    ['GET', '/drive/v3/files/1?a%6Ct=media', ['drive.files.get#media']],
    ['GET', '/drive/v3/files/1?alt=json', ['drive.files.get']],
    ['HEAD', '/drive/v3/files/1?alt=media', ['drive.files.get#media']],
    ['GET', '/download/drive/v3/files/1', ['drive.files.get#media']],
    ['GET', '/drive/v3/files/1/export?alt=media', ['drive.files.export']],
    ['GET', '/drive/v3/files?alt=media', ['drive.files.list']],
    ['DELETE', '/drive/v3/files/trash', ['drive.files.emptyTrash']],
    ['DELETE', '/drive/v3/files/%74rash', ['drive.files.delete', 'drive.files.emptyTrash']],
    ['DELETE', '/drive/v3/files/TRASH', ['drive.files.delete', 'drive.files.emptyTrash']],
    ['GET', '/drive/v3/files/trash', ['drive.files.get']],
    ['GET', '/drive/v3/files/a%2Fpermissions', ['drive.files.get', 'drive.permissions.list']],
    ['POST', '/drive/v3/files/1/accessproposals/2%3Aresolve', ['drive.accessproposals.resolve']],
    ['PUT', '/upload/drive/v3/files?uploadType=resumable&upload_id=1', ['drive.files.create']],
    ['DELETE', '/upload/drive/v3/files/1?upload_id=1', ['drive.files.update']],
    ['GET', '/resumable/upload/drive/v3/files?%75pload_id=1', ['drive.files.create']],
    ['PUT', '/upload/drive/v3/files?upload_id', ['drive.files.create']],
    ['GET', '/drive/v3/files/upload/comments?upload_id=1', ['drive.comments.list']],
    ['GET', '/drive/v3/%66iles/a%2Fb', ['drive.files.get']],
    ['GET', '/drive/v3/files/%E0%A4', []],
    ['GET', '/drive/v3/files/a%2Fb%E0', []],
    ['POST', '/v2/activity:query', ['driveactivity.activity.query']],
    ['GET', '/drive/v3//files', []],
    ['GET', '/drive/v3/files/', []],
    ['GET', '/drive/v3/files;x=1', []],
    ['GET', '/drive/v3/files/1;x', []],
    ['GET', '/drive/v3/files/%2566', ['drive.files.get']],
    ['DELETE', '/drive/v3/files/%2574rash', ['drive.files.delete', 'drive.files.emptyTrash']],
    ['GET', '/drive/v3/files/a%252Fpermissions', []],
    ['GET', '/drive/v3/files/a%25252Fpermissions', []],
    ['GET', '/drive/v3/files/a%253Bx', []],
    ['GET', '/drive/v3/files/100%25', []],
    ['GET', '/drive/v3/files/1%5c..', []],
    ['GET', '/drive/v3/other', []],
    ['DELETE', '/upload/drive/v3/files/1', []],
    ['GET', '/batch/drive/v3', []],
  ])('LK-12: %s %s may mean %s', (method, target, ids) => {
    expect(found('drive', { method, target }).toSorted()).toEqual(ids);
  });

  it('LK-12: a read that is sent as a form is judged by the form', () => {
    expect(found('drive', { method: 'GET', target: '/drive/v3/files/1', form: 'fields=id&alt=media' })).toEqual([
      'drive.files.get#media',
    ]);
  });

  it.each(['X-HTTP-Method', 'X-Method-Override', 'x-method'])(
    'LK-12: a request with %s is of no known method',
    (name) => {
      const read = (...headers: [name: string, value: string][]) =>
        found('drive', { method: 'GET', target: '/drive/v3/files', headers });
      expect(read(['Accept', '*/*'], [name, 'DELETE'])).toEqual([]);
      expect(read(['Accept', '*/*'], ['x'.repeat(name.length), 'DELETE'])).toEqual(['drive.files.list']);
    },
  );

  describe('of an API whose paths could be taken for each other', () => {
    const finder = new MethodFinder([
      ['get', 'GET', '/items/{}', 2, 7],
      ['resolve', 'GET', '/items/{}:resolve', 3],
      ['close', 'GET', '/items/{}:close', 4],
      ['history', 'GET', '/items/{}:close/history', 5],
      ['special', 'GET', '/items/special/{}:go', 6],
      ['part', 'GET', '/items/{}/{}', 1],
    ]);
    const idsOf = (target: string) => finder.find({ method: 'GET', target }).map(({ id }) => id);

    it.each([
      ['/items/1:resolve', ['resolve']],
      ['/items/1:close', ['close']],
      ['/items/1:close/history', ['history']],
      ['/items/1:RESOLVE', ['get', 'resolve']],
      ['/items/:resolve', ['get']],
      ['/items/1:resolved', ['get']],
      ['/items/1:close/other', ['part']],
      ['/items/special/1:go', ['special']],
      ['/items/special/1:GO', ['part', 'special']],
      ['/items/SPECIAL/1:go', ['part', 'special']],
      ['/items/special/1', ['part']],
      ['/ITEMS/1', ['get']],
      ['/items/1:RESOLVE/x/y', []],
    ])('LK-12: %s may mean %s', (target, ids) => {
      expect(idsOf(target).toSorted()).toEqual(ids);
    });

    it('BK-25: the dearest that it may mean is what counts, and of the whole API where it means none', () => {
      const unitsOf = (target: string) => finder.unitsOf(finder.find({ method: 'GET', target }));
      const paths = ['/items/1:RESOLVE', '/items/1', '/items/1?alt=media', '/elsewhere'];
      expect(paths.map(unitsOf)).toEqual([3, 2, 7, 7]);
    });
  });
});
