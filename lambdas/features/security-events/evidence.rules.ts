import type { DeathCause, EndedGrant, StatedEnd } from '../../gateway/core/grant-death.ts';
import { EVIDENCE_EARLY_SEC, EVIDENCE_LATE_SEC, EVIDENCE_RETENTION_SEC } from './limits.rules.ts';
import type { SecurityEventType } from './statement.rules.ts';

/** Types that explain why a grant ended; the first one that applies counts. */
const EVIDENCE_TYPES = [
  'account-purged',
  'account-disabled',
  'tokens-revoked',
  'token-revoked',
] as const satisfies readonly SecurityEventType[];
type EvidenceType = (typeof EVIDENCE_TYPES)[number];

/** The latest statement of a type about an account or a token. */
export interface StatedFact {
  readonly type: SecurityEventType;
  readonly reason: string | undefined;
  readonly statedAtEpochSec: number;
}

/**
 * The statement that explains why a grant ended (RI-10): not older than the consent, kept for thirty days, not much later than the
 * death, and not much earlier than a refresh that the provider still granted. A disabled account that was enabled again explains no
 * later death.
 */
export function evidenceOf(
  facts: readonly StatedFact[],
  {
    consentedAtEpochSec,
    diedAtEpochSec,
    lastRefreshedAtEpochSec = consentedAtEpochSec,
  }: Pick<EndedGrant, 'consentedAtEpochSec' | 'diedAtEpochSec' | 'lastRefreshedAtEpochSec'>,
): StatedEnd | undefined {
  const enabledAt = Math.max(
    Number.NEGATIVE_INFINITY,
    ...facts.filter(({ type }) => type === 'account-enabled').map((fact) => fact.statedAtEpochSec),
  );
  const fits = ({ type, statedAtEpochSec: at }: StatedFact) =>
    at >= consentedAtEpochSec &&
    at <= diedAtEpochSec + EVIDENCE_LATE_SEC &&
    at > lastRefreshedAtEpochSec - EVIDENCE_EARLY_SEC &&
    at > diedAtEpochSec - EVIDENCE_RETENTION_SEC &&
    !(type === 'account-disabled' && enabledAt >= at && enabledAt <= diedAtEpochSec);
  for (const type of EVIDENCE_TYPES) {
    const [latest] = facts
      .filter((fact) => fact.type === type && fits(fact))
      .sort((a, b) => b.statedAtEpochSec - a.statedAtEpochSec);
    if (latest === undefined) continue;
    const { reason, statedAtEpochSec } = latest;
    // The account's state explains more than its tokens' end, but the provider's requirement about tokens applies anyway.
    const areTokensRevoked = facts.some((fact) => isRevocation(fact.type) && fits(fact));
    const cause = CAUSES[type];
    return { type, reason, statedAtEpochSec, cause, isRevocation: isRevocation(type), areTokensRevoked };
  }
  return undefined;
}

/** Whether a statement is about tokens that must be deleted. */
function isRevocation(type: SecurityEventType): boolean {
  return type === 'tokens-revoked' || type === 'token-revoked';
}

/** The certain cause that a statement proves for a refused grant. */
const CAUSES: Readonly<Record<EvidenceType, DeathCause>> = {
  'account-purged': 'account_unavailable',
  'account-disabled': 'account_unavailable',
  'tokens-revoked': 'user_revoked',
  'token-revoked': 'token_revoked',
};
