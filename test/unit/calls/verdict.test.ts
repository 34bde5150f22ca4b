import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FAILURE_KINDS, failureOf } from '../../../lambdas/gateway/calls/call-record.rules.ts';
import { judgeCalls, type MinuteOfCalls } from '../../../lambdas/gateway/calls/verdict.rules.ts';

const START_MS = Date.parse('2026-03-01T11:00:00Z');
const NONE = { provider_failed: 0, rate_limited: 0, gateway_failed: 0, refused: 0, broken_off: 0 };

/** An hour of ten good calls a minute, with failures in its 30th to 32nd minute. */
function hour(failures: Partial<MinuteOfCalls['failures']>): MinuteOfCalls[] {
  return Array.from({ length: 60 }, (_, minute) => {
    const own = minute >= 30 && minute < 33 ? { ...NONE, ...failures } : NONE;
    const failed = Object.values(own).reduce((sum, one) => sum + one, 0);
    return { startMs: START_MS + minute * 60_000, calls: 10 + failed, ok: 10, failures: own };
  });
}
const row = (status: number, more: { reason?: string; gatewayCode?: string } = {}) => ({
  status,
  reason: more.reason,
  gatewayCode: more.gatewayCode,
  standsFor: 1,
  complete: true,
});
const judge = (failures: Partial<MinuteOfCalls['failures']>, sample: readonly ReturnType<typeof row>[] = []) =>
  judgeCalls('Google', hour(failures), sample);

describe('the verdict on an hour of calls', () => {
  it('is the provider’s where most failures are its 5xx, with since when and which', () => {
    const { verdict, text, evidence } = judge({ provider_failed: 40, refused: 5 }, [
      row(503, { reason: 'backendError' }),
      row(503, { reason: 'backendError' }),
      row(404, { reason: 'notFound' }),
    ]);
    expect(verdict).toBe('provider');
    expect(text).toBe('It is Google: it answered 120 of the 135 failed calls with 5xx.');
    expect(evidence).toEqual([
      'Of 735 calls, 120 got 5xx from Google, 0 got 429 from Google, 0 got 5xx from the gateway, 15 were refused with another 4xx.',
      'Calls failed from 11:30 to 11:32 UTC, in 3 of 60 minutes.',
      'Of the newest 3 failed calls: Google answered 503 backendError (2), Google answered 404 notFound (1).',
    ]);
  });

  it.each([
    [{ rate_limited: 20 }, 'quota'],
    [{ gateway_failed: 20 }, 'gateway'],
    [{ refused: 20 }, 'callers'],
    [{ refused: 10, provider_failed: 10 }, 'mixed'],
    [{ refused: 1 }, 'healthy'],
    [{ broken_off: 20 }, 'healthy'],
  ] as const)('of failures %o is %s', (failures, verdict) => {
    expect(judge(failures).verdict).toBe(verdict);
  });

  it('does not blame the gateway for answers that it could not get', () => {
    const unreached = [
      row(504, { gatewayCode: 'upstream_timeout' }),
      row(502, { gatewayCode: 'upstream_unreachable' }),
    ];
    expect(judge({ gateway_failed: 20 }, unreached)).toMatchObject({
      verdict: 'provider',
      text: 'Google is not reached: the gateway got no usable answer to 60 of the 60 failed calls.',
    });
    const own = [
      ...unreached,
      row(500, { gatewayCode: 'internal_error' }),
      row(503, { gatewayCode: 'service_unavailable' }),
    ];
    expect(judge({ gateway_failed: 20 }, own).verdict).toBe('gateway');
  });

  it('says that nobody called', () => {
    const quiet = hour({}).map((minute) => ({ ...minute, calls: 0, ok: 0 }));
    expect(judgeCalls('Google', quiet, [])).toEqual({
      verdict: 'no_calls',
      text: 'No call was counted in the last hour.',
      evidence: [],
    });
  });
});

describe('the failure of a call', () => {
  it('is one of five kinds, or none', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 200, max: 599 }),
        fc.option(fc.constant('internal_error'), { nil: undefined }),
        fc.boolean(),
        (status, gatewayCode, complete) => {
          const kind = failureOf({ status, gatewayCode, complete });
          if (status < 400 && complete) expect(kind).toBeUndefined();
          else expect(FAILURE_KINDS).toContain(kind);
          if (status >= 500) expect(kind).toBe(gatewayCode === undefined ? 'provider_failed' : 'gateway_failed');
        },
      ),
    );
    expect(failureOf({ status: 429, gatewayCode: undefined, complete: true })).toBe('rate_limited');
    expect(failureOf({ status: 429, gatewayCode: 'rate_limited', complete: true })).toBe('refused');
    expect(failureOf({ status: 200, gatewayCode: undefined, complete: false })).toBe('broken_off');
  });
});
