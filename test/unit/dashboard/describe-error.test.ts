import { describe, expect, it } from 'vitest';
import { GatewayError, NetworkError, TimeoutError, UnexpectedAnswerError } from '../../../packages/client/src/index.ts';
import {
  describeError,
  isOutage,
  problemOf,
  SlowAnswerError,
} from '../../../packages/dashboard/src/model/describe-error.ts';

function refused(code: string, status: number, problems: { path: string; message: string }[] = []): GatewayError {
  return new GatewayError(`The gateway refused the call (${code}): It says so.`, {
    code,
    status,
    problems,
    requestId: 'request-1',
    connection: undefined,
    retryAfterSec: code === 'rate_limited' ? 30 : undefined,
    applied: undefined,
    mayHaveBeenApplied: false,
  });
}

describe('a failure for an operator', () => {
  it.each([
    ['invalid_operator_token', 401, 'signed_out'],
    ['recent_sign_in_required', 403, 'fresh_sign_in'],
    ['unknown_connection', 404, 'missing'],
    ['conflict', 409, 'other'],
    ['internal_error', 500, 'other'],
  ])('a failure for an operator of the code %s leads to the right remedy', (code, status, kind) => {
    expect(describeError(refused(code, status)).kind).toBe(kind);
  });

  it('a failure for an operator is shown in the words of the gateway, with the request id and when to try again', () => {
    const told = { message: 'It says so.', requestId: 'request-1' };
    expect(describeError(refused('conflict', 409))).toMatchObject(told);
    expect(describeError(refused('rate_limited', 429)).message).toBe('It says so. Try again in 30 seconds.');
  });

  it('says when something else answered in the place of the gateway', () => {
    expect(describeError(new UnexpectedAnswerError('x answered')).title).toBe("This is not the gateway's answer");
  });

  it('warns where a change may have been made nevertheless', () => {
    expect(describeError(new NetworkError('broken', true)).message).toContain('reload before you try again');
    expect(describeError(new TimeoutError(30_000, false)).message).not.toContain('reload');
  });

  it.each([
    ['no connection', new NetworkError('broken', false), true],
    ['no answer in time', new TimeoutError(30_000, false), true],
    ['no answer yet', new SlowAnswerError(3000), true],
    ['a failure of the gateway', refused('internal_error', 503), true],
    ['a refusal', refused('not_found', 404), false],
    ['anything else', new Error('boom'), false],
  ])('keeps the shown value or does not: %s', (_what, error, expected) => {
    expect(isOutage(error)).toBe(expected);
  });

  it('a failure for an operator is shown as it is when nothing is known of it', () => {
    expect(describeError(new Error('boom')).message).toBe('boom');
    expect(describeError('text').message).toBe('text');
  });

  it('stands alongside the field it is about', () => {
    const error = refused('invalid_body', 400, [{ path: 'end_user.email', message: 'must be an e-mail address' }]);
    expect(problemOf(error, 'end_user.email')).toBe('must be an e-mail address');
    expect(problemOf(error, 'end_user')).toBe('must be an e-mail address');
    expect(problemOf(error, 'end_user.id')).toBeUndefined();
    expect(problemOf(new Error('boom'), 'end_user.id')).toBeUndefined();
  });
});
