import { isConsumerAccount, type ProviderAccount } from '../connections/connection.rules.ts';
import { type GrantTerms, knownEnd } from '../connections/health.rules.ts';
import {
  DEATH_CAUSES,
  type DeathCause,
  type DeathEvidence,
  type DeathText,
  type GrantDeath,
  type LikelyCause,
  type StatedEnd,
} from '../core/grant-death.ts';
import {
  REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT,
  REFRESH_TOKENS_WARN_FROM,
  TESTING_ANNOUNCED_TOLERANCE_SEC,
} from '../core/limits.ts';
import { type AuthorizationServer, named } from '../providers/authorization-server.rules.ts';

/** Causes of all providers, in words for the person who can fix them; `{provider}` stands for its name. */
const COMMON_CAUSES = {
  user_revoked: {
    who: 'end_user',
    explanation:
      'The user removed the app from their {provider} account, or {provider} ended the grant for another reason.',
    remedy: 'Ask the user whether they want to connect again; if they removed the app, that was their choice.',
  },
  token_revoked: {
    who: 'end_user',
    explanation: '{provider} ended this one refresh token; the account itself is not affected.',
    remedy: 'Ask the user to connect again.',
  },
  time_limited_access_over: {
    who: 'end_user',
    explanation: 'The user gave the app access for a limited time, and that time is over.',
    remedy: 'Ask the user to connect again.',
  },
  admin_restricted: {
    who: 'workspace_admin',
    explanation: 'An administrator of the user’s organization restricts the app at {provider}.',
    remedy: 'Ask that administrator to allow the app, then ask the user to connect again.',
  },
  account_unavailable: {
    who: 'end_user',
    explanation: 'The {provider} account was deleted or suspended.',
    remedy: 'Ask the user to connect another account, or to have this one restored.',
  },
  rotation_lost: {
    who: 'end_user',
    explanation:
      'The provider replaced the refresh token, and the new one was lost, either in transit or by restoring an older backup.',
    remedy: 'Ask the user to connect again.',
  },
  credentials_changed: {
    who: 'developer',
    explanation:
      'The integration now uses another OAuth client; grants belong to the client for which they were given.',
    remedy: 'Ask the users to connect again with the new client, or restore the previous client.',
  },
  subject_not_allowed: {
    who: 'developer',
    explanation:
      'The integration may not act for this user any more: its delegation.subjects does not allow the address.',
    remedy: 'Allow the domain or the address in delegation.subjects of the integration, or delete the connection.',
  },
  unknown: {
    who: 'end_user',
    explanation: '{provider} refuses the grant and gives no reason.',
    remedy: 'Ask the user to connect again.',
  },
} satisfies Partial<Record<DeathCause, DeathText>>;

/**
 * The text of a cause for grants of this server; undefined for a cause that it does not have.
 *
 * @param isDelegated a service account acts for the user, who cannot connect again
 */
export function deathText(
  cause: keyof typeof COMMON_CAUSES,
  server: AuthorizationServer,
  isDelegated?: boolean,
): DeathText;
export function deathText(cause: DeathCause, server: AuthorizationServer, isDelegated?: boolean): DeathText | undefined;
export function deathText(cause: DeathCause, server: AuthorizationServer, isDelegated = false): DeathText | undefined {
  const common: Partial<Record<DeathCause, DeathText>> = COMMON_CAUSES;
  const delegated: Partial<Record<DeathCause, DeathText>> = (isDelegated ? server.delegation?.texts : undefined) ?? {};
  const text = delegated[cause] ?? server.grants.causes[cause] ?? common[cause];
  if (text === undefined) return undefined;
  return { who: text.who, explanation: named(text.explanation, server), remedy: named(text.remedy, server) };
}

/** The provider's answer that refused the refresh token. */
export interface DeadGrantAnswer {
  readonly error: string;
  readonly subtype: string | undefined;
  readonly description?: string | undefined;
}

/** Recorded facts about the grant. Times in epoch seconds. */
export interface GrantHistory extends GrantTerms {
  /** Whether the integration is currently declared External and in Testing. */
  readonly externalTesting: boolean;
  /** The grant's account; undefined where no identity was granted. */
  readonly account: ProviderAccount | undefined;
  /** Consents of the same account to the same client after this one; undefined when unknown. */
  readonly newerGrantsOfAccount: number | undefined;
  /** An attempt whose answer never arrived may have used up the token. */
  readonly rotationLost: boolean;
  /** The gateway had asked the provider to end another connection's grant that shares this one's (TK-9). */
  readonly endedWithSharer?: boolean;
  /** When it did so, epoch seconds. */
  readonly endedWithSharerAtEpochSec?: number | undefined;
  /** A statement of the provider about the account or the token, where that explains the refusal. */
  readonly evidence?: StatedEnd | undefined;
  /** The token came from a backup: the provider may have replaced it since. */
  readonly restored?: boolean;
}

type Weights = Partial<Record<DeathCause, number>>;

/**
 * Explains a dead grant: facts first, then likelihoods from its history (TK-7). Most deaths have the same `invalid_grant`. A cause is
 * called certain only if the provider named or announced it, and causes that the recorded facts or the server exclude are not offered.
 */
export function diagnoseDeadGrant(
  answer: DeadGrantAnswer,
  history: GrantHistory,
  nowEpochSec: number,
  server: AuthorizationServer,
): GrantDeath {
  const proof = proofOf(answer, history, nowEpochSec, server);
  const certain = proof?.cause;
  const weights: Weights = certain === undefined ? weigh(answer, history, nowEpochSec, server) : { [certain]: 1 };
  const entries = DEATH_CAUSES.flatMap((cause) => {
    const weight = weights[cause] ?? 0;
    const text = deathText(cause, server);
    return weight > 0 && text !== undefined ? [{ cause, weight, text }] : [];
  });
  const total = entries.reduce((sum, { weight }) => sum + weight, 0);
  const likelyCauses = entries
    .map(({ cause, weight, text }): LikelyCause => ({ cause, likelihood: roundDown(weight / total), ...text }))
    .sort((a, b) => b.likelihood - a.likelihood);
  const [first] = likelyCauses;
  const { cause, remedy } = first ?? { cause: 'unknown' as const, ...deathText('unknown', server) };
  return {
    status: 'reauthorization_required',
    cause,
    certain: certain !== undefined,
    likelyCauses,
    remedy,
    providerError: answer.subtype === undefined ? answer.error : `${answer.error}/${answer.subtype}`,
    since: new Date(nowEpochSec * 1000).toISOString(),
    ...(proof?.evidence === undefined ? {} : { evidence: shownEvidence(proof.evidence) }),
    ...(history.evidence?.areTokensRevoked === true ? { tokensRevoked: true } : {}),
  };
}

/**
 * A death with a guessed cause, updated with a later statement.
 *
 * @returns undefined where the statement changes nothing
 */
export function deathWithEvidence(
  death: GrantDeath,
  evidence: StatedEnd,
  endedWithSharerAtEpochSec: number | undefined,
  server: AuthorizationServer,
  isDelegated = false,
): GrantDeath | undefined {
  if (death.certain || !isOpenRefusal(death.providerError)) return undefined;
  const cause = causeProvenBy(evidence, endedWithSharerAtEpochSec);
  const text = deathText(cause, server, isDelegated);
  if (text === undefined) return undefined;
  return {
    ...death,
    cause,
    certain: true,
    likelyCauses: [{ cause, likelihood: 1, ...text }],
    remedy: text.remedy,
    evidence: shownEvidence(evidence),
    ...(evidence.areTokensRevoked ? { tokensRevoked: true } : {}),
  };
}

/** The death of a connection whose integration moved to another OAuth client: decided here, not by the provider. */
export function deathByCredentialChange(nowEpochSec: number, server: AuthorizationServer): GrantDeath {
  const cause = 'credentials_changed';
  const text = deathText(cause, server);
  return {
    status: 'reauthorization_required',
    cause,
    certain: true,
    likelyCauses: [{ cause, likelihood: 1, ...text }],
    remedy: text.remedy,
    providerError: '',
    since: new Date(nowEpochSec * 1000).toISOString(),
  };
}

/** Whether a refusal names no cause of its own; only such refusals are explained by statements. */
function isOpenRefusal(providerError: string): boolean {
  return providerError === 'invalid_grant';
}

/** The certain cause, and the statement that proves it where nothing else does. */
function proofOf(
  answer: DeadGrantAnswer,
  history: GrantHistory,
  nowEpochSec: number,
  server: AuthorizationServer,
): { readonly cause: DeathCause; readonly evidence?: StatedEnd } | undefined {
  const cause = certainCause(answer, history, nowEpochSec, server);
  if (cause !== undefined) return { cause };
  const { evidence, endedWithSharerAtEpochSec } = history;
  if (evidence === undefined || !isOpenRefusal(answer.error) || answer.subtype !== undefined) return undefined;
  return { cause: causeProvenBy(evidence, endedWithSharerAtEpochSec), evidence };
}

/** The provider states the end of grants that the gateway asked it to end, too. */
function causeProvenBy(evidence: StatedEnd, endedWithSharerAtEpochSec: number | undefined): DeathCause {
  const isOurDoing =
    endedWithSharerAtEpochSec !== undefined &&
    evidence.isRevocation &&
    evidence.statedAtEpochSec >= endedWithSharerAtEpochSec - CLOCKS_APART_SEC;
  return isOurDoing ? 'shared_grant_ended' : evidence.cause;
}

/** A statement as a diagnosis shows it. */
function shownEvidence({ type, reason, statedAtEpochSec }: StatedEnd): DeathEvidence {
  return { type, reason, statedAt: new Date(statedAtEpochSec * 1000).toISOString() };
}

/** Tolerated difference between the provider's clock and the gateway's. */
const CLOCKS_APART_SEC = 60;

function certainCause(
  answer: DeadGrantAnswer,
  history: GrantHistory,
  nowEpochSec: number,
  { grants }: AuthorizationServer,
): DeathCause | undefined {
  // A code may be contained in the description, such as "reauth related error (invalid_rapt)".
  const described = (answer.description ?? '').match(/\w+/g) ?? [];
  for (const code of [answer.error, answer.subtype ?? '', ...described]) {
    // Codes come from outside, so names of built-in object members must not match.
    if (Object.hasOwn(grants.namedCauses, code)) return grants.namedCauses[code];
  }
  if (answer.error === 'access_denied') {
    // Google itself reports "Account restricted" for an account without an administrator.
    return isAccountRestricted(answer) && isConsumerAccount(history.account) === true
      ? 'account_restricted'
      : undefined;
  }
  if (ACCOUNT_GONE.test(answer.description ?? '')) return 'account_unavailable';
  const end = knownEnd(history, history.externalTesting);
  if (end === undefined || !end.announced || end.atEpochSec > nowEpochSec) return undefined;
  return end.kind === 'testing_mode' ? 'testing_mode_expired' : 'time_limited_access_over';
}

/** Descriptions seen with `invalid_grant`, such as "Account has been deleted"; those of most deaths name no cause. */
const ACCOUNT_GONE = /\b(?:account|user)\b.*\b(?:deleted|disabled|suspended)\b/i;

function isAccountRestricted({ description = '' }: DeadGrantAnswer): boolean {
  return /\baccount restricted\b/i.test(description);
}

function weigh(
  answer: DeadGrantAnswer,
  history: GrantHistory,
  nowEpochSec: number,
  { grants }: AuthorizationServer,
): Weights {
  // Consumer accounts have no administrator; most others may have one.
  const mayHaveAdmin = isConsumerAccount(history.account) !== true;
  // Advanced Protection blocks Gmail and Drive, but not Calendar.
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
    // Where the causes of a server are not on record, the list is incomplete.
    unknown: Object.keys(grants.causes).length === 0 ? 4 : 0,
    account_unavailable: 1,
    admin_restricted: mayHaveAdmin ? 1 : 0,
    account_token_limit: 0.2,
    advanced_protection: isProtectable ? 0.2 : 0,
    // The gateway's own request is on record; still, the user may have removed the app before.
    shared_grant_ended: history.endedWithSharer === true ? 80 : 0,
    // Google does not rotate refresh tokens; where the provider does, a lost answer is more likely.
    rotation_lost: history.rotationLost ? 12 : history.restored === true ? 3 : 0,
    testing_mode_expired: isOverdueTesting(history, nowEpochSec) ? 60 : 0,
    unused_six_months:
      unusedSec(history, nowEpochSec) >= (grants.unusedLifetimeSec ?? Number.POSITIVE_INFINITY) ? 40 : 0,
    refresh_token_limit: limitWeight(history.newerGrantsOfAccount ?? 0),
    // Gmail scopes cannot be requested through these providers, but include_granted_scopes may add them to grants.
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

/** Rounds down to three digits, because shares that are rounded up could sum to more than 1. */
function roundDown(value: number): number {
  return Math.floor(value * 1000) / 1000;
}
