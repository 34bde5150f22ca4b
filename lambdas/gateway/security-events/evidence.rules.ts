import type { DeathCause, DeathEvidence } from '../core/grant-death.ts';
import { EVIDENCE_EARLY_SEC, EVIDENCE_LATE_SEC, EVIDENCE_RETENTION_SEC } from '../core/limits.ts';
import type { SecurityEventType } from './statement.rules.ts';

/** Types that explain why a grant ended; the first one that applies counts. */
export const EVIDENCE_TYPES = [
  'account-purged',
  'account-disabled',
  'tokens-revoked',
  'token-revoked',
] as const satisfies readonly SecurityEventType[];
export type EvidenceType = (typeof EVIDENCE_TYPES)[number];

/** The latest statement of a type about an account or a token. */
export interface StatedFact {
  readonly type: SecurityEventType;
  readonly reason: string | undefined;
  readonly statedAtEpochSec: number;
}

/** Facts about the grant, for comparison with statements. Times in epoch seconds. */
export interface EvidenceSubject {
  readonly consentedAtEpochSec: number;
  /** When the grant was found dead; now, for one that the provider has just refused. */
  readonly diedAtEpochSec: number;
  /** The last refresh that the provider granted: a much earlier statement did not end the grant. @default unknown */
  readonly lastRefreshedAtEpochSec?: number | undefined;
}

/**
 * The statement that explains why a grant ended (RI-10): not older than the consent, kept for thirty days, not much later than the
 * death, and not much earlier than a refresh that the provider still granted. A disabled account that was enabled again explains no
 * later death.
 */
export function evidenceOf(
  facts: readonly StatedFact[],
  { consentedAtEpochSec, diedAtEpochSec, lastRefreshedAtEpochSec = consentedAtEpochSec }: EvidenceSubject,
) {
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
    return { type, reason, statedAtEpochSec, areTokensRevoked };
  }
  return undefined;
}

/** Whether a statement is about tokens that must be deleted. */
export function isRevocation(type: SecurityEventType): boolean {
  return type === 'tokens-revoked' || type === 'token-revoked';
}

/** The statement that explains a death. */
export type Evidence = NonNullable<ReturnType<typeof evidenceOf>>;

/** The certain cause that a statement proves for a refused grant. */
export function causeOfEvidence({ type }: Evidence): DeathCause {
  switch (type) {
    case 'account-purged':
    case 'account-disabled':
      return 'account_unavailable';
    case 'tokens-revoked':
      return 'user_revoked';
    case 'token-revoked':
      return 'token_revoked';
  }
}

/** Evidence as a diagnosis shows it. */
export function shownEvidence({ type, reason, statedAtEpochSec }: Evidence): DeathEvidence {
  return { type, reason, statedAt: new Date(statedAtEpochSec * 1000).toISOString() };
}
