import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRetryable, retryDelayMs } from '../../../lambdas/gateway/forwarding/retries.ts';

const NONE: ReadonlySet<number> = new Set();
const answered = (status: number, reason?: string) =>
  ({ kind: 'answered', status, reason, retryAfterSec: undefined }) as const;
const READS_AND_IDEMPOTENT = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'];
const NOT_IDEMPOTENT = ['POST', 'PATCH'];

describe('isRetryable (I10)', () => {
  it.each([...READS_AND_IDEMPOTENT, ...NOT_IDEMPOTENT])('repeats %s when no byte was sent', (method) => {
    expect(isRetryable({ kind: 'not_sent' }, method, NONE)).toBe(true);
  });

  it.each(READS_AND_IDEMPOTENT)('repeats %s after a lost answer and on any 5xx', (method) => {
    expect(isRetryable({ kind: 'lost' }, method, NONE)).toBe(true);
    for (const status of [500, 502, 503, 504]) expect(isRetryable(answered(status), method, NONE)).toBe(true);
  });

  it.each(NOT_IDEMPOTENT)('never repeats %s after a lost answer, whatever Retry-On says', (method) => {
    expect(isRetryable({ kind: 'lost' }, method, new Set([500, 502, 503, 504]))).toBe(false);
  });

  it.each(NOT_IDEMPOTENT)('repeats %s on 5xx only on the caller\u2019s word', (method) => {
    expect(isRetryable(answered(503), method, NONE)).toBe(false);
    expect(isRetryable(answered(503), method, new Set([503]))).toBe(true);
    expect(isRetryable(answered(502), method, new Set([503]))).toBe(false);
  });

  it.each(['rateLimitExceeded', 'userRateLimitExceeded', 'sharingRateLimitExceeded'])(
    'repeats any method on 429 and on a 403 with %s',
    (reason) => {
      for (const method of [...READS_AND_IDEMPOTENT, ...NOT_IDEMPOTENT]) {
        expect(isRetryable(answered(403, reason), method, NONE)).toBe(true);
        expect(isRetryable(answered(429), method, NONE)).toBe(true);
      }
    },
  );

  it.each([
    ...['dailyLimitExceeded', 'quotaExceeded', 'insufficientPermissions', 'domainPolicy', 'appNotAuthorizedToFile'],
    ...['insufficientFilePermissions', 'cannotDownloadAbusiveFile', 'exportSizeLimitExceeded', 'downloadQuotaExceeded'],
    ...['fileNotExportable', 'accessNotConfigured', 'storageQuotaExceeded', 'RATELIMITEXCEEDED', undefined],
  ])('lets a 403 with %s pass', (reason) => {
    expect(isRetryable(answered(403, reason), 'GET', NONE)).toBe(false);
  });

  it.each([200, 204, 304, 308, 400, 401, 404, 409, 410, 412, 413, 408])('lets %d pass', (status) => {
    expect(isRetryable(answered(status), 'GET', NONE)).toBe(false);
  });

  it('repeats a POST or PATCH for no reason but the three of I10', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...NOT_IDEMPOTENT),
        fc.integer({ min: 100, max: 599 }),
        fc.option(fc.constantFrom('rateLimitExceeded', 'forbidden'), { nil: undefined }),
        fc.uniqueArray(fc.integer({ min: 100, max: 599 }), { maxLength: 3 }),
        (method, status, reason, optedIn) => {
          const provesNothingApplied = status === 429 || (status === 403 && reason === 'rateLimitExceeded');
          expect(isRetryable(answered(status, reason), method, new Set(optedIn))).toBe(
            provesNothingApplied || optedIn.includes(status),
          );
        },
      ),
    );
  });
});

describe('retryDelayMs', () => {
  it('takes the provider at its word', () => {
    expect(retryDelayMs(0, 7, 0.5)).toBe(7000);
    expect(retryDelayMs(4, 0, 0.5)).toBe(0);
  });

  it('doubles with jitter and ends at 32 seconds', () => {
    fc.assert(
      fc.property(fc.nat(40), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (attempt, random01) => {
        const ceiling = Math.min(500 * 2 ** attempt, 32_000);
        const delay = retryDelayMs(attempt, undefined, random01);
        expect(delay).toBeGreaterThanOrEqual(ceiling / 2);
        expect(delay).toBeLessThanOrEqual(ceiling);
      }),
    );
    expect(retryDelayMs(0, undefined, 0)).not.toBe(retryDelayMs(0, undefined, 0.9));
  });
});
