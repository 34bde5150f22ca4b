import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathPattern, UNMATCHED } from '../../../lambdas/gateway/calls/api-method.rules.ts';
import { leavesRow } from '../../../lambdas/gateway/calls/call-line.rules.ts';
import {
  type CallRecord,
  type FailureFilter,
  failureOf,
  isEveryFailure,
  isWantedFailure,
  keptMethod,
  keptReason,
  rowWeight,
} from '../../../lambdas/gateway/calls/call-record.rules.ts';
import { addCounts, daysBetween } from '../../../lambdas/gateway/calls/usage.rules.ts';
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
  ])('CL-11: the pattern of a path of %s is %s', (path, pattern) => {
    expect(pathPattern(path, ALL)).toBe(pattern);
  });

  it('CL-11: the pattern of a path is known for each method of Google’s discovery documents, whatever its ids are', () => {
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
  it('CL-10: what of a call is kept is a reason that is an identifier, and no other text', () => {
    expect(keptReason('insufficientPermissions')).toBe('insufficientPermissions');
    expect(keptReason('first.user@example.com')).toBeUndefined();
    expect(keptReason('File not found: 1aBcD')).toBeUndefined();
    expect(keptReason('a'.repeat(64))).toBe('a'.repeat(64));
    expect(keptReason('a'.repeat(65))).toBeUndefined();
    expect(keptReason(undefined)).toBeUndefined();
  });

  it('CL-10: what of a call is kept is a method that exists', () => {
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
    expect(methods.map(keptMethod)).toEqual(methods);
    expect(['SECRET', 'get', ''].map(keptMethod)).toEqual(['OTHER', 'OTHER', 'OTHER']);
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

describe('a failed call', () => {
  const EVERY: FailureFilter = {
    kind: undefined,
    reason: undefined,
    status: undefined,
    keyId: undefined,
    integrationIds: undefined,
    connectionId: undefined,
    sinceMs: undefined,
    untilMs: undefined,
  };
  const CALL: CallRecord = {
    accountId: 'acme',
    integrationId: 'drive',
    connectionId: 'alice',
    callId: '01JABCDEFGHJKMNPQRSTVWXYZ0',
    requestId: 'req',
    startedAt: '2026-03-29T12:00:00.000Z',
    keyId: 'abcdefghijkl',
    method: 'GET',
    path: '/drive/v3/files/{}',
    status: 404,
    gatewayCode: undefined,
    reason: 'notFound',
    headMs: 80,
    totalMs: 90,
    attempts: 1,
    refreshed: false,
    bytesIn: 0,
    bytesOut: 200,
    complete: true,
    standsFor: 1,
  };

  it.each([
    [{ status: 399 }, undefined],
    [{ status: 400 }, 'refused'],
    [{ status: 429 }, 'rate_limited'],
    [{ status: 429, gatewayCode: 'too_many_calls' }, 'refused'],
    [{ status: 499 }, 'refused'],
    [{ status: 500 }, 'provider_failed'],
    [{ status: 500, gatewayCode: 'internal_error' }, 'gateway_failed'],
    [{ status: 200, complete: false }, 'broken_off'],
    [{ status: 500, complete: false }, 'provider_failed'],
  ])('a failed call of %o counts as %s', (call, kind) => {
    expect(failureOf({ gatewayCode: undefined, complete: true, ...call })).toBe(kind);
  });

  it.each<[Partial<FailureFilter>, Partial<FailureFilter>]>([
    [{ kind: 'refused' }, { kind: 'broken_off' }],
    [{ reason: 'notFound' }, { reason: 'forbidden' }],
    [{ status: 404 }, { status: 403 }],
    [{ keyId: 'abcdefghijkl' }, { keyId: 'lkjihgfedcba' }],
    [{ integrationIds: ['calendar', 'drive'] }, { integrationIds: ['calendar'] }],
    [{ connectionId: CALL.connectionId }, { connectionId: 'another' }],
  ])('a failed call is wanted by %o and not by %o, and either leaves calls out', (own, other) => {
    expect(isWantedFailure(CALL, { ...EVERY, ...own })).toBe(true);
    expect(isWantedFailure(CALL, { ...EVERY, ...other })).toBe(false);
    expect([own, other].map((filter) => isEveryFailure({ ...EVERY, ...filter }))).toEqual([false, false]);
  });

  it('a failed call that waits for approval is none, and a refused one of the same status is', () => {
    const call = { status: 403, complete: true };
    expect(failureOf({ ...call, gatewayCode: 'approval_required' })).toBeUndefined();
    expect(failureOf({ ...call, gatewayCode: 'approval_impossible' })).toBe('refused');
  });

  it('a failed call is wanted by the code of the gateway’s own answer, too', () => {
    const call: CallRecord = { ...CALL, reason: undefined, gatewayCode: 'limited_by_key' };
    expect(isWantedFailure(call, { ...EVERY, reason: 'limited_by_key' })).toBe(true);
    expect(isWantedFailure(call, { ...EVERY, reason: 'notFound' })).toBe(false);
  });

  it('a failed call is wanted whatever it is where no filter but a time is given', () => {
    expect(isWantedFailure(CALL, EVERY)).toBe(true);
    expect(isEveryFailure({ ...EVERY, sinceMs: 1, untilMs: 2 })).toBe(true);
  });
});

describe('days of calls', () => {
  it('days of calls are each day from the first to the last, over the ends of months and the change of summer time', () => {
    expect(daysBetween('2028-02-28', '2028-03-01')).toEqual(['2028-02-28', '2028-02-29', '2028-03-01']);
    expect(daysBetween('2026-03-28', '2026-03-30')).toEqual(['2026-03-28', '2026-03-29', '2026-03-30']);
    expect(daysBetween('2026-03-28', '2026-03-28')).toEqual(['2026-03-28']);
    expect(daysBetween('2026-03-28', '2026-03-27')).toEqual([]);
  });

  it('days of calls are summed by counter, and hold none that is zero', () => {
    expect(addCounts({ calls: 1, ok: 0 }, { calls: 2 })).toEqual({ calls: 3 });
  });
});
