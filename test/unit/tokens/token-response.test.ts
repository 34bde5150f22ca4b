import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeTokenResponse, parseRetryAfter } from '../../../lambdas/gateway/tokens/token-response.rules.ts';
import { anyText } from '../../support/any-text.ts';
import { elapsedMs, NOW_EPOCH_SEC } from '../support/connection.ts';
import { google } from '../support/google.ts';

const judge = (status: number, body: unknown, retryAfter?: string) =>
  judgeTokenResponse(
    { status, body: typeof body === 'string' ? body : JSON.stringify(body), retryAfter },
    NOW_EPOCH_SEC,
    google,
  );
const GOOD = { access_token: 'ya29.a0', token_type: 'Bearer', expires_in: 3599 };
const lifetimeOf = (expiresIn: unknown) => {
  const judgement = judge(200, { ...GOOD, expires_in: expiresIn });
  return judgement.kind === 'tokens' ? judgement.tokens.accessTokenExpiresAtEpochSec - NOW_EPOCH_SEC : judgement.kind;
};

describe('error classification (TK-3, TK-4)', () => {
  it.each([
    [400, { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' }, 'dead_grant'],
    [400, { error: 'invalid_grant', error_description: 'Bad Request' }, 'dead_grant'],
    [400, { error: 'invalid_grant', error_subtype: 'invalid_rapt' }, 'dead_grant'],
    [401, { error: 'invalid_grant' }, 'dead_grant'],
    [400, { error: 'admin_policy_enforced' }, 'dead_grant'],
    [401, { error: 'admin_policy_enforced' }, 'dead_grant'],
    [400, { error: 'policy_enforced' }, 'dead_grant'],
    [400, { error: 'redirect_uri_mismatch' }, 'client_fault'],
    [401, { error: 'invalid_client', error_description: 'The OAuth client was not found.' }, 'client_fault'],
    [401, { error: 'deleted_client', error_description: 'The OAuth client was deleted.' }, 'client_fault'],
    [401, { error: 'disabled_client', error_description: 'The OAuth client was disabled.' }, 'client_fault'],
    [400, { error: 'access_denied', error_description: 'Account restricted' }, 'dead_grant'],
    [403, { error: 'access_denied' }, 'dead_grant'],
    [400, { error: 'invalid_grant', error_subtype: 'rapt_required' }, 'dead_grant'],
    [401, { error: 'unauthorized_client', error_description: 'Unauthorized' }, 'refused'],
    [400, { error: 'invalid_request' }, 'refused'],
    [400, { error: 'invalid_scope' }, 'refused'],
    [403, { error: 'something_new' }, 'refused'],
    [403, '<html>User Rate Limit Exceeded</html>', 'transient'],
    [403, { error: 'rate_limit_exceeded' }, 'transient'],
    [429, { error: 'rate_limit_exceeded' }, 'transient'],
    [429, '', 'transient'],
    [404, 'Not Found', 'transient'],
    [400, 'null', 'transient'],
    [400, '[{"error":"invalid_grant"}]', 'transient'],
    [400, '"invalid_grant"', 'transient'],
    [403, { error: { code: 403, message: 'Forbidden', errors: [{ reason: 'invalid_grant' }] } }, 'transient'],
    [400, { error: ['invalid_grant'] }, 'transient'],
    [400, { error: '' }, 'transient'],
    [400, { error: 'server_error' }, 'transient'],
    [400, { error: 'slow_down' }, 'transient'],
    [401, { error: 'temporarily_unavailable' }, 'transient'],
    [400, { error: 'internal_failure' }, 'transient'],
    [500, { error: 'internal_failure' }, 'transient'],
    [502, '<html>', 'transient'],
    [503, '', 'transient'],
    [302, { error: 'invalid_grant' }, 'transient'],
  ])('judges %d %j as %s', (status, body, kind) => {
    expect(judge(status, body).kind).toBe(kind);
  });

  it('never takes a 429 or 5xx for a dead grant or a client fault, whatever it says', () => {
    const error = fc.constantFrom('invalid_grant', 'admin_policy_enforced', 'invalid_client', 'x');
    fc.assert(
      fc.property(fc.oneof(fc.constant(429), fc.integer({ min: 500, max: 599 })), error, (status, name) => {
        expect(judge(status, { error: name }).kind).toBe('transient');
      }),
    );
  });

  it('TK-3, TK-4: takes an error of no list for one connection’s own, never for a death nor for the client’s fault', () => {
    const listed = ['invalid_grant', 'admin_policy_enforced', 'access_denied'];
    const clients = ['invalid_client', 'deleted_client', 'disabled_client', 'redirect_uri_mismatch'];
    const status = fc.integer({ min: 400, max: 499 }).filter((one) => one !== 429);
    const error = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom('unauthorized_client', 'invalid_request', 'toString', '__proto__', ...listed, ...clients),
    );
    fc.assert(
      fc.property(status, error, (code, name) => {
        const { kind } = judge(code, { error: name });
        expect(kind === 'dead_grant').toBe(listed.includes(name));
        expect(kind === 'client_fault').toBe(clients.includes(name));
      }),
    );
  });

  it('takes an error of any length or alphabet for none, because codes are stored', () => {
    for (const error of ['x'.repeat(101), 'a\nb']) {
      expect(judge(400, { error })).toMatchObject({ kind: 'transient', reason: 'http_400' });
    }
    const long = { error: 'invalid_grant', error_subtype: 'x'.repeat(101) };
    expect(judge(400, long)).toMatchObject({ subtype: undefined });
  });

  it('error classification is not misled by member names of every object', () => {
    expect(judge(400, '{"__proto__":{"error":"invalid_grant"}}').kind).toBe('transient');
    expect(judge(200, '{"__proto__":{"access_token":"a","token_type":"Bearer"}}').kind).toBe('transient');
    expect(judge(400, '{"error":"constructor"}').kind).toBe('refused');
  });

  it('hands the wait over for transient answers', () => {
    expect(judge(503, '', '120')).toEqual({ kind: 'transient', reason: 'http_503', retryAfterSec: 120 });
    const limited = { reason: 'rate_limit_exceeded', retryAfterSec: 5 };
    expect(judge(429, { error: 'rate_limit_exceeded' }, '5')).toMatchObject(limited);
  });
});

describe('token replies (OA-16)', () => {
  it('reads a whole reply', () => {
    const more = { refresh_token: '1//r', id_token: 'h.p.s', refresh_token_expires_in: 604800 };
    const body = { ...GOOD, ...more, scope: 'openid b' };
    expect(judge(200, body)).toEqual({
      kind: 'tokens',
      tokens: {
        accessToken: 'ya29.a0',
        refreshToken: '1//r',
        accessTokenExpiresAtEpochSec: NOW_EPOCH_SEC + 3599,
        grantedScopes: ['openid', 'b'],
        refreshTokenExpiresAtEpochSec: NOW_EPOCH_SEC + 604800,
        idToken: 'h.p.s',
      },
    });
  });

  it('says that no refresh token came, so that the stored one stays (TK-2)', () => {
    for (const refreshToken of [undefined, null]) {
      const kept = { kind: 'tokens', tokens: { refreshToken: undefined } };
      expect(judge(200, { ...GOOD, refresh_token: refreshToken })).toMatchObject(kept);
    }
  });

  it.each([
    [604800, NOW_EPOCH_SEC + 604800],
    [1.9, NOW_EPOCH_SEC + 1],
    [0, undefined],
    [-1, undefined],
    ['604800', undefined],
    [null, undefined],
    [1e300, undefined],
    [1e16, undefined],
    [4e9, undefined],
  ])('CR-10: reads the announced end of a grant from %j as %s', (seconds, end) => {
    const judgement = judge(200, { ...GOOD, refresh_token_expires_in: seconds });
    expect(judgement).toMatchObject({ kind: 'tokens', tokens: { refreshTokenExpiresAtEpochSec: end } });
  });

  it.each([
    ['', undefined],
    ['drive,email  openid', ['drive', 'email', 'openid']],
  ])('reads the granted scopes from %j as %j', (scope, grantedScopes) => {
    expect(judge(200, { ...GOOD, scope })).toMatchObject({ kind: 'tokens', tokens: { grantedScopes } });
  });

  it.each(['Bearer', 'bearer', 'BEARER'])('takes the token type %s', (tokenType) => {
    expect(judge(200, { ...GOOD, token_type: tokenType }).kind).toBe('tokens');
  });

  it.each([
    ['3600', 3600],
    [3600, 3600],
    [1, 1],
    [59.9, 59],
    [undefined, 3600],
    [null, 3600],
    [1e12, 86_400],
    ['999999999999', 86_400],
    [0, 'transient'],
    [0.5, 'transient'],
    [-1, 'transient'],
    ['-1', 'transient'],
    ['0', 'transient'],
    ['', 'transient'],
    ['1e3', 'transient'],
    ['9'.repeat(400), 'transient'],
    [true, 'transient'],
    [{}, 'transient'],
    [[3600], 'transient'],
  ])('reads expires_in %j as %s (F21)', (expiresIn, expected) => {
    expect(lifetimeOf(expiresIn)).toBe(expected);
  });

  it.each([
    ...['', ' ', '<html>ok</html>', '{}', '[]', 'null', 'true', '"token"', '0', '{"access_token":'],
    '{"access_token":"a","token_type":"Bearer"',
    `${JSON.stringify(GOOD)}x`,
    JSON.stringify([GOOD]),
    ...['', null, 1, 'a b', 'a\r\nHost: evil', 'caf\u00e9'].map((access_token) =>
      JSON.stringify({ ...GOOD, access_token }),
    ),
    ...[undefined, 'mac', ['Bearer']].map((token_type) => JSON.stringify({ ...GOOD, token_type })),
    ...['', 1].map((refresh_token) => JSON.stringify({ ...GOOD, refresh_token })),
    JSON.stringify({ ...GOOD, expires_in: {} }),
  ])('refuses the 200 body %s', (body) => {
    expect(judge(200, body)).toMatchObject({ kind: 'transient', reason: 'unusable_token_response' });
  });

  it.each([
    ['access_token', 'a'.repeat(8 * 1024 + 1)],
    ['refresh_token', 'r'.repeat(8 * 1024 + 1)],
    ['refresh_token', '\u20ac'.repeat(4 * 1024)],
    ['scope', 's '.repeat(8 * 1024 + 1)],
    ['scope', ['a']],
    ['scope', 7],
    ['scope', false],
  ])('CR-10: refuses a reply whose %s is too long or of another type', (member, value) => {
    expect(judge(200, { ...GOOD, [member]: value })).toMatchObject({ reason: 'unusable_token_response' });
  });

  it('CR-10: takes tokens of 8 KB and scopes of 16 KB', () => {
    const tokens = { access_token: 'a'.repeat(8 * 1024), refresh_token: 'r'.repeat(8 * 1024) };
    const longest = { ...tokens, scope: 's'.repeat(16 * 1024) };
    expect(judge(200, { ...GOOD, ...longest }).kind).toBe('tokens');
  });

  it.each([201, 204, 206, 304, 100])('refuses tokens with status %d', (status) => {
    expect(judge(status, GOOD).kind).toBe('transient');
  });

  it('survives any JSON and any text, and takes tokens only when they are whole', () => {
    const members = {
      access_token: fc.oneof(fc.string(), fc.constant('ya29'), fc.jsonValue()),
      token_type: fc.oneof(fc.constant('Bearer'), fc.jsonValue()),
      expires_in: fc.oneof(fc.integer(), fc.double(), fc.string(), fc.jsonValue()),
      refresh_token: fc.oneof(fc.string(), fc.jsonValue()),
      scope: fc.jsonValue(),
      error: fc.jsonValue(),
    };
    const reply = fc.record(members, { requiredKeys: [] }).map((value) => JSON.stringify(value));
    const anyBody = fc.oneof(fc.json(), anyText(), reply);
    fc.assert(
      fc.property(anyBody, fc.constantFrom(200, 200, 400, 401, 403, 500), (body, status) => {
        const judgement = judge(status, body);
        if (judgement.kind !== 'tokens') return;
        expect(status).toBe(200);
        const { accessToken, accessTokenExpiresAtEpochSec, refreshToken } = judgement.tokens;
        expect(accessToken).toMatch(/^[\x21-\x7e]+$/);
        expect(refreshToken).not.toBe('');
        expect(accessTokenExpiresAtEpochSec).toBeGreaterThan(NOW_EPOCH_SEC);
        expect(accessTokenExpiresAtEpochSec).toBeLessThanOrEqual(NOW_EPOCH_SEC + 86_400);
      }),
      { numRuns: 300 },
    );
  });

  it('stores nothing of a reply cut anywhere', () => {
    const whole = JSON.stringify({ ...GOOD, refresh_token: '1//r' });
    for (let end = 0; end < whole.length; end++) expect(judge(200, whole.slice(0, end)).kind).toBe('transient');
  });

  it('stands nesting of any depth', () => {
    expect(judge(200, '['.repeat(100_000)).kind).toBe('transient');
    expect(judge(200, `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`).kind).toBe('transient');
  });
});

describe('parseRetryAfter', () => {
  it.each([
    ['0', 0],
    [' 120 ', 120],
    ['999999999', 86_400],
    [new Date((NOW_EPOCH_SEC + 90) * 1000).toUTCString(), 90],
    [new Date((NOW_EPOCH_SEC - 90) * 1000).toUTCString(), 0],
    [new Date((NOW_EPOCH_SEC + 1e7) * 1000).toUTCString(), 86_400],
    [undefined, undefined],
    ['', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['2026-01-01', undefined],
    ['Thu, 99 Jan 2026', undefined],
  ])('reads %j as %s', (value, expected) => {
    expect(parseRetryAfter(value, NOW_EPOCH_SEC)).toBe(expected);
  });

  it('stays within a day for any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
        ),
        (value) => {
          const seconds = parseRetryAfter(value, NOW_EPOCH_SEC) ?? 0;
          expect(seconds >= 0 && seconds <= 86_400).toBe(true);
        },
      ),
    );
  });

  it.each(['1', ' ', 'Mon, ', '('])('judges 100 kB of %j in under 50 ms (DS-4)', (unit) => {
    expect(elapsedMs(() => parseRetryAfter(unit.repeat(100_000 / unit.length), NOW_EPOCH_SEC))).toBeLessThan(50);
    expect(elapsedMs(() => parseRetryAfter(`Mon, ${unit.repeat(20_000)}`, NOW_EPOCH_SEC))).toBeLessThan(50);
  });
});

describe('time on hostile answers (DS-4)', () => {
  it.each(['a', ' ', '\\u0041'])('judges tokens and errors of 100 kB of %j in under 50 ms', (unit) => {
    const text = unit.repeat(100_000 / unit.length);
    const tokens = `{"access_token":"${text}\u0001","token_type":"Bearer","scope":"${text}"}`;
    expect(elapsedMs(() => judge(200, tokens))).toBeLessThan(50);
    expect(elapsedMs(() => judge(400, `{"error":"${text}"}`))).toBeLessThan(50);
  });
});
