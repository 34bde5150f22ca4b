import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  deathByCredentialChange,
  diagnoseDeadGrant,
  type GrantHistory,
} from '../../../lambdas/shared/domain/grant-diagnosis.ts';
import { NOW_EPOCH_SEC } from './support.ts';

const DAY_SEC = 86_400;
const INVALID_GRANT = { error: 'invalid_grant', subtype: undefined };
const DRIVE = 'https://www.googleapis.com/auth/drive.file';

function history(overrides: Partial<GrantHistory> = {}): GrantHistory {
  return {
    grantedScopes: [DRIVE],
    consentedAtEpochSec: NOW_EPOCH_SEC - DAY_SEC,
    lastRefreshedAtEpochSec: NOW_EPOCH_SEC - 3600,
    refreshTokenExpiresAtEpochSec: undefined,
    externalTesting: false,
    newerGrantsOfAccount: undefined,
    rotationLost: false,
    ...overrides,
  };
}
const diagnose = (
  overrides: Partial<GrantHistory> = {},
  answer: { error: string; subtype: string | undefined } = INVALID_GRANT,
) => diagnoseDeadGrant(answer, history(overrides), NOW_EPOCH_SEC);
const causes = (overrides: Partial<GrantHistory>) => diagnose(overrides).likelyCauses.map(({ cause }) => cause);

describe('a grant that the gateway had the provider end (TK-9)', () => {
  it('names our own doing first, and as a likelihood', () => {
    const death = diagnose({ endedWithSharer: true });
    expect(death).toMatchObject({ cause: 'shared_grant_ended', certain: false });
    expect(death.likelyCauses[0]).toMatchObject({ likelihood: 0.909, who: 'developer' });
    expect(causes({ endedWithSharer: true })).toContain('user_revoked');
  });

  it('yields to what the provider names', () => {
    const answer = { error: 'admin_policy_enforced', subtype: undefined };
    expect(diagnose({ endedWithSharer: true }, answer).cause).toBe('admin_restricted');
  });
});

describe('causes the provider names or announced (TK-7)', () => {
  it.each([
    ['admin_restricted', 'workspace_admin', { error: 'admin_policy_enforced', subtype: undefined }, {}],
    ['session_length_over', 'workspace_admin', { error: 'invalid_grant', subtype: 'invalid_rapt' }, {}],
    ['time_limited_access_over', 'end_user', INVALID_GRANT, { refreshTokenExpiresAtEpochSec: NOW_EPOCH_SEC }],
  ] as const)('%s is certain and %s can mend it', (cause, who, answer, overrides) => {
    const death = diagnose({ externalTesting: true, consentedAtEpochSec: 0, ...overrides }, answer);
    expect(death).toMatchObject({ status: 'reauthorization_required', cause, certain: true });
    expect(death.likelyCauses).toMatchObject([{ cause, likelihood: 1, who }]);
  });

  it('a limit that is still ahead names nothing', () => {
    expect(diagnose({ refreshTokenExpiresAtEpochSec: NOW_EPOCH_SEC + 1 }).certain).toBe(false);
  });

  it('another OAuth client is the gateway\u2019s own finding', () => {
    expect(deathByCredentialChange(NOW_EPOCH_SEC)).toMatchObject({
      cause: 'credentials_changed',
      certain: true,
      providerError: '',
    });
  });
});

describe('causes told from history (TK-7)', () => {
  it('an External app in Testing, seven days after consent', () => {
    const testing = { externalTesting: true, consentedAtEpochSec: NOW_EPOCH_SEC - 7 * DAY_SEC };
    expect(diagnose(testing)).toMatchObject({ cause: 'testing_mode_expired', certain: false });
    expect(causes({ ...testing, consentedAtEpochSec: NOW_EPOCH_SEC - 7 * DAY_SEC + 1 })).not.toContain(
      'testing_mode_expired',
    );
    expect(causes({ ...testing, externalTesting: false })).not.toContain('testing_mode_expired');
    expect(causes({ ...testing, grantedScopes: ['openid', 'email'] })).not.toContain('testing_mode_expired');
  });

  it('six months without use', () => {
    const unused = { consentedAtEpochSec: 0, lastRefreshedAtEpochSec: NOW_EPOCH_SEC - 180 * DAY_SEC };
    expect(diagnose(unused)).toMatchObject({ cause: 'unused_six_months', certain: false });
    expect(causes({ ...unused, lastRefreshedAtEpochSec: NOW_EPOCH_SEC - 180 * DAY_SEC + 1 })).not.toContain(
      'unused_six_months',
    );
    expect(causes({ ...unused, lastRefreshedAtEpochSec: undefined })).toContain('unused_six_months');
  });

  it('token 101 replaced the oldest, once a hundred newer ones are known', () => {
    expect(diagnose({ newerGrantsOfAccount: 100 })).toMatchObject({ cause: 'refresh_token_limit', certain: false });
    expect(causes({ newerGrantsOfAccount: 90 })).toContain('refresh_token_limit');
    expect(causes({ newerGrantsOfAccount: 89 })).not.toContain('refresh_token_limit');
    expect(causes({ newerGrantsOfAccount: undefined })).not.toContain('refresh_token_limit');
  });

  it('a changed password, only where mail scopes were granted', () => {
    expect(causes({ grantedScopes: ['https://mail.google.com/'] })).toContain('password_changed');
    expect(causes({ grantedScopes: ['https://www.googleapis.com/auth/gmail.send'] })).toContain('password_changed');
    expect(causes({})).not.toContain('password_changed');
  });

  it('a lost rotation', () => {
    expect(diagnose({ rotationLost: true })).toMatchObject({ cause: 'rotation_lost', certain: false });
  });

  it('otherwise the user, with what else it may have been', () => {
    expect(diagnose()).toMatchObject({ cause: 'user_revoked', certain: false });
    expect(causes({})).toEqual(['user_revoked', 'account_unavailable', 'admin_restricted']);
  });
});

describe('every diagnosis', () => {
  const anyHistory: fc.Arbitrary<GrantHistory> = fc.record({
    grantedScopes: fc.subarray(['openid', DRIVE, 'https://mail.google.com/']),
    consentedAtEpochSec: fc.integer({ min: 0, max: NOW_EPOCH_SEC + DAY_SEC }),
    lastRefreshedAtEpochSec: fc.option(fc.integer({ min: 0, max: NOW_EPOCH_SEC }), { nil: undefined }),
    refreshTokenExpiresAtEpochSec: fc.option(fc.integer({ min: 0, max: 2 * NOW_EPOCH_SEC }), { nil: undefined }),
    externalTesting: fc.boolean(),
    newerGrantsOfAccount: fc.option(fc.nat(200), { nil: undefined }),
    rotationLost: fc.boolean(),
  });
  const anyAnswer = fc.record({
    error: fc.constantFrom('invalid_grant', 'admin_policy_enforced'),
    subtype: fc.option(fc.constantFrom('invalid_rapt', 'other'), { nil: undefined }),
  });

  it('claims certainty only where the provider named or announced the cause', () => {
    fc.assert(
      fc.property(anyAnswer, anyHistory, (answer, known) => {
        const named = answer.error === 'admin_policy_enforced' || answer.subtype === 'invalid_rapt';
        const announced = (known.refreshTokenExpiresAtEpochSec ?? Number.POSITIVE_INFINITY) <= NOW_EPOCH_SEC;
        const death = diagnoseDeadGrant(answer, known, NOW_EPOCH_SEC);
        expect(death.certain).toBe(named || announced);
        expect(death.certain).toBe(death.likelyCauses[0]?.likelihood === 1);
        if (!death.certain) expect(death.likelyCauses.length).toBeGreaterThan(1);
      }),
    );
  });

  it('gives shares that sum to at most 1, the largest first, each with a remedy', () => {
    fc.assert(
      fc.property(anyAnswer, anyHistory, (answer, known) => {
        const death = diagnoseDeadGrant(answer, known, NOW_EPOCH_SEC);
        const shares = death.likelyCauses.map(({ likelihood }) => likelihood);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(1 + 1e-9);
        expect(shares).toEqual([...shares].sort((a, b) => b - a));
        expect(Math.min(...shares)).toBeGreaterThan(0);
        expect(death.cause).toBe(death.likelyCauses[0]?.cause);
        expect(death.remedy).toBe(death.likelyCauses[0]?.remedy);
        for (const { explanation, remedy } of death.likelyCauses)
          expect(explanation.length * remedy.length).toBeGreaterThan(0);
      }),
    );
  });

  it('states the provider\u2019s words and the moment as fact', () => {
    expect(diagnose({}, { error: 'invalid_grant', subtype: 'invalid_rapt' })).toMatchObject({
      providerError: 'invalid_grant/invalid_rapt',
      since: '2026-01-01T00:00:00.000Z',
    });
    expect(diagnose().providerError).toBe('invalid_grant');
  });
});
