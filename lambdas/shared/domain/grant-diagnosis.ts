import type { DeathCause, GrantDeath, LikelyCause, Mender } from './grant-death.ts';
import {
  REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT,
  REFRESH_TOKENS_WARN_FROM,
  TESTING_GRANT_LIFETIME_SEC,
  UNUSED_GRANT_LIFETIME_SEC,
} from './limits.ts';
import { onlyIdentityScopes } from './scopes.ts';

/** What the provider said when it refused the refresh token. */
export interface DeadGrantAnswer {
  readonly error: string;
  readonly subtype: string | undefined;
}

/** What is on record about the grant. Times in epoch seconds. */
export interface GrantHistory {
  readonly grantedScopes: readonly string[];
  readonly consentedAtEpochSec: number;
  readonly lastRefreshedAtEpochSec: number | undefined;
  readonly refreshTokenExpiresAtEpochSec: number | undefined;
  /** The integration says its app is External and in Testing. */
  readonly externalTesting: boolean;
  /** Refresh tokens minted for the same account under the same client after this one; undefined when not known. */
  readonly newerGrantsOfAccount: number | undefined;
  /** An attempt whose answer never arrived may have spent the token. */
  readonly rotationLost: boolean;
  /** The gateway had the provider end the grant of another connection that shares this one's (TK-9). */
  readonly endedWithSharer?: boolean;
  /** The token came back from a backup: the provider may have replaced it since. */
  readonly restored?: boolean;
}

const TEXTS: Readonly<
  Record<DeathCause, { readonly who: Mender; readonly explanation: string; readonly remedy: string }>
> = {
  user_revoked: {
    who: 'end_user',
    explanation: 'The user removed the app from their Google account.',
    remedy: 'Ask the user to connect again; revoking was their choice.',
  },
  shared_grant_ended: {
    who: 'developer',
    explanation:
      'Another connection of this Google account was deleted here with its grant; Google ends the grants of one account and Cloud project together.',
    remedy: 'Ask the user to connect again; delete with revoke=if_last to keep shared grants.',
  },
  password_changed: {
    who: 'end_user',
    explanation: 'The user changed their password, which ends grants that include Gmail scopes.',
    remedy: 'Ask the user to connect again; ask for no Gmail scope where it is not needed.',
  },
  refresh_token_limit: {
    who: 'developer',
    explanation: `More than ${REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT} live refresh tokens of this Google account under one OAuth client: Google silently ended the oldest.`,
    remedy: 'Delete connections of this account that are no longer used, then ask the user to connect again.',
  },
  time_limited_access_over: {
    who: 'end_user',
    explanation: 'The user granted access for a limited time, and that time is over.',
    remedy: 'Ask the user to connect again.',
  },
  admin_restricted: {
    who: 'workspace_admin',
    explanation: "An administrator of the user's Google Workspace restricts the app or the service.",
    remedy:
      'Ask the Workspace administrator to allow the app (Admin console, Security, API controls), then connect again.',
  },
  session_length_over: {
    who: 'workspace_admin',
    explanation:
      "The Workspace's session length for Google Cloud scopes is over and Google wants the user to sign in anew.",
    remedy: 'Ask the user to connect again; an administrator can lengthen the session or exempt the app.',
  },
  testing_mode_expired: {
    who: 'developer',
    explanation:
      "The app's publishing status is Testing with an External audience: Google ends every grant seven days after consent.",
    remedy: 'Publish the app to production in the Google Cloud console, then ask the user to connect again.',
  },
  unused_six_months: {
    who: 'end_user',
    explanation: 'The grant was not used for six months.',
    remedy: 'Ask the user to connect again; the scheduled keep-alive prevents this while the gateway runs.',
  },
  account_unavailable: {
    who: 'end_user',
    explanation: 'The Google account was deleted or suspended.',
    remedy: 'Ask the user to connect another account, or their administrator to restore this one.',
  },
  account_restricted: {
    who: 'end_user',
    explanation: 'Google refuses access to this account for now: Google itself or an administrator restricts it.',
    remedy:
      'Ask the user to follow what Google asks at myaccount.google.com, or their administrator to lift the restriction; then check the connection again.',
  },
  rotation_lost: {
    who: 'end_user',
    explanation:
      'The provider replaced the refresh token and the new one was lost: on the way, or by restoring an older backup.',
    remedy: 'Ask the user to connect again.',
  },
  credentials_changed: {
    who: 'developer',
    explanation: 'The integration now uses another OAuth client; grants belong to the client they were made under.',
    remedy: 'Ask the user to connect again under the new client.',
  },
  unknown: {
    who: 'end_user',
    explanation: 'Google ended the grant without saying why.',
    remedy: 'Ask the user to connect again.',
  },
};

/**
 * Explains a dead grant: facts first, then likelihoods from its history (TK-7). Google answers most deaths with one
 * and the same `invalid_grant`, so nothing is called certain that was not named by the provider or announced by it.
 */
export function diagnoseDeadGrant(answer: DeadGrantAnswer, history: GrantHistory, nowEpochSec: number): GrantDeath {
  const certain = certainCause(answer, history, nowEpochSec);
  const weights = certain === undefined ? weigh(history, nowEpochSec) : new Map<DeathCause, number>([[certain, 1]]);
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const likelyCauses = [...weights]
    .map(([cause, weight]): LikelyCause => ({ cause, likelihood: roundDown(weight / total), ...TEXTS[cause] }))
    .sort((a, b) => b.likelihood - a.likelihood);
  const first = likelyCauses[0];
  const cause = first === undefined ? 'unknown' : first.cause;
  return {
    status: 'reauthorization_required',
    cause,
    certain: certain !== undefined,
    likelyCauses,
    remedy: TEXTS[cause].remedy,
    providerError: answer.subtype === undefined ? answer.error : `${answer.error}/${answer.subtype}`,
    since: new Date(nowEpochSec * 1000).toISOString(),
  };
}

/** The death of a connection whose integration moved to another OAuth client: decided here, not by the provider. */
export function deathByCredentialChange(nowEpochSec: number): GrantDeath {
  const cause = 'credentials_changed';
  return {
    status: 'reauthorization_required',
    cause,
    certain: true,
    likelyCauses: [{ cause, likelihood: 1, ...TEXTS[cause] }],
    remedy: TEXTS[cause].remedy,
    providerError: '',
    since: new Date(nowEpochSec * 1000).toISOString(),
  };
}

function certainCause(answer: DeadGrantAnswer, history: GrantHistory, nowEpochSec: number): DeathCause | undefined {
  if (answer.error === 'admin_policy_enforced') return 'admin_restricted';
  if (answer.error === 'access_denied') return 'account_restricted';
  if (answer.subtype === 'invalid_rapt') return 'session_length_over';
  const limit = history.refreshTokenExpiresAtEpochSec;
  if (limit !== undefined && limit <= nowEpochSec) return 'time_limited_access_over';
  return undefined;
}

function weigh(history: GrantHistory, nowEpochSec: number): Map<DeathCause, number> {
  const weights = new Map<DeathCause, number>([
    ['user_revoked', 6],
    ['account_unavailable', 1],
    ['admin_restricted', 1],
  ]);
  // Our own doing is on record; the user may all the same have removed the app before.
  if (history.endedWithSharer === true) weights.set('shared_grant_ended', 80);
  // Google does not rotate refresh tokens, but a lost answer is the likelier story where the provider does.
  if (history.rotationLost) weights.set('rotation_lost', 12);
  else if (history.restored === true) weights.set('rotation_lost', 3);
  const ageSec = nowEpochSec - history.consentedAtEpochSec;
  if (history.externalTesting && ageSec >= TESTING_GRANT_LIFETIME_SEC && !onlyIdentityScopes(history.grantedScopes)) {
    weights.set('testing_mode_expired', 60);
  }
  const lastUse = history.lastRefreshedAtEpochSec ?? history.consentedAtEpochSec;
  if (nowEpochSec - lastUse >= UNUSED_GRANT_LIFETIME_SEC) weights.set('unused_six_months', 40);
  const newer = history.newerGrantsOfAccount;
  if (newer !== undefined && newer >= REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT) weights.set('refresh_token_limit', 60);
  else if (newer !== undefined && newer >= REFRESH_TOKENS_WARN_FROM) weights.set('refresh_token_limit', 8);
  // Gmail scopes cannot be asked for through these providers, but grants may be widened by include_granted_scopes.
  if (history.grantedScopes.some((scope) => scope.includes('mail.google.com') || scope.includes('/auth/gmail'))) {
    weights.set('password_changed', 4);
  }
  return weights;
}

/** Three digits, downwards: shares that were rounded up could sum to more than 1. */
function roundDown(value: number): number {
  return Math.floor(value * 1000) / 1000;
}
