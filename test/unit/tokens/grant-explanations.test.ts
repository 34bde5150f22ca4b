import { describe, expect, it } from 'vitest';
import type { DeathCause, ResponsibleParty } from '../../../lambdas/gateway/core/grant-death.ts';
import {
  deathByCredentialChange,
  diagnoseDeadGrant,
  type GrantHistory,
} from '../../../lambdas/gateway/tokens/diagnosis.rules.ts';
import { NOW_EPOCH_SEC } from '../support/connection.ts';
import { google } from '../support/google.ts';

const DAY_SEC = 86_400;
const PLAIN: GrantHistory = {
  grantedScopes: ['https://www.googleapis.com/auth/drive.file'],
  consentedAtEpochSec: NOW_EPOCH_SEC - DAY_SEC,
  lastRefreshedAtEpochSec: NOW_EPOCH_SEC - 3600,
  refreshTokenExpiresAtEpochSec: undefined,
  externalTesting: false,
  account: undefined,
  newerGrantsOfAccount: undefined,
  rotationLost: false,
};
const OLD = { consentedAtEpochSec: NOW_EPOCH_SEC - 300 * DAY_SEC };
const diagnose = (history: Partial<GrantHistory>, error = 'invalid_grant', subtype?: string) =>
  diagnoseDeadGrant({ error, subtype }, { ...PLAIN, ...history }, NOW_EPOCH_SEC, google);

describe('what is said about a death (TK-7)', () => {
  it.each<[DeathCause, ResponsibleParty, RegExp, RegExp, Partial<GrantHistory>]>([
    ['user_revoked', 'end_user', /^The user removed the app/, /whether they want to connect again/, {}],
    [
      'password_changed',
      'end_user',
      /changed their Google password/,
      /connect again; ask for no Gmail scope/,
      { grantedScopes: ['openid', 'https://mail.google.com/'] },
    ],
    [
      'refresh_token_limit',
      'developer',
      /^This Google account has consented more than 100 times/,
      /remove the app at myaccount\.google\.com.* Deleting a connection here frees nothing at Google/,
      { newerGrantsOfAccount: 100 },
    ],
    ['account_unavailable', 'end_user', /deleted or suspended/, /connect another account/, {}],
    ['admin_restricted', 'workspace_admin', /administrator .* restricts the app/, /Workspace administrator/, {}],
    [
      'testing_mode_expired',
      'developer',
      /External and in Testing at Google/,
      /^Publish the app in the Google Cloud console/,
      { ...OLD, externalTesting: true, lastRefreshedAtEpochSec: OLD.consentedAtEpochSec + DAY_SEC },
    ],
    [
      'unused_six_months',
      'end_user',
      /not used for six months/,
      /keep-alive prevents this/,
      { ...OLD, lastRefreshedAtEpochSec: undefined },
    ],
    [
      'rotation_lost',
      'end_user',
      /replaced the refresh token/,
      /^Ask the user to connect again\.$/,
      { restored: true },
    ],
  ])('%s is for %s to mend, in plain words', (cause, who, explanation, remedy, history) => {
    const likely = diagnose(history).likelyCauses.find((one) => one.cause === cause);
    expect(likely).toMatchObject({
      who,
      explanation: expect.stringMatching(explanation),
      remedy: expect.stringMatching(remedy),
    });
  });

  it.each<[DeathCause, ResponsibleParty, RegExp, RegExp, ReturnType<typeof diagnose>]>([
    [
      'time_limited_access_over',
      'end_user',
      /access for a limited time/,
      /^Ask the user to connect again\.$/,
      diagnose({ refreshTokenExpiresAtEpochSec: NOW_EPOCH_SEC }),
    ],
    [
      'session_length_over',
      'workspace_admin',
      /limits how long a sign-in counts/,
      /an administrator can lengthen the session/,
      diagnose({}, 'invalid_grant', 'invalid_rapt'),
    ],
    [
      'admin_restricted',
      'workspace_admin',
      /restricts the app/,
      /allow the app/,
      diagnose({}, 'admin_policy_enforced'),
    ],
    [
      'credentials_changed',
      'developer',
      /now uses another OAuth client/,
      /under the new client/,
      deathByCredentialChange(NOW_EPOCH_SEC, google),
    ],
  ])('%s is certain, and %s reads what to do', (cause, who, explanation, remedy, death) => {
    expect(death).toMatchObject({
      status: 'reauthorization_required',
      cause,
      certain: true,
      remedy: expect.stringMatching(remedy),
      likelyCauses: [{ cause, who, likelihood: 1, explanation: expect.stringMatching(explanation) }],
      since: '2026-01-01T00:00:00.000Z',
    });
    expect(death.likelyCauses).toHaveLength(1);
  });
});

describe('shares of belief', () => {
  const shares = (history: Partial<GrantHistory>) =>
    Object.fromEntries(diagnose(history).likelyCauses.map(({ cause, likelihood }) => [cause, likelihood]));

  it('are three quarters for the user where nothing else is known', () => {
    expect(shares({})).toEqual({
      user_revoked: 0.714,
      account_unavailable: 0.119,
      admin_restricted: 0.119,
      account_token_limit: 0.023,
      advanced_protection: 0.023,
    });
  });

  it.each<[DeathCause, number, Partial<GrantHistory>]>([
    ['rotation_lost', 0.588, { rotationLost: true }],
    ['rotation_lost', 0.588, { rotationLost: true, restored: true }],
    ['rotation_lost', 0.263, { restored: true }],
    ['testing_mode_expired', 0.877, { externalTesting: true, consentedAtEpochSec: NOW_EPOCH_SEC - 7 * DAY_SEC }],
    ['unused_six_months', 0.826, { ...OLD, lastRefreshedAtEpochSec: NOW_EPOCH_SEC - 180 * DAY_SEC }],
    ['refresh_token_limit', 0.877, { newerGrantsOfAccount: 100 }],
    ['refresh_token_limit', 0.487, { newerGrantsOfAccount: 99 }],
    ['password_changed', 0.322, { grantedScopes: ['https://mail.google.com/'] }],
  ])('%s has %d of it', (cause, likelihood, history) => {
    expect(shares(history)[cause]).toBe(likelihood);
  });
});
