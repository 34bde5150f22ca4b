import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathPattern, UnitsOfCalls } from '../../../lambdas/gateway/calls/api-method.rules.ts';
import type { ApiMethod } from '../../../lambdas/gateway/providers/provider.rules.ts';
import { METHODS } from '../../../packages/simulator/api/method-table.ts';
import { googleCalendar, googleDrive } from '../support/google.ts';

const units = new UnitsOfCalls();
const TABLES = { drive: googleDrive.methods ?? [], calendar: googleCalendar.methods ?? [] };
const drive = (method: string, target: string) => units.of(TABLES.drive, { method, target });
const DEAREST = 200;

describe('the units of a call', () => {
  it('BK-25: the units of a call are known by id for each method of Google’s discovery documents, where it is called and where it uploads', () => {
    for (const api of ['drive', 'calendar'] as const) {
      const missing = METHODS[api].flatMap(({ id, verb, path, allowsUpload }) => {
        const pattern = `/${api}/v3/${path.replace(/\{\w+\}/g, '{}')}`;
        const wanted = allowsUpload ? [pattern, `/upload${pattern}`, `/resumable/upload${pattern}`] : [pattern];
        return wanted.filter(
          (one) => !TABLES[api].some((row) => row[0] === id && row[1] === verb && row[2] === one && row[3] > 0),
        );
      });
      expect(METHODS[api].length).toBeGreaterThan(30);
      expect(missing).toEqual([]);
      const known = new Set(METHODS[api].map(({ id }) => id));
      const strangers = TABLES[api].filter(([id]) => id.startsWith(`${api}.`) && !known.has(id.replace('#media', '')));
      expect(strangers).toEqual([]);
    }
  });

  it.each([
    ['GET', '/drive/v3/about?fields=user', 5],
    ['GET', '/drive/v3/files', 100],
    ['HEAD', '/drive/v3/files/1aB', 5],
    ['GET', '/drive/v3/files/1aB?fields=alt%3Dmedia', 5],
    ['GET', '/drive/v3/files/1aB?alt=media', 200],
    ['GET', '/drive/v3/files/1aB?fields=id&alt=media&x=1', 200],
    ['GET', '/download/drive/v3/files/1aB?alt=media', 200],
    ['GET', '/drive/v3/files/1aB/export?mimeType=text/plain', 200],
    ['GET', '/drive/v3/files/generateIds', 5],
    ['POST', '/drive/v3/files', 50],
    ['POST', '/upload/drive/v3/files?uploadType=multipart', 50],
    ['PUT', '/upload/drive/v3/files?uploadType=resumable&upload_id=1', 50],
    ['POST', '/drive/v3/files/1/accessproposals/2:resolve', 50],
    ['GET', '/drive/v3/changes?pageToken=1', 100],
    ['POST', '/v2/activity:query', 0],
  ])('BK-25: the units of a call of %s %s are %i', (method, target, wanted) => {
    expect(drive(method, target)).toBe(wanted);
  });

  it('BK-25: the units of a call are those of the dearest method of the API where no method fits', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,9}$/), fc.constantFrom('GET', 'POST', 'PROPFIND'), (name, method) => {
        expect(drive(method, `/drive/v3/none-${name}/x/y/z/0`)).toBe(DEAREST);
        expect(units.of(TABLES.calendar, { method, target: `/caldav/v2/${name}/events` })).toBe(1);
      }),
    );
    expect(drive('DELETE', '/drive/v3/files')).toBe(DEAREST);
    expect(Math.max(...TABLES.drive.flatMap(([, , , one, media = 0]) => [one, media]))).toBe(DEAREST);
  });

  it.each([
    ['before', (one: readonly ApiMethod[]) => one],
    ['after', (one: readonly ApiMethod[]) => one.toReversed()],
  ])(
    'BK-25: the units of a call are those of the pattern with most letters of its own, which may stand %s the others',
    (_, inOrder) => {
      const methods = inOrder([
        ['trash', 'GET', '/files/trash', 1],
        ['resolve', 'GET', '/files/{}:resolve', 2],
        ['get', 'GET', '/files/{}', 3],
        ['any', 'GET', '/{}/{}', 4],
      ]);
      const targets = ['/files/trash', '/files/1:resolve', '/files/1', '/x/y', '/files/1?alt=media'];
      expect(targets.map((target) => units.of(methods, { method: 'GET', target }))).toEqual([1, 2, 3, 4, 3]);
      const patterns = methods.map(([, , pattern]) => pattern);
      expect(targets.slice(0, 3).map((path) => pathPattern(path, patterns))).toEqual([
        '/files/trash',
        '/files/{}:resolve',
        '/files/{}',
      ]);
    },
  );

  it('BK-25: the units of a call are those of bytes only where the query asks for them', () => {
    const methods: ApiMethod[] = [['get', 'GET', '/files/{}', 3, 9]];
    const targets = ['/files/1&alt=media', '/files/1?q=alt=media', '/files/1?alt=media'];
    expect(targets.map((target) => units.of(methods, { method: 'GET', target }))).toEqual([3, 3, 9]);
  });

  it('the units of a call are one where a provider names none', () => {
    expect(units.of(undefined, { method: 'GET', target: '/any' })).toBe(1);
  });
});
