/** Why a connection needs a new consent. `unknown` only when neither the provider's answer nor the history shows a cause. */
export const DEATH_CAUSES = [
  'user_revoked',
  'token_revoked',
  'shared_grant_ended',
  'password_changed',
  'refresh_token_limit',
  'account_token_limit',
  'time_limited_access_over',
  'admin_restricted',
  'context_aware_access',
  'session_length_over',
  'testing_mode_expired',
  'unused_six_months',
  'account_unavailable',
  'account_restricted',
  'advanced_protection',
  'rotation_lost',
  'credentials_changed',
  'delegation_pending',
  'delegation_missing',
  'delegation_incomplete',
  'subject_unknown',
  'subject_not_allowed',
  'unknown',
] as const;
export type DeathCause = (typeof DEATH_CAUSES)[number];

/** Who can fix it. */
export type ResponsibleParty = 'end_user' | 'developer' | 'workspace_admin';

/** The text of a cause: who can fix it, what happened, what to do. */
export interface DeathText {
  readonly who: ResponsibleParty;
  /** One sentence for that person: what happened. */
  readonly explanation: string;
  /** One sentence: what to do. */
  readonly remedy: string;
}

/** One explanation with its likelihood; all of them sum to at most 1. */
export interface LikelyCause extends DeathText {
  readonly cause: DeathCause;
  /** 0 to 1. */
  readonly likelihood: number;
}

/** A signed statement of the provider that proves why a grant ended. */
export interface DeathEvidence {
  /** Type of the security event, such as `account-disabled`. */
  readonly type: string;
  /** The provider's own reason code, such as `hijacking`. */
  readonly reason: string | undefined;
  /** ISO 8601 UTC, by the provider's clock. */
  readonly statedAt: string;
}

/** A grant whose end is to be explained. Times in epoch seconds. */
export interface EndedGrant {
  readonly cloudProject: string;
  /** Undefined where the grant's account is unknown. */
  readonly subject: string | undefined;
  /** Prints of its refresh token; see `printsOfToken`. */
  readonly tokenPrints: readonly string[];
  readonly consentedAtEpochSec: number;
  /** When the grant was found dead; now, for one that the provider has just refused. */
  readonly diedAtEpochSec: number;
  /** The last refresh that the provider granted. @default unknown */
  readonly lastRefreshedAtEpochSec?: number | undefined;
}

/** A provider's statement that explains why a grant ended. */
export interface StatedEnd {
  readonly type: string;
  readonly reason: string | undefined;
  readonly statedAtEpochSec: number;
  /** The cause that it proves for a refused grant. */
  readonly cause: DeathCause;
  /** It is about tokens that were revoked, and not about their account. */
  readonly isRevocation: boolean;
  /** This or another statement says that the tokens were revoked: they must be deleted. */
  readonly areTokensRevoked: boolean;
}

/** Facts about a dead grant: the provider's answer is certain, the causes are likelihoods from history. */
export interface GrantDeath {
  readonly status: 'reauthorization_required';
  /** The most likely cause. */
  readonly cause: DeathCause;
  /** True when the provider or the stored facts prove the cause. */
  readonly certain: boolean;
  readonly likelyCauses: readonly LikelyCause[];
  readonly remedy: string;
  /** The provider's own error code, such as `invalid_grant`. */
  readonly providerError: string;
  /** ISO 8601 UTC. */
  readonly since: string;
  /** The statement that makes the cause certain; absent where no statement does. */
  readonly evidence?: DeathEvidence | undefined;
  /** The provider has stated that it revoked the tokens, whatever else explains the death. */
  readonly tokensRevoked?: true | undefined;
}

/** What happened, in one sentence; a guess is marked as one. Empty where nothing is known. */
export function whatHappened({ certain, likelyCauses }: Pick<GrantDeath, 'certain' | 'likelyCauses'>): string {
  const explanation = likelyCauses[0]?.explanation ?? '';
  return certain || explanation === '' ? explanation : `Probably: ${explanation}`;
}

/** Refusals that can be undone at the provider, so that a later refresh may find the same grant alive. */
const REVERSIBLE = ['admin_policy_enforced', 'policy_enforced', 'access_denied', 'unauthorized_client'];

/** Whether another refresh may help before the user is asked. */
export function canBeCheckedAgain({ providerError }: Pick<GrantDeath, 'providerError'>): boolean {
  return REVERSIBLE.includes(providerError);
}

/** Whether the provider requires the refused tokens to be erased; those of a disabled account may work again once it is enabled (RI-16). */
export function isToBeErased({ tokensRevoked }: Pick<GrantDeath, 'tokensRevoked'>): boolean {
  return tokensRevoked === true;
}
