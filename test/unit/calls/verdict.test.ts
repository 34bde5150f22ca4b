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
const row = (status: number, more: { reason?: string; gatewayCode?: string; standsFor?: number } = {}) => ({
  status,
  reason: more.reason,
  gatewayCode: more.gatewayCode,
  standsFor: more.standsFor ?? 1,
  complete: true,
});
const judge = (failures: Partial<MinuteOfCalls['failures']>, sample: readonly ReturnType<typeof row>[] = []) =>
  judgeCalls('Google', hour(failures), sample);

describe('the verdict on an hour of calls', () => {
  it('the verdict on an hour of calls is the provider’s where most failures are its 5xx, with since when and which', () => {
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
    [
      { rate_limited: 20 },
      'quota',
      'It is Google’s quota: it answered 60 of the 60 failed calls with 429. Call less often, or ask for a higher quota.',
    ],
    [{ gateway_failed: 20 }, 'gateway', 'It is the gateway: it answered 60 of the 60 failed calls itself with 5xx.'],
    [
      { refused: 20 },
      'callers',
      'It is neither Google nor the gateway: 60 of the 60 failed calls were refused with 4xx, because of the call itself, its key or its grant.',
    ],
    [
      { refused: 10, provider_failed: 10 },
      'mixed',
      'There is no single cause: 60 of 660 calls failed, none of the kinds more than half of them.',
    ],
    [{ refused: 1 }, 'healthy', 'Neither: 600 of the last hour’s 603 calls went through.'],
    [{ broken_off: 20 }, 'healthy', 'Neither: 660 of the last hour’s 660 calls went through.'],
  ] as const)('the verdict on an hour of calls of failures %o is %s', (failures, verdict, words) => {
    expect(judge(failures)).toMatchObject({ verdict, text: words });
  });

  it('finds fault where one of a hundred calls fails, and not below that', () => {
    const calls = (failed: number) => [
      { startMs: START_MS, calls: 100, ok: 100 - failed, failures: { ...NONE, provider_failed: failed } },
    ];
    expect(judgeCalls('Google', calls(1), []).verdict).toBe('provider');
    expect(judgeCalls('Google', [...calls(1), ...calls(0)], []).verdict).toBe('healthy');
  });

  it('names the one minute in which calls failed, and none where none did', () => {
    const [first] = hour({});
    const failing = { startMs: START_MS, calls: 9, ok: 0, failures: { ...NONE, refused: 9 } };
    expect(judgeCalls('Google', [failing], []).evidence.at(-1)).toBe('Calls failed at 11:00 UTC only.');
    expect(judgeCalls('Google', first === undefined ? [] : [first], []).evidence).toEqual([]);
  });

  it('names the three most frequent answers of the sample, by how many calls each row stands for, and whose they are', () => {
    const { evidence } = judge({ refused: 20 }, [
      row(400, { reason: 'badRequest' }),
      row(401, { gatewayCode: 'invalid_key', standsFor: 2 }),
      row(403, { standsFor: 4 }),
      row(404, { reason: 'notFound', standsFor: 3 }),
      row(200, { standsFor: 9 }),
    ]);
    expect(judge({ refused: 20 }, [row(400)]).evidence.at(-1)).toBe(
      'Of the newest 1 failed calls: Google answered 400 (1).',
    );
    expect(evidence.at(-1)).toBe(
      'Of the newest 19 failed calls: Google answered 403 (4), Google answered 404 notFound (3), the gateway answered 401 invalid_key (2).',
    );
  });

  it('the verdict on an hour of calls does not blame the gateway for answers that it could not get', () => {
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
    // What callers did wrong, and what Google itself answered, is no answer of the gateway's.
    const callers = Array.from({ length: 3 }, () => row(400, { gatewayCode: 'invalid_body' }));
    const others = [...callers, row(503), row(503), row(404)];
    expect(judge({ gateway_failed: 20 }, [...unreached, ...others]).verdict).toBe('provider');
    expect(judge({ gateway_failed: 20 }, others).verdict).toBe('gateway');
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
  it('the failure of a call is one of five kinds, or none', () => {
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
