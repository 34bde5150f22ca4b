import { describe, expect, test } from 'vitest';
import { keyToSecret } from '../../../lambdas/gateway/integrations/delegation.rules.ts';
import type { TokenCallResult } from '../../../lambdas/gateway/tokens/ports.ts';
import { google } from '../support/google.ts';
import { START_SEC } from './support/connection.ts';
import {
  AUDIENCE,
  CALENDAR,
  DRIVE,
  delegation,
  delegationWorld,
  keyOf,
  type Presented,
  refusal,
  USER,
} from './support/delegation.ts';
import { answer, LOST, tokens, UNSENT } from './support/refresh-world.ts';

const NOT_LISTED = refusal('unauthorized_client', 'Client is unauthorized to retrieve access tokens', 401);
const BAD_SIGNATURE = refusal('invalid_grant', 'Invalid JWT Signature.');
const BAD_REQUEST = refusal('invalid_grant', 'Bad Request');

/** A token endpoint that says one thing of users and another of the account by itself. */
function says(ofUser: TokenCallResult, ofAccount: TokenCallResult) {
  return ({ claims }: Presented) => ('sub' in claims ? ofUser : ofAccount);
}

describe('the request for a user’s token', () => {
  test('the request for a user’s token is one assertion of the key: for the user, all scopes, the token endpoint, an hour', async () => {
    const { ask, presented, looked } = delegationWorld();
    expect(await ask()).toEqual({
      kind: 'tokens',
      tokens: expect.objectContaining({ accessToken: 'access-1', accessTokenExpiresAtEpochSec: START_SEC + 3599 }),
    });
    expect(presented).toEqual([
      {
        header: { alg: 'RS256', typ: 'JWT', kid: 'k1' },
        claims: {
          iss: 'robot@project.iam.gserviceaccount.com',
          sub: USER,
          scope: `${DRIVE} ${CALENDAR}`,
          aud: 'https://oauth2.googleapis.com/token',
          iat: START_SEC,
          exp: START_SEC + 3600,
        },
        timeoutMs: 8_000,
      },
    ]);
    expect(looked).toEqual([{ fresh: false, delegated: true }]);
  });

  test('the request for a user’s token does not last longer than the caller waits', async () => {
    const { ask, presented, script } = delegationWorld();
    await ask({ untilMs: script.nowMs + 3_000 });
    expect(presented.map(({ timeoutMs }) => timeoutMs)).toEqual([3_000]);
  });

  test.each([0, -1])(
    'the request for a user’s token is not sent where the caller’s time is up by %i ms',
    async (leftMs) => {
      const { ask, presented, script } = delegationWorld();
      expect(await ask({ untilMs: script.nowMs + leftMs })).toEqual({
        kind: 'failed',
        reason: 'token_endpoint_timeout',
        retryAfterSec: undefined,
        isAnswer: false,
      });
      expect(presented).toEqual([]);
    },
  );

  test.each([LOST, UNSENT])(
    'the request for a user’s token is sent once more where it got no answer, and not a third time',
    async (lost) => {
      const { ask, presented, script } = delegationWorld();
      const all = [lost, tokens()];
      script.answer = () => all.shift() ?? lost;
      expect(await ask()).toMatchObject({ kind: 'tokens' });
      expect(await ask()).toEqual({
        kind: 'failed',
        reason: Object(lost).reason,
        retryAfterSec: undefined,
        isAnswer: false,
      });
      expect(presented).toHaveLength(4);
    },
  );

  test('the request for a user’s token is repeated in the time that is left, and not after it', async () => {
    const { ask, presented, script } = delegationWorld();
    script.answer = () => {
      script.nowMs += 7_000;
      return LOST;
    };
    expect(await ask()).toMatchObject({ kind: 'failed', reason: 'token_endpoint_timeout' });
    expect(presented.map(({ timeoutMs }) => timeoutMs)).toEqual([8_000, 5_000]);
    expect(await ask({ untilMs: script.nowMs + 7_000 })).toMatchObject({ kind: 'failed' });
    expect(presented).toHaveLength(3);
  });

  test('counts the time of tokens from when they came', async () => {
    const { ask, script } = delegationWorld();
    script.answer = () => {
      script.nowMs += 5_000;
      return tokens();
    };
    expect(await ask()).toMatchObject({ tokens: { accessTokenExpiresAtEpochSec: START_SEC + 5 + 3599 } });
  });
});

describe('what the answer to an assertion becomes', () => {
  /** What is said of a user; whether the account is asked by itself; what it becomes where that succeeds. */
  const OF_USERS: [string, TokenCallResult, boolean, object][] = [
    ['not listed', NOT_LISTED, false, { meaning: 'not_listed', certain: true, error: 'unauthorized_client' }],
    [
      'a scope not listed',
      refusal('access_denied', 'Requested client not authorized.'),
      false,
      { meaning: 'scope_not_listed', certain: false, error: 'access_denied' },
    ],
    [
      'the user restricted',
      refusal('access_denied', 'Account Restricted'),
      false,
      { meaning: 'user_restricted', certain: true, error: 'access_denied' },
    ],
    [
      'API access control',
      refusal('admin_policy_enforced'),
      false,
      { meaning: 'admin_policy', certain: true, error: 'admin_policy_enforced' },
    ],
    [
      'an unknown user',
      refusal('invalid_grant', 'Invalid email or User ID'),
      true,
      { meaning: 'subject_unknown', certain: true, error: 'invalid_grant' },
    ],
    [
      'an odd user',
      refusal('invalid_request', 'Invalid impersonation &quot;sub&quot; field: x'),
      true,
      { meaning: 'subject_unknown', certain: true, error: 'invalid_request' },
    ],
    [
      'a deleted user',
      refusal('invalid_grant', 'The account has been deleted'),
      true,
      { meaning: 'subject_gone', certain: true, error: 'invalid_grant' },
    ],
    [
      'words that no list knows',
      BAD_REQUEST,
      true,
      { meaning: 'subject_unknown', certain: false, error: 'invalid_grant' },
    ],
    [
      'no words',
      answer(400, { error: 'invalid_grant' }),
      true,
      { meaning: 'subject_unknown', certain: false, error: 'invalid_grant' },
    ],
    [
      'a key that works by itself',
      BAD_SIGNATURE,
      true,
      { meaning: 'subject_unknown', certain: false, error: 'invalid_grant' },
    ],
  ];
  test.each(OF_USERS)('SA-23: %s is the user’s or their administrator’s', async (_, said, asksAlone, refused) => {
    const { ask, presented, script, looked } = delegationWorld();
    script.answer = says(said, tokens());
    expect(await ask()).toEqual({ kind: 'refused', ...refused });
    expect(presented.map(({ claims }) => claims.sub)).toEqual(asksAlone ? [USER, undefined] : [USER]);
    // The key is not looked up again: it is not at fault.
    expect(looked).toHaveLength(1);
  });

  test('SA-24: the request that distinguishes user from key is the same without the user', async () => {
    const { ask, presented, script } = delegationWorld();
    script.answer = says(BAD_REQUEST, tokens());
    await ask();
    const [first, second] = presented.map(({ claims }) => claims);
    expect({ ...second, sub: USER }).toEqual(first);
    expect(second).not.toHaveProperty('sub');
  });

  const FAILURES: [string, TokenCallResult, string, number | undefined][] = [
    [
      'a clock that is wrong',
      refusal('invalid_grant', 'Invalid JWT: Token must be a short-lived token (60 minutes)'),
      'clock_wrong',
      undefined,
    ],
    ['an outage', answer(503, 'no', '30'), 'http_503', 30],
    ['too many requests', answer(429, {}, '7'), 'http_429', 7],
    ['no JSON', answer(200, '<html>'), 'unusable_token_response', undefined],
    ['tokens that are none', answer(200, { access_token: 5 }), 'unusable_token_response', undefined],
  ];
  test.each(FAILURES)('%s is nobody’s and may pass', async (_, said, reason, retryAfterSec) => {
    const { ask, presented, script } = delegationWorld();
    script.answer = () => said;
    expect(await ask()).toEqual({ kind: 'failed', reason, retryAfterSec, isAnswer: true });
    expect(presented).toHaveLength(1);
  });

  test('what fails in the second request may pass too: nothing is known of the user', async () => {
    const { ask, script } = delegationWorld();
    script.answer = says(BAD_REQUEST, answer(503, '', '9'));
    expect(await ask()).toEqual({ kind: 'failed', reason: 'http_503', retryAfterSec: 9, isAnswer: true });
  });

  test('a scope that Google does not know is the operator’s, without a second request', async () => {
    const { ask, presented, script } = delegationWorld();
    script.answer = () => refusal('invalid_scope', 'x is not a valid audience string.');
    expect(await ask()).toEqual({ kind: 'client_fault', error: 'delegated_scope_invalid' });
    expect(presented).toHaveLength(1);
  });

  const ROBOT_GONE: [string, TokenCallResult][] = [
    ['not found', refusal('invalid_grant', 'Invalid grant: account not found')],
    ['disabled', refusal('invalid_grant', 'Robot is disabled.')],
    ['a disabled client', refusal('disabled_client', '', 401)],
    ['a deleted client', refusal('deleted_client', '', 401)],
  ];
  test.each(ROBOT_GONE)(
    'SA-24: an account that is %s is the operator’s, and no other key is tried',
    async (_, said) => {
      const { ask, presented, script, looked } = delegationWorld();
      script.stored = [keyToSecret(keyOf('k1')), keyToSecret(keyOf('k2'))];
      script.answer = () => said;
      expect(await ask()).toEqual({ kind: 'client_fault', error: 'service_account_unavailable' });
      expect(presented.map(({ header }) => header.kid)).toEqual(['k1', 'k1']);
      expect(looked).toHaveLength(1);
    },
  );

  test('a server without words for service accounts has its errors as they are', async () => {
    const { delegation: _, ...server } = google;
    const { ask, script } = delegationWorld();
    script.endpoints = { server };
    script.answer = () => BAD_SIGNATURE;
    expect(await ask()).toEqual({ kind: 'client_fault', error: 'key' });
    script.answer = says(BAD_SIGNATURE, tokens());
    expect(await ask()).toMatchObject({ kind: 'refused', meaning: 'subject_unknown', certain: false });
  });
});

describe('SA-24: a key that is refused with and without a user', () => {
  const kids = (presented: readonly Presented[]) => presented.map(({ header }) => header.kid).join(' ');
  const FAULT = { kind: 'client_fault', error: 'service_account_key_refused' };
  const [K1, K2] = [keyToSecret(keyOf('k1')), keyToSecret(keyOf('k2'))];
  const takes = (kid: string) => (one: Presented) => (one.header.kid === kid ? tokens() : BAD_SIGNATURE);

  test('a key that is refused with and without a user is looked up again, past every cache, and not tried twice where it is the same', async () => {
    const { ask, presented, script, looked } = delegationWorld();
    script.answer = () => BAD_SIGNATURE;
    expect(await ask()).toEqual(FAULT);
    expect(kids(presented)).toBe('k1 k1');
    expect(looked).toEqual([
      { fresh: false, delegated: true },
      { fresh: true, delegated: true },
    ]);
  });

  test.each([
    ['the previous one', [K1, K2]],
    ['the one that replaced it', [K2, K1]],
  ])('gives way to %s', async (_, fresh) => {
    const { ask, presented, script } = delegationWorld();
    script.fresh = fresh;
    script.answer = takes('k2');
    expect(await ask()).toMatchObject({ kind: 'tokens' });
    expect(kids(presented)).toBe('k1 k1 k2');
  });

  test('a key that is refused with and without a user has the previous one tried once, where that is refused as well', async () => {
    const { ask, presented, script } = delegationWorld();
    script.stored = [K1, K2];
    script.answer = () => BAD_SIGNATURE;
    expect(await ask()).toEqual(FAULT);
    expect(kids(presented)).toBe('k1 k1 k2 k2');
  });

  test('a key that is refused with and without a user has another one tried once, though it is stored twice', async () => {
    const { ask, presented, script } = delegationWorld();
    script.fresh = [K2, K2];
    script.answer = () => BAD_SIGNATURE;
    expect(await ask()).toEqual(FAULT);
    expect(kids(presented)).toBe('k1 k1 k2 k2');
  });

  test('gets what the other one was answered', async () => {
    const { ask, script } = delegationWorld();
    script.stored = [K1, K2];
    script.answer = ({ header }) => (header.kid === 'k1' ? BAD_SIGNATURE : NOT_LISTED);
    expect(await ask()).toMatchObject({ kind: 'refused', meaning: 'not_listed' });
  });

  test('a key that is refused with and without a user is nobody’s fault where the second look fails: another key may be stored', async () => {
    const { ask, script } = delegationWorld();
    script.answer = () => {
      script.hasSecrets = false;
      return BAD_SIGNATURE;
    };
    expect(await ask()).toMatchObject({ kind: 'failed', reason: 'client_credentials_unavailable', isAnswer: false });
  });

  test('a key that is refused with and without a user has the previous one that was known tried, where a second look finds nothing', async () => {
    const { ask, script } = delegationWorld();
    script.stored = [K1, K2];
    script.fresh = [];
    script.answer = takes('k2');
    expect(await ask()).toMatchObject({ kind: 'tokens' });
  });

  test.each<[string, (string | undefined)[]]>([
    ['no secret', []],
    ['a secret that is no key', ['secret']],
  ])(
    'a key that is refused with and without a user is missing where there is %s: nothing is sent',
    async (_, stored) => {
      const { ask, presented, script } = delegationWorld();
      script.stored = stored;
      expect(await ask()).toEqual({ kind: 'client_fault', error: 'credentials_missing' });
      expect(presented).toEqual([]);
    },
  );

  test('a key that is refused with and without a user may be had the next time where the store of secrets is away: nothing is sent', async () => {
    const { ask, presented, script } = delegationWorld();
    script.hasSecrets = false;
    expect(await ask()).toEqual({
      kind: 'failed',
      reason: 'client_credentials_unavailable',
      retryAfterSec: undefined,
      isAnswer: false,
    });
    expect(presented).toEqual([]);
  });

  test('a key that is refused with and without a user is at fault where nothing can be signed with it: nothing is sent', async () => {
    const { ask, presented, script } = delegationWorld();
    script.stored = [keyToSecret({ id: 'k1', privateKey: 'not a key' })];
    expect(await ask()).toEqual(FAULT);
    expect(presented).toEqual([]);
  });
});

test('SA-26: a service account without a key has none looked up, and none is tried after a refusal', async () => {
  const { ask, presented, script, looked } = delegationWorld();
  script.answer = () => BAD_SIGNATURE;
  expect(await ask({ delegation: delegation({ via: 'aws', audience: AUDIENCE }) })).toEqual({
    kind: 'client_fault',
    error: 'service_account_key_refused',
  });
  expect(presented.map(({ header, claims }) => [header.kid, claims.sub])).toEqual([
    ['iam', USER],
    ['iam', undefined],
  ]);
  expect(looked).toEqual([]);
});
