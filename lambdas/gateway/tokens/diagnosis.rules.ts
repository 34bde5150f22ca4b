import { isConsumerAccount, type ProviderAccount } from '../connections/connection.rules.ts';
import {
  DEATH_CAUSES,
  type DeathCause,
  type GrantDeath,
  type LikelyCause,
  type ResponsibleParty,
} from '../core/grant-death.ts';
import {
  REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT,
  REFRESH_TOKENS_WARN_FROM,
  TESTING_ANNOUNCED_TOLERANCE_SEC,
  UNUSED_GRANT_LIFETIME_SEC,
} from '../core/limits.ts';
import { type GrantTerms, knownEnd, WHAT_FREES_NO_TOKEN } from './forecast.rules.ts';

/** What is said of a cause: who can mend it, what happened, what to do. */
export interface DeathText {
  readonly who: ResponsibleParty;
  readonly explanation: string;
  readonly remedy: string;
}

/** Each cause of death in words for the person who can mend it. */
export const DEATH_TEXTS: Readonly<Record<DeathCause, DeathText>> = {
  user_revoked: {
    who: 'end_user',
    explanation: 'The user removed the app from their Google account.',
    remedy: 'Ask the user whether they want to connect again; if they removed the app, that was their choice.',
  },
  shared_grant_ended: {
    who: 'developer',
    explanation:
      'Another connection of this Google account was deleted here together with its grant, and Google ends all grants of an account to one Cloud project at once.',
    remedy: 'Ask the user to connect again; delete with revoke=if_last to keep grants that others share.',
  },
  password_changed: {
    who: 'end_user',
    explanation: 'The user changed their Google password, which ends grants that include Gmail scopes.',
    remedy: 'Ask the user to connect again; ask for no Gmail scope where it is not needed.',
  },
  refresh_token_limit: {
    who: 'developer',
    explanation: `This Google account has consented more than ${REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT} times to the same OAuth client. Each consent makes a refresh token, and of more than ${REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT} Google silently ends the oldest.`,
    remedy: `Ask the user to remove the app at myaccount.google.com/connections, which frees all of its tokens, and to connect again; without that, each new consent ends another of the account’s connections. ${WHAT_FREES_NO_TOKEN}`,
  },
  account_token_limit: {
    who: 'end_user',
    explanation:
      'The Google account has reached its limit of refresh tokens over all apps, and Google silently ended the oldest.',
    remedy:
      'Ask the user to remove apps they no longer use at myaccount.google.com/connections, then to connect again.',
  },
  time_limited_access_over: {
    who: 'end_user',
    explanation: 'The user gave the app access for a limited time, and that time is over.',
    remedy: 'Ask the user to connect again.',
  },
  admin_restricted: {
    who: 'workspace_admin',
    explanation: 'An administrator of the user’s Google Workspace restricts the app or the service.',
    remedy:
      'Ask the Workspace administrator to allow the app (Admin console, Security, API controls); then ask Google again (POST /connections/{id}/refresh), and if it still refuses, ask the user to connect again.',
  },
  context_aware_access: {
    who: 'workspace_admin',
    explanation:
      'A context-aware access rule of the user’s Google Workspace refuses apps such as this one, for example by device or network.',
    remedy:
      'Ask the Workspace administrator to exempt the app (Admin console, Security, Context-Aware Access); then ask Google again (POST /connections/{id}/refresh).',
  },
  session_length_over: {
    who: 'workspace_admin',
    explanation:
      'The user’s Google Workspace limits how long a sign-in counts, and Google wants this user to sign in again.',
    remedy:
      'Ask the user to connect again; an administrator can lengthen the session or exempt the app (Admin console, Security, Google Cloud session control).',
  },
  testing_mode_expired: {
    who: 'developer',
    explanation:
      'The app is External and in Testing at Google, and such an app loses every grant seven days after consent; so do grants made in Testing after the app is published.',
    remedy:
      'Publish the app in the Google Cloud console (Google Auth Platform, Audience), then ask the user to connect again.',
  },
  unused_six_months: {
    who: 'end_user',
    explanation: 'The grant was not used for six months, after which Google ends it.',
    remedy: 'Ask the user to connect again; the gateway’s keep-alive prevents this as long as its schedule runs.',
  },
  account_unavailable: {
    who: 'end_user',
    explanation: 'The Google account was deleted or suspended.',
    remedy: 'Ask the user to connect another account, or their administrator to restore this one.',
  },
  account_restricted: {
    who: 'end_user',
    explanation: 'Google restricts this account for the moment, for example until its owner has confirmed something.',
    remedy:
      'Ask the user to do what Google asks for at myaccount.google.com/security; then ask Google again (POST /connections/{id}/refresh).',
  },
  advanced_protection: {
    who: 'end_user',
    explanation:
      'The user has joined Google’s Advanced Protection Program, which keeps most other apps out of Gmail and Drive.',
    remedy: 'Ask the user whether they want to leave the program or connect an account that is not in it.',
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
    remedy: 'Ask the users to connect again under the new client, or put the former client back.',
  },
  unknown: {
    who: 'end_user',
    explanation: 'Google refuses the grant and gives no reason.',
    remedy: 'Ask the user to connect again.',
  },
};

/** What the provider said when it refused the refresh token. */
export interface DeadGrantAnswer {
  readonly error: string;
  readonly subtype: string | undefined;
  readonly description?: string | undefined;
}

/** What is on record about the grant. Times in epoch seconds. */
export interface GrantHistory extends GrantTerms {
  /** The integration says at present that its app is External and in Testing. */
  readonly externalTesting: boolean;
  /** Whose grant it is; undefined where no identity was granted. */
  readonly account: ProviderAccount | undefined;
  /** Consents of the same account to the same client after this one; undefined when not known. */
  readonly newerGrantsOfAccount: number | undefined;
  /** An attempt whose answer never arrived may have spent the token. */
  readonly rotationLost: boolean;
  /** The gateway had the provider end the grant of another connection that shares this one's (TK-9). */
  readonly endedWithSharer?: boolean;
  /** The token came back from a backup: the provider may have replaced it since. */
  readonly restored?: boolean;
}

type Weights = Partial<Record<DeathCause, number>>;

/**
 * Explains a dead grant: facts first, then likelihoods from its history (TK-7). Google answers most deaths with one
 * and the same `invalid_grant`, so nothing is called certain that was not named by the provider or announced by it, and
 * nothing is offered that the facts on record exclude.
 */
export function diagnoseDeadGrant(answer: DeadGrantAnswer, history: GrantHistory, nowEpochSec: number): GrantDeath {
  const certain = certainCause(answer, history, nowEpochSec);
  const weights: Weights = certain === undefined ? weigh(answer, history, nowEpochSec) : { [certain]: 1 };
  const entries = DEATH_CAUSES.flatMap((cause) => {
    const weight = weights[cause] ?? 0;
    return weight > 0 ? [{ cause, weight }] : [];
  });
  const total = entries.reduce((sum, { weight }) => sum + weight, 0);
  const likelyCauses = entries
    .map(({ cause, weight }): LikelyCause => ({ cause, likelihood: roundDown(weight / total), ...DEATH_TEXTS[cause] }))
    .sort((a, b) => b.likelihood - a.likelihood);
  const cause = likelyCauses[0]?.cause ?? 'unknown';
  return {
    status: 'reauthorization_required',
    cause,
    certain: certain !== undefined,
    likelyCauses,
    remedy: DEATH_TEXTS[cause].remedy,
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
    likelyCauses: [{ cause, likelihood: 1, ...DEATH_TEXTS[cause] }],
    remedy: DEATH_TEXTS[cause].remedy,
    providerError: '',
    since: new Date(nowEpochSec * 1000).toISOString(),
  };
}

function certainCause(answer: DeadGrantAnswer, history: GrantHistory, nowEpochSec: number): DeathCause | undefined {
  if (answer.error === 'admin_policy_enforced') return 'admin_restricted';
  if (answer.error === 'access_denied') {
    // "Account restricted" of an account that no administrator governs leaves Google itself.
    return isAccountRestricted(answer) && isConsumerAccount(history.account) === true
      ? 'account_restricted'
      : undefined;
  }
  if (answer.subtype === 'invalid_rapt' || answer.subtype === 'rapt_required') return 'session_length_over';
  if (ACCOUNT_GONE.test(answer.description ?? '')) return 'account_unavailable';
  const end = knownEnd(history, history.externalTesting);
  if (end === undefined || !end.announced || end.atEpochSec > nowEpochSec) return undefined;
  return end.kind === 'testing_mode' ? 'testing_mode_expired' : 'time_limited_access_over';
}

/** Descriptions seen beside `invalid_grant`, such as "Account has been deleted"; those of most deaths name nothing. */
const ACCOUNT_GONE = /\b(?:account|user)\b.*\b(?:deleted|disabled|suspended)\b/i;

function isAccountRestricted({ description = '' }: DeadGrantAnswer): boolean {
  return /\baccount restricted\b/i.test(description);
}

function weigh(answer: DeadGrantAnswer, history: GrantHistory, nowEpochSec: number): Weights {
  // Consumer accounts have no administrator; of most others it is not known whether they have one.
  const mayHaveAdmin = isConsumerAccount(history.account) !== true;
  // Kept out by Advanced Protection are Gmail and Drive; Calendar is not.
  const isProtectable = history.grantedScopes.some((scope) => isMail(scope) || scope.includes('/auth/drive'));
  if (answer.error === 'access_denied') {
    return {
      account_restricted: isConsumerAccount(history.account) === false ? 2 : 4,
      context_aware_access: mayHaveAdmin ? 5 : 0,
      admin_restricted: mayHaveAdmin ? 2 : 0,
      advanced_protection: isProtectable && !isAccountRestricted(answer) ? 1 : 0,
    };
  }
  return {
    user_revoked: 6,
    account_unavailable: 1,
    admin_restricted: mayHaveAdmin ? 1 : 0,
    account_token_limit: 0.2,
    advanced_protection: isProtectable ? 0.2 : 0,
    // Our own doing is on record; the user may all the same have removed the app before.
    shared_grant_ended: history.endedWithSharer === true ? 80 : 0,
    // Google does not rotate refresh tokens, but a lost answer is the likelier story where the provider does.
    rotation_lost: history.rotationLost ? 12 : history.restored === true ? 3 : 0,
    testing_mode_expired: isOverdueTesting(history, nowEpochSec) ? 60 : 0,
    unused_six_months: unusedSec(history, nowEpochSec) >= UNUSED_GRANT_LIFETIME_SEC ? 40 : 0,
    refresh_token_limit: limitWeight(history.newerGrantsOfAccount ?? 0),
    // Gmail scopes cannot be asked for through these providers, but grants may be widened by include_granted_scopes.
    password_changed: history.grantedScopes.some(isMail) ? 4 : 0,
  };
}

/** Google's clock and the gateway's may differ, and consent was a little before the code was exchanged. */
function isOverdueTesting(history: GrantHistory, nowEpochSec: number): boolean {
  const end = knownEnd(history, history.externalTesting);
  return end?.kind === 'testing_mode' && nowEpochSec >= end.atEpochSec - TESTING_ANNOUNCED_TOLERANCE_SEC;
}

function unusedSec({ lastRefreshedAtEpochSec, consentedAtEpochSec }: GrantHistory, nowEpochSec: number): number {
  return nowEpochSec - Math.max(lastRefreshedAtEpochSec ?? 0, consentedAtEpochSec);
}

function limitWeight(newerGrants: number): number {
  if (newerGrants >= REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT) return 60;
  return newerGrants >= REFRESH_TOKENS_WARN_FROM ? 8 : 0;
}

function isMail(scope: string): boolean {
  return scope.includes('mail.google.com') || scope.includes('/auth/gmail');
}

/** Three digits, downwards: shares that were rounded up could sum to more than 1. */
function roundDown(value: number): number {
  return Math.floor(value * 1000) / 1000;
}
