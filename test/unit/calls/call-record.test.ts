import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathPattern, UNMATCHED } from '../../../lambdas/gateway/calls/api-method.rules.ts';
import { leavesRow } from '../../../lambdas/gateway/calls/call-line.rules.ts';
import { keptMethod, keptReason, rowWeight } from '../../../lambdas/gateway/calls/call-record.rules.ts';
import { METHODS } from '../../../packages/simulator/api/method-table.ts';
import { googleCalendar, googleDrive } from '../support/google.ts';

const PATTERNS = { drive: googleDrive.pathPatterns, calendar: googleCalendar.pathPatterns };
const ALL = [...PATTERNS.drive, ...PATTERNS.calendar];

describe('the pattern of a path', () => {
  it.each([
    ['/drive/v3/files', '/drive/v3/files'],
    ['/drive/v3/files/1aBcD', '/drive/v3/files/{}'],
    ['/drive/v3/files/generateIds', '/drive/v3/files/generateIds'],
    ['/drive/v3/files/1aBcD/permissions/anyone', '/drive/v3/files/{}/permissions/{}'],
    ['/drive/v3/files/1a/accessproposals/2b:resolve', '/drive/v3/files/{}/accessproposals/{}:resolve'],
    ['/upload/drive/v3/files/1aBcD', '/upload/drive/v3/files/{}'],
    ['/v2/activity:query', '/v2/activity:query'],
    ['/calendar/v3/calendars/first.user%40example.com/events', '/calendar/v3/calendars/{}/events'],
    ['/calendar/v3/calendars/primary/events/quickAdd', '/calendar/v3/calendars/{}/events/quickAdd'],
    ['/caldav/v2/first.user%40example.com/events/1.ics', '/caldav/v2/{}/events/{}'],
    ['/drive/v3/files/', UNMATCHED],
    ['/drive/v3/secret-of-a-caller', UNMATCHED],
    ['/drive/v3/files/a/b/c/d', UNMATCHED],
    ['', UNMATCHED],
  ])('CL-11: of %s is %s', (path, pattern) => {
    expect(pathPattern(path, ALL)).toBe(pattern);
  });

  it('CL-11: is known for each method of Google’s discovery documents, whatever its ids are', () => {
    const unknown = Object.values(METHODS)
      .flat()
      .flatMap(({ api, path }) => {
        const sent = `/${api}/v3/${path.replace(/\{\w+\}/g, 'x-1')}`;
        return pathPattern(sent, PATTERNS[api]) === `/${api}/v3/${path.replace(/\{\w+\}/g, '{}')}` ? [] : [sent];
      });
    expect(Object.values(METHODS).flat().length).toBeGreaterThan(80);
    expect(unknown).toEqual([]);
  });

  it('CL-11: never holds a text of the caller', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.constantFrom('drive', 'v3', 'files', 'calendars')), { maxLength: 7 }),
        (segments) => {
          expect([...ALL, UNMATCHED]).toContain(pathPattern(`/${segments.join('/')}`, ALL));
        },
      ),
    );
  });
});

describe('what of a call is kept', () => {
  it('CL-10: is a reason that is an identifier, and no other text', () => {
    expect(keptReason('insufficientPermissions')).toBe('insufficientPermissions');
    expect(keptReason('first.user@example.com')).toBeUndefined();
    expect(keptReason('File not found: 1aBcD')).toBeUndefined();
    expect(keptReason('a'.repeat(65))).toBeUndefined();
    expect(keptReason(undefined)).toBeUndefined();
  });

  it('CL-10: is a method that exists', () => {
    expect(keptMethod('PATCH')).toBe('PATCH');
    expect(keptMethod('SECRET')).toBe('OTHER');
  });
});

describe('a call', () => {
  const NOW = 1_800_000_000;
  const outcome = { status: 200, complete: true, recordedUntilEpochSec: undefined, endedAtEpochSec: NOW };

  it('CL-13: leaves a row under errors when it failed or broke off', () => {
    const statuses = [200, 206, 304, 308, 400, 404, 429, 500, 504];
    const logged = statuses.filter((status) => leavesRow('errors', { ...outcome, status }));
    expect(logged).toEqual([400, 404, 429, 500, 504]);
    expect(leavesRow('errors', { ...outcome, complete: false })).toBe(true);
  });

  it('CL-13: leaves one under all, and none under off', () => {
    expect(leavesRow('all', outcome)).toBe(true);
    expect(leavesRow('off', { ...outcome, status: 500, recordedUntilEpochSec: NOW + 60 })).toBe(false);
  });

  it('CL-13: leaves one while its connection is recorded, to the second', () => {
    expect(leavesRow('errors', { ...outcome, recordedUntilEpochSec: NOW + 1 })).toBe(true);
    expect(leavesRow('errors', { ...outcome, recordedUntilEpochSec: NOW })).toBe(false);
  });

  it('stands for itself up to 10,000 a day; then one in ten stands for ten', () => {
    const weightOf = (i: number) => rowWeight(i, Math.max(0, i - 10_000));
    expect([0, 9_999, 10_000, 10_001, 10_009, 10_010].map(weightOf)).toEqual([1, 1, 10, 0, 0, 10]);
    const total = Array.from({ length: 12_000 }, (_, i) => weightOf(i)).reduce((sum, weight) => sum + weight, 0);
    expect(total).toBe(12_000);
  });
});
