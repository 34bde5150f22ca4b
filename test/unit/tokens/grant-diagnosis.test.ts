import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canBeCheckedAgain,
  type DeathCause,
  type ResponsibleParty,
  whatHappened,
} from '../../../lambdas/gateway/core/grant-death.ts';
import { TESTING_ANNOUNCED_TOLERANCE_SEC } from '../../../lambdas/gateway/core/limits.ts';
import {
  type DeadGrantAnswer,
  deathByCredentialChange,
  diagnoseDeadGrant,
  type GrantHistory,
} from '../../../lambdas/gateway/tokens/diagnosis.rules.ts';
import { NOW_EPOCH_SEC } from '../support/connection.ts';
import { google } from '../support/google.ts';

const DAY_SEC = 86_400;
const SEVEN_DAYS = 7 * DAY_SEC;
const INVALID_GRANT = { error: 'invalid_grant', subtype: undefined };
const GMAIL = { subject: '1', email: 'first.user@gmail.com' };
const CONSUMER = { subject: '1', email: 'first.user@example.com', hostedDomain: null };
const WORKSPACE = { subject: '1', email: 'editor@workspace.example', hostedDomain: 'workspace.example' };
const DRIVE = 'https://www.googleapis.com/auth/drive.file';

const DENIED = { error: 'access_denied', subtype: undefined };
const said = (description: string) => ({ ...INVALID_GRANT, description });

function history(overrides: Partial<GrantHistory> = {}): GrantHistory {
  return {
    grantedScopes: [DRIVE],
    consentedAtEpochSec: NOW_EPOCH_SEC - DAY_SEC,
    lastRefreshedAtEpochSec: NOW_EPOCH_SEC - 3600,
    refreshTokenExpiresAtEpochSec: undefined,
    externalTesting: false,
    account: undefined,
    newerGrantsOfAccount: undefined,
    rotationLost: false,
    ...overrides,
  };
}
const diagnose = (overrides: Partial<GrantHistory> = {}, answer: DeadGrantAnswer = INVALID_GRANT) =>
  diagnoseDeadGrant(answer, history(overrides), NOW_EPOCH_SEC, google);
const causes = (overrides: Partial<GrantHistory>) => diagnose(overrides).likelyCauses.map(({ cause }) => cause);

describe('a grant that the gateway had the provider end (TK-9)', () => {
  it('names our own doing first, and as a likelihood', () => {
    const death = diagnose({ endedWithSharer: true });
    expect(death).toMatchObject({ cause: 'shared_grant_ended', certain: false });
    expect(death.likelyCauses[0]).toMatchObject({ likelihood: 0.904, who: 'developer' });
    expect(causes({ endedWithSharer: true })).toContain('user_revoked');
  });

  it('yields to what the provider names', () => {
    const answer = { error: 'admin_policy_enforced', subtype: undefined };
    expect(diagnose({ endedWithSharer: true }, answer).cause).toBe('admin_restricted');
  });
});

describe('causes the provider names or announced (TK-7)', () => {
  const sevenDays = {
    consentedAtEpochSec: NOW_EPOCH_SEC - SEVEN_DAYS,
    refreshTokenExpiresAtEpochSec: NOW_EPOCH_SEC - 1,
  };
  const announced = { externalTesting: false, lastRefreshedAtEpochSec: NOW_EPOCH_SEC - DAY_SEC, ...sevenDays };

  it.each([
    ['admin_restricted', 'workspace_admin', { error: 'admin_policy_enforced', subtype: undefined }, {}],
    ['session_length_over', 'workspace_admin', { error: 'invalid_grant', subtype: 'invalid_rapt' }, {}],
    ['session_length_over', 'workspace_admin', { error: 'invalid_grant', subtype: 'rapt_required' }, {}],
    ['session_length_over', 'workspace_admin', said('reauth related error (invalid_rapt)'), {}],
    ['session_length_over', 'workspace_admin', said('Reauth required: rapt_required.'), {}],
    ['advanced_protection', 'end_user', { error: 'policy_enforced', subtype: undefined }, {}],
    ['account_unavailable', 'end_user', said('Account has been deleted'), {}],
    ['account_unavailable', 'end_user', said('The user account is disabled.'), {}],
    ['account_restricted', 'end_user', { ...DENIED, description: 'Account restricted' }, { account: GMAIL }],
    ['account_restricted', 'end_user', { ...DENIED, description: 'Account restricted' }, { account: CONSUMER }],
    ['testing_mode_expired', 'developer', INVALID_GRANT, announced],
    ['time_limited_access_over', 'end_user', INVALID_GRANT, { refreshTokenExpiresAtEpochSec: NOW_EPOCH_SEC }],
  ] as const)('%s is certain and %s can fix it', (cause, who, answer, overrides) => {
    const death = diagnose(
      { externalTesting: true, consentedAtEpochSec: NOW_EPOCH_SEC - 30 * DAY_SEC, ...overrides },
      answer,
    );
    expect(death).toMatchObject({ status: 'reauthorization_required', cause, certain: true });
    expect(death.likelyCauses).toMatchObject([{ cause, likelihood: 1, who }]);
  });

  it('a description that holds such a name inside another word names nothing', () => {
    expect(diagnose({}, said('not_invalid_rapt')).certain).toBe(false);
    expect(diagnose({}, said('constructor toString __proto__')).certain).toBe(false);
  });

  it('Advanced Protection says that reconnecting cannot help, and Google can be asked again', () => {
    const death = diagnose({}, { error: 'policy_enforced', subtype: undefined });
    expect(death.remedy).toMatch(/^Reconnecting cannot help .* ask Google again \(POST /);
    expect(canBeCheckedAgain(death)).toBe(true);
  });

  it('a limit that is still ahead names nothing', () => {
    expect(diagnose({ refreshTokenExpiresAtEpochSec: NOW_EPOCH_SEC + 1 }).certain).toBe(false);
  });

  it('another OAuth client is the gateway\u2019s own finding', () => {
    const found = { cause: 'credentials_changed', certain: true, providerError: '' };
    expect(deathByCredentialChange(NOW_EPOCH_SEC, google)).toMatchObject(found);
  });
});

describe('an account that Google refuses (access_denied)', () => {
  const denied = (account: GrantHistory['account'], description?: string) =>
    diagnose({ account }, { ...DENIED, description });

  it('an account that Google refuses (access_denied) may be an administrator’s doing where there can be one, and nobody is named', () => {
    expect(denied(WORKSPACE, 'Account restricted')).toMatchObject({ cause: 'context_aware_access', certain: false });
    expect(denied(undefined, 'Account restricted').likelyCauses.map(({ cause }) => cause)).toEqual([
      'context_aware_access',
      'account_restricted',
      'admin_restricted',
    ]);
  });

  it('an account that Google refuses (access_denied) may be Advanced Protection where mail or Drive was granted, unless Google calls the account restricted', () => {
    const protectable = (grantedScopes: string[], answer: DeadGrantAnswer = DENIED) =>
      diagnose({ grantedScopes }, answer).likelyCauses.some(({ cause }) => cause === 'advanced_protection');
    for (const answer of [DENIED, INVALID_GRANT]) {
      expect(protectable(['openid', DRIVE], answer)).toBe(true);
      expect(protectable(['openid', 'https://mail.google.com/'], answer)).toBe(true);
      expect(protectable(['openid', 'https://www.googleapis.com/auth/calendar.events'], answer)).toBe(false);
    }
    expect(protectable([DRIVE], { ...DENIED, description: 'Account restricted' })).toBe(false);
  });

  it('an account that Google refuses (access_denied) is restricted less likely where an administrator governs it', () => {
    const share = (account: GrantHistory['account']) =>
      denied(account).likelyCauses.find(({ cause }) => cause === 'account_restricted')?.likelihood;
    expect([WORKSPACE, undefined, GMAIL].map(share)).toEqual([0.2, 0.333, 0.8]);
  });

  it('an account that Google refuses (access_denied) is shown in words that may take it back', () => {
    const death = denied(WORKSPACE);
    expect(whatHappened(death)).toMatch(/^Probably: A context-aware access rule/);
    for (const { remedy } of death.likelyCauses) expect(remedy).toMatch(/ask Google again|leave the program/);
  });
});

describe('causes derived from history (TK-7)', () => {
  it('an External app in Testing, seven days after consent', () => {
    const testing = { externalTesting: true, consentedAtEpochSec: NOW_EPOCH_SEC - SEVEN_DAYS };
    expect(diagnose(testing)).toMatchObject({ cause: 'testing_mode_expired', certain: false });
    expect(causes({ ...testing, consentedAtEpochSec: NOW_EPOCH_SEC - SEVEN_DAYS + DAY_SEC })).not.toContain(
      'testing_mode_expired',
    );
    const early = { ...testing, consentedAtEpochSec: NOW_EPOCH_SEC - SEVEN_DAYS + TESTING_ANNOUNCED_TOLERANCE_SEC };
    expect(causes(early)).toContain('testing_mode_expired');
    expect(causes({ ...early, consentedAtEpochSec: early.consentedAtEpochSec + 1 })).not.toContain(
      'testing_mode_expired',
    );
    expect(causes({ ...testing, externalTesting: false })).not.toContain('testing_mode_expired');
    expect(causes({ ...testing, externalTesting: false, testingAtConsent: true })).toContain('testing_mode_expired');
    expect(causes({ ...testing, grantedScopes: ['openid', 'email'] })).not.toContain('testing_mode_expired');
  });

  it('Testing mode is no cause if a refresh has succeeded after the seven days', () => {
    const testing = { externalTesting: true, consentedAtEpochSec: NOW_EPOCH_SEC - 8 * DAY_SEC };
    expect(causes({ ...testing, lastRefreshedAtEpochSec: NOW_EPOCH_SEC - 3600 })).not.toContain('testing_mode_expired');
    expect(causes({ ...testing, lastRefreshedAtEpochSec: NOW_EPOCH_SEC - 2 * DAY_SEC })).toContain(
      'testing_mode_expired',
    );
  });

  it('six months without use', () => {
    const unused = { consentedAtEpochSec: 0, lastRefreshedAtEpochSec: NOW_EPOCH_SEC - 180 * DAY_SEC };
    // A consent is a use too: it made the token.
    expect(causes({ ...unused, consentedAtEpochSec: NOW_EPOCH_SEC - DAY_SEC })).not.toContain('unused_six_months');
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

  it('an administrator, only where the account may have one', () => {
    expect(causes({ account: WORKSPACE })).toContain('admin_restricted');
    expect(causes({ account: { subject: '1', email: 'someone@company.example' } })).toContain('admin_restricted');
    for (const account of [GMAIL, CONSUMER]) expect(causes({ account })).not.toContain('admin_restricted');
  });

  it('a lost rotation', () => {
    expect(diagnose({ rotationLost: true })).toMatchObject({ cause: 'rotation_lost', certain: false });
  });

  it('otherwise the user, with what else it may have been', () => {
    expect(diagnose()).toMatchObject({ cause: 'user_revoked', certain: false });
    const rare = ['account_token_limit', 'advanced_protection'];
    expect(causes({})).toEqual(['user_revoked', 'admin_restricted', 'account_unavailable', ...rare]);
  });
});

describe('a server of which it is not known why it ends grants', () => {
  const server = { ...google, displayName: 'Example', grants: { ...google.grants, causes: {}, namedCauses: {} } };
  const asked = (answer: DeadGrantAnswer, account?: GrantHistory['account']) =>
    diagnoseDeadGrant(answer, history({ account }), NOW_EPOCH_SEC, server);

  it('a server of which it is not known why it ends grants may have refused a grant for a reason that is in no list', () => {
    const causesThere = asked(INVALID_GRANT).likelyCauses.map(({ cause }) => cause);
    expect(causesThere).toEqual(['user_revoked', 'unknown', 'admin_restricted', 'account_unavailable']);
  });

  it('leaves the cause unknown where no other can be derived', () => {
    const unknown = { cause: 'unknown', certain: false, likelyCauses: [], remedy: 'Ask the user to connect again.' };
    expect(asked(DENIED, GMAIL)).toMatchObject(unknown);
  });
});

describe('every diagnosis', () => {
  const time = fc.oneof(
    fc.integer({ min: 0, max: NOW_EPOCH_SEC }),
    fc.integer({ min: NOW_EPOCH_SEC - 10 * DAY_SEC, max: NOW_EPOCH_SEC }),
  );
  const anyHistory: fc.Arbitrary<GrantHistory> = fc
    .record({
      grantedScopes: fc.subarray(['openid', DRIVE, 'https://mail.google.com/']),
      consentedAtEpochSec: time,
      lastRefreshedAtEpochSec: fc.option(time, { nil: undefined }),
      lifeSec: fc.option(fc.constantFrom(604_799, 604_800, 30 * DAY_SEC, 180 * DAY_SEC, DAY_SEC), { nil: undefined }),
      externalTesting: fc.boolean(),
      testingAtConsent: fc.boolean(),
      account: fc.option(fc.constantFrom(GMAIL, CONSUMER, WORKSPACE), { nil: undefined }),
      newerGrantsOfAccount: fc.option(fc.nat(200), { nil: undefined }),
      rotationLost: fc.boolean(),
      restored: fc.boolean(),
      endedWithSharer: fc.boolean(),
    })
    .map(({ lifeSec, ...known }) => ({
      ...known,
      refreshTokenExpiresAtEpochSec: lifeSec === undefined ? undefined : known.consentedAtEpochSec + lifeSec,
    }));
  const anyAnswer: fc.Arbitrary<DeadGrantAnswer> = fc.record({
    error: fc.constantFrom('invalid_grant', 'admin_policy_enforced', 'access_denied'),
    subtype: fc.option(fc.constantFrom('invalid_rapt', 'rapt_required', 'other'), { nil: undefined }),
    description: fc.option(
      fc.constantFrom('Bad Request', 'Account restricted', 'Account has been deleted', 'Token has been revoked.'),
      { nil: undefined },
    ),
  });

  /** Causes that the records rule out, stated without the code that is tested. */
  function excluded(answer: DeadGrantAnswer, known: GrantHistory): string[] {
    const refreshedAt = known.lastRefreshedAtEpochSec ?? 0;
    const endsAt = known.refreshTokenExpiresAtEpochSec;
    const lifeSec = endsAt === undefined ? undefined : endsAt - known.consentedAtEpochSec;
    const seen = lifeSec !== undefined && lifeSec > 6.9 * DAY_SEC && lifeSec < 7.1 * DAY_SEC;
    const declared =
      endsAt === undefined &&
      (known.externalTesting || known.testingAtConsent === true) &&
      known.grantedScopes.some((scope) => scope !== 'openid');
    const sevenDays = known.consentedAtEpochSec + SEVEN_DAYS;
    const isNamed = answer.error !== 'invalid_grant';
    const isConsumer = known.account === GMAIL || known.account === CONSUMER;
    const rules: readonly [cause: string, isExcluded: boolean][] = [
      ['testing_mode_expired', !(seen || declared) || NOW_EPOCH_SEC < sevenDays - DAY_SEC || refreshedAt > sevenDays],
      ['time_limited_access_over', endsAt === undefined || seen || endsAt > NOW_EPOCH_SEC || refreshedAt > endsAt],
      ['unused_six_months', NOW_EPOCH_SEC - Math.max(refreshedAt, known.consentedAtEpochSec) < 180 * DAY_SEC],
      ['refresh_token_limit', (known.newerGrantsOfAccount ?? 0) < 90],
      ['password_changed', !known.grantedScopes.includes('https://mail.google.com/')],
      ['admin_restricted', isConsumer && answer.error !== 'admin_policy_enforced'],
      ['context_aware_access', isConsumer || answer.error !== 'access_denied'],
      ['account_restricted', answer.error !== 'access_denied'],
      ['rotation_lost', !known.rotationLost && known.restored !== true],
      ['shared_grant_ended', known.endedWithSharer !== true],
      ['session_length_over', answer.subtype !== 'invalid_rapt' && answer.subtype !== 'rapt_required'],
      ['user_revoked', isNamed],
      ['credentials_changed', true],
    ];
    return rules.filter(([, isExcluded]) => isExcluded).map(([cause]) => cause);
  }

  it('TK-7: gives no likelihood to a cause that the recorded facts exclude', () => {
    fc.assert(
      fc.property(anyAnswer, anyHistory, (answer, known) => {
        const offered = diagnoseDeadGrant(answer, known, NOW_EPOCH_SEC, google).likelyCauses.map(({ cause }) => cause);
        expect(offered.filter((cause) => excluded(answer, known).includes(cause))).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('TK-7: claims certainty only where the provider named or announced the cause', () => {
    fc.assert(
      fc.property(anyAnswer, anyHistory, (answer, known) => {
        const death = diagnoseDeadGrant(answer, known, NOW_EPOCH_SEC, google);
        const isNamed =
          answer.error === 'admin_policy_enforced' ||
          answer.subtype === 'invalid_rapt' ||
          answer.subtype === 'rapt_required' ||
          answer.description === 'Account has been deleted' ||
          (answer.error === 'access_denied' && answer.description === 'Account restricted');
        const announcedAt = known.refreshTokenExpiresAtEpochSec ?? Number.POSITIVE_INFINITY;
        if (death.certain) expect(isNamed || announcedAt <= NOW_EPOCH_SEC).toBe(true);
        if (death.certain) expect(death.likelyCauses).toMatchObject([{ likelihood: 1 }]);
        expect(whatHappened(death).startsWith('Probably: ')).toBe(!death.certain);
      }),
      { numRuns: 1_000 },
    );
  });

  it('gives shares that sum to at most 1, the largest first, each with a remedy', () => {
    fc.assert(
      fc.property(anyAnswer, anyHistory, (answer, known) => {
        const death = diagnoseDeadGrant(answer, known, NOW_EPOCH_SEC, google);
        const shares = death.likelyCauses.map(({ likelihood }) => likelihood);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(1 + 1e-9);
        expect(shares).toEqual([...shares].sort((a, b) => b - a));
        // A share below a thousandth is shown as none.
        expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
        expect(shares[0]).toBeGreaterThan(0);
        expect(death.cause).toBe(death.likelyCauses[0]?.cause);
        expect(death.remedy).toBe(death.likelyCauses[0]?.remedy);
        for (const { explanation, remedy } of death.likelyCauses)
          expect(explanation.length * remedy.length).toBeGreaterThan(0);
      }),
    );
  });

  it('states the provider\u2019s words and the moment as fact', () => {
    const told = { providerError: 'invalid_grant/invalid_rapt', since: '2026-01-01T00:00:00.000Z' };
    expect(diagnose({}, { error: 'invalid_grant', subtype: 'invalid_rapt' })).toMatchObject(told);
    expect(diagnose().providerError).toBe('invalid_grant');
  });
});

describe('what is said about a death (TK-7)', () => {
  const old = { consentedAtEpochSec: NOW_EPOCH_SEC - 300 * DAY_SEC };
  const expired = { ...old, externalTesting: true, lastRefreshedAtEpochSec: old.consentedAtEpochSec + DAY_SEC };
  const unused = { ...old, lastRefreshedAtEpochSec: undefined };
  const mail = { grantedScopes: ['openid', 'https://mail.google.com/'] };
  const freesNothing =
    /^This Google account has consented more than 100 times.* Deleting a connection here frees no token/s;
  const inTesting = /External and in Testing at Google.*\nPublish the app in the Google Cloud console/;
  const restricts = /administrator .* restricts the app.*Workspace administrator/s;
  const limitedTime = /access for a limited time.*\nAsk the user to connect again\.$/;
  const sessionLength = /limits how long a sign-in is valid.*an administrator can extend/s;
  const otherClient = /now uses another OAuth client.*with the new client/s;
  const named = (error: string, subtype?: string) => diagnose({}, { error, subtype });

  it.each<[DeathCause, ResponsibleParty, RegExp, Partial<GrantHistory>]>([
    ['user_revoked', 'end_user', /^The user removed the app.*whether they want to connect again/s, {}],
    [
      'password_changed',
      'end_user',
      /changed their Google password.*connect again; do not request Gmail scopes/s,
      mail,
    ],
    ['refresh_token_limit', 'developer', freesNothing, { newerGrantsOfAccount: 100 }],
    ['account_unavailable', 'end_user', /deleted or suspended.*connect another account/s, {}],
    ['admin_restricted', 'workspace_admin', restricts, {}],
    ['testing_mode_expired', 'developer', inTesting, expired],
    ['unused_six_months', 'end_user', /not used for six months.*keep-alive prevents this/s, unused],
    ['rotation_lost', 'end_user', /replaced the refresh token.*\nAsk the user to connect again\.$/, { restored: true }],
  ])('%s is for %s to fix, in plain words', (cause, who, words, known) => {
    const likely = diagnose(known).likelyCauses.find((one) => one.cause === cause);
    expect(likely?.who).toBe(who);
    expect(`${likely?.explanation}\n${likely?.remedy}`).toMatch(words);
  });

  it.each<[DeathCause, ResponsibleParty, RegExp, ReturnType<typeof diagnose>]>([
    ['time_limited_access_over', 'end_user', limitedTime, diagnose({ refreshTokenExpiresAtEpochSec: NOW_EPOCH_SEC })],
    ['session_length_over', 'workspace_admin', sessionLength, named('invalid_grant', 'invalid_rapt')],
    ['admin_restricted', 'workspace_admin', /restricts the app.*allow the app/s, named('admin_policy_enforced')],
    ['credentials_changed', 'developer', otherClient, deathByCredentialChange(NOW_EPOCH_SEC, google)],
  ])('%s is certain, and %s reads what to do', (cause, who, words, death) => {
    expect(death).toMatchObject({ status: 'reauthorization_required', cause, certain: true });
    expect(death).toMatchObject({ since: '2026-01-01T00:00:00.000Z', likelyCauses: [{ cause, who, likelihood: 1 }] });
    expect(`${death.likelyCauses[0]?.explanation}\n${death.remedy}`).toMatch(words);
  });

  it('gives a cause the larger share the more speaks for it', () => {
    const share = (cause: DeathCause, known: Partial<GrantHistory>) =>
      diagnose(known).likelyCauses.find((one) => one.cause === cause)?.likelihood ?? 0;
    expect(share('user_revoked', {})).toBeGreaterThan(0.7);
    const newer = (newerGrantsOfAccount: number) => share('refresh_token_limit', { newerGrantsOfAccount });
    expect(newer(100)).toBeGreaterThan(newer(99));
    const lost = share('rotation_lost', { rotationLost: true });
    expect(lost).toBeGreaterThan(share('rotation_lost', { restored: true }));
    expect(share('rotation_lost', { rotationLost: true, restored: true })).toBe(lost);
  });
});
