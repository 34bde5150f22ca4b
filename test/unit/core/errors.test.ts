import { describe, expect, it } from 'vitest';
import { ERROR_STATUS, GatewayError, refusal } from '../../../lambdas/gateway/core/errors.ts';
import { UpstreamError } from '../../../lambdas/gateway/core/http-message.ts';

const problem = (path: string) => ({ path, message: 'must be a text' });

describe('a refusal', () => {
  it('names its first problem, how many more there are, and carries all of them', () => {
    expect(refusal('invalid_body', [problem('name')]).message).toBe('name: must be a text');
    const several = refusal('invalid_headers', [problem('a'), problem('b'), problem('c')]);
    expect(several.message).toBe('a: must be a text (and 2 more, see errors)');
    expect(several).toMatchObject({ code: 'invalid_headers', status: 400 });
    expect(several.problems?.map(({ path }) => path)).toEqual(['a', 'b', 'c']);
  });

  it('a refusal without a problem still says that the request is at fault', () => {
    expect(refusal('invalid_query_params', []).message).toBe('The request is not valid.');
  });
});

describe('a failure of the gateway', () => {
  it('a failure of the gateway has its code, the status of that code, and nothing that was not given', () => {
    const nothing = { problems: undefined, death: undefined, retryAfterSec: undefined, applied: undefined };
    const error = new GatewayError('conflict', 'Somebody was faster.');
    expect(error).toMatchObject({ code: 'conflict', status: 409, message: 'Somebody was faster.', ...nothing });
  });

  it('keeps its cause for the log', () => {
    const cause = new Error('throttled');
    const facts = { cause, retryAfterSec: 2, applied: 'no' } as const;
    expect(new GatewayError('service_unavailable', 'Try again.', facts)).toMatchObject(facts);
    expect('cause' in new GatewayError('conflict', 'Somebody was faster.')).toBe(false);
  });

  it('a failure of the gateway that lasts is never a status that clients repeat by themselves', () => {
    const passing = [
      'rate_limited',
      'quota_reserved',
      'internal_error',
      'service_unavailable',
      'token_refresh_unavailable',
    ];
    const repeated = Object.entries(ERROR_STATUS).filter(([, status]) => status === 429 || status >= 500);
    const lasting = repeated.filter(([code]) => !passing.includes(code) && !code.startsWith('upstream_'));
    const advice = lasting.map(
      ([code, status]) =>
        `${code} has the status ${status}, after which clients repeat a call: give it one from 400 to 424 in lambdas/gateway/core/errors.ts, or name it in this test if it passes by itself.`,
    );
    expect(advice.join('\n')).toBe('');
  });
});

describe('a failed exchange with the provider', () => {
  it.each([
    ['timeout', 'The provider did not answer in time'],
    ['unreachable', 'The provider could not be reached'],
    ['invalid_response', 'The provider could not be reached'],
  ] as const)('a failed exchange with the provider by %s says so, and whether anything was sent', (kind, message) => {
    const cause = new Error('socket hang up');
    const facts = { name: 'UpstreamError', kind, message, sent: true, reusedConnection: false, cause };
    expect(new UpstreamError(kind, true, false, cause)).toMatchObject(facts);
  });
});
