import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evidenceOf } from '../../../../lambdas/features/security-events/evidence.rules.ts';
import {
  EVIDENCE_EARLY_SEC,
  EVIDENCE_LATE_SEC,
  EVIDENCE_RETENTION_SEC,
} from '../../../../lambdas/features/security-events/limits.rules.ts';
import { SECURITY_EVENT_TYPES } from '../../../../lambdas/features/security-events/statement.rules.ts';
import { isToBeErased } from '../../../../lambdas/gateway/core/grant-death.ts';
import { keptPrint, keptPrints, printsOfToken, tokenPrint } from '../../../../lambdas/gateway/core/identifiers.ts';
import { google } from '../../../../lambdas/gateway/providers/google/server.ts';
import {
  deathWithEvidence,
  diagnoseDeadGrant,
  type GrantHistory,
} from '../../../../lambdas/gateway/tokens/diagnosis.rules.ts';

const DIED = 1_800_000_000;
const CONSENTED = DIED - 10 * 24 * 3600;
const subject = { consentedAtEpochSec: CONSENTED, diedAtEpochSec: DIED };
const fact = (type: (typeof SECURITY_EVENT_TYPES)[number], at: number, reason?: string) => ({
  type,
  reason,
  statedAtEpochSec: at,
});

describe('evidence', () => {
  it('RI-10: evidence is never older than the consent or than thirty days, and never much later than the death', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...SECURITY_EVENT_TYPES), fc.integer({ min: -40, max: 40 })), {
          maxLength: 6,
        }),
        fc.integer({ min: -60, max: 0 }),
        (stated, consented) => {
          const consentedAtEpochSec = DIED + consented * 24 * 3600;
          const facts = stated.map(([type, days]) => fact(type, DIED + days * 24 * 3600));
          const found = evidenceOf(facts, { consentedAtEpochSec, diedAtEpochSec: DIED });
          if (found === undefined) return;
          expect(found.statedAtEpochSec).toBeGreaterThanOrEqual(consentedAtEpochSec);
          expect(found.statedAtEpochSec).toBeGreaterThan(DIED - EVIDENCE_RETENTION_SEC);
          expect(found.statedAtEpochSec).toBeLessThanOrEqual(DIED + EVIDENCE_LATE_SEC);
        },
      ),
    );
  });

  it.each([
    [
      'the account before its tokens',
      [fact('tokens-revoked', DIED - 1), fact('account-disabled', DIED - 9)],
      'account-disabled',
    ],
    ['all tokens before one', [fact('token-revoked', DIED - 1), fact('tokens-revoked', DIED - 9)], 'tokens-revoked'],
    ['what came a minute after the death', [fact('tokens-revoked', DIED + 60)], 'tokens-revoked'],
    [
      'nothing of an account that was enabled again before',
      [fact('account-disabled', DIED - 9), fact('account-enabled', DIED - 5)],
      undefined,
    ],
    [
      'of an account that was enabled only after',
      [fact('account-disabled', DIED - 9), fact('account-enabled', DIED + 5)],
      'account-disabled',
    ],
    [
      'nothing of sessions and passwords',
      [fact('sessions-revoked', DIED), fact('account-credential-change-required', DIED)],
      undefined,
    ],
  ])('evidence is %s', (_, facts, type) => {
    expect(evidenceOf(facts, subject)?.type).toBe(type);
  });

  it('RI-10: evidence is nothing that the provider had stated long before a refresh that it granted', () => {
    const disabled = fact('account-disabled', DIED - 9 * 24 * 3600, 'bulk-account');
    expect(evidenceOf([disabled], subject)?.type).toBe('account-disabled');
    const worked = { ...subject, lastRefreshedAtEpochSec: DIED - 24 * 3600 };
    expect(evidenceOf([disabled], worked)).toBeUndefined();
    expect(evidenceOf([disabled, fact('tokens-revoked', DIED - 60)], worked)?.type).toBe('tokens-revoked');
    // The refresh that the statement caused may still have been granted.
    const premature = { ...subject, lastRefreshedAtEpochSec: disabled.statedAtEpochSec + EVIDENCE_EARLY_SEC - 1 };
    expect(evidenceOf([disabled], premature)?.type).toBe('account-disabled');
  });

  it('RI-16: says that the tokens are revoked, also where the account explains more', () => {
    const both = [fact('account-disabled', DIED - 9, 'hijacking'), fact('tokens-revoked', DIED - 8)];
    expect(evidenceOf(both, subject)).toMatchObject({ type: 'account-disabled', areTokensRevoked: true });
    expect(evidenceOf(both.slice(0, 1), subject)).toMatchObject({ areTokensRevoked: false });
  });
});

const HISTORY: GrantHistory = {
  grantedScopes: [],
  consentedAtEpochSec: CONSENTED,
  lastRefreshedAtEpochSec: CONSENTED,
  refreshTokenExpiresAtEpochSec: undefined,
  externalTesting: false,
  account: undefined,
  newerGrantsOfAccount: 0,
  rotationLost: false,
};
const REVOKED = {
  type: 'tokens-revoked',
  reason: undefined,
  statedAtEpochSec: DIED - 1,
  cause: 'user_revoked',
  isRevocation: true,
  areTokensRevoked: true,
} as const;
const diagnosed = (answer: { error: string; subtype?: string }, more: Partial<GrantHistory>) =>
  diagnoseDeadGrant({ subtype: undefined, ...answer }, { ...HISTORY, ...more }, DIED, google);

describe('a diagnosis with evidence', () => {
  it('RI-10: a diagnosis with evidence is certain, and shows the statement', () => {
    expect(diagnosed({ error: 'invalid_grant' }, { evidence: REVOKED })).toMatchObject({
      cause: 'user_revoked',
      certain: true,
      likelyCauses: [{ likelihood: 1 }],
      evidence: { type: 'tokens-revoked', statedAt: new Date((DIED - 1) * 1000).toISOString() },
    });
  });

  it('RI-16: a diagnosis with evidence has the tokens erased that Google revoked, whatever explains the death, and those of a disabled account alone kept', () => {
    expect(isToBeErased(diagnosed({ error: 'invalid_grant' }, { evidence: REVOKED }))).toBe(true);
    const named = diagnosed({ error: 'invalid_grant', subtype: 'invalid_rapt' }, { evidence: REVOKED });
    expect(isToBeErased(named)).toBe(true);
    const disabled = { ...REVOKED, type: 'account-disabled', areTokensRevoked: false } as const;
    expect(isToBeErased(diagnosed({ error: 'invalid_grant' }, { evidence: disabled }))).toBe(false);
  });

  it('believes what the provider names itself first', () => {
    const named = diagnosed({ error: 'invalid_grant', subtype: 'invalid_rapt' }, { evidence: REVOKED });
    expect(named).toMatchObject({ cause: 'session_length_over', certain: true });
    expect(named.evidence).toBeUndefined();
    const blocked = diagnosed({ error: 'admin_policy_enforced' }, { evidence: REVOKED });
    expect(blocked).toMatchObject({ cause: 'admin_restricted', certain: true });
    expect(diagnosed({ error: 'access_denied' }, { evidence: REVOKED }).certain).toBe(false);
  });

  it('knows its own doing: Google states the end of grants also where the gateway asked for it', () => {
    const ours = { evidence: REVOKED, endedWithSharer: true, endedWithSharerAtEpochSec: DIED - 30 };
    expect(diagnosed({ error: 'invalid_grant' }, ours)).toMatchObject({ cause: 'shared_grant_ended', certain: true });
    const later = { ...ours, endedWithSharerAtEpochSec: DIED + 3600 };
    expect(diagnosed({ error: 'invalid_grant' }, later)).toMatchObject({ cause: 'user_revoked', certain: true });
  });

  it('RI-10: replaces a guess, once, and nothing that was certain', () => {
    const guess = diagnosed({ error: 'invalid_grant' }, {});
    expect(guess.certain).toBe(false);
    const proven = deathWithEvidence(guess, REVOKED, undefined, google);
    expect(proven).toMatchObject({ certain: true, since: guess.since, providerError: 'invalid_grant' });
    if (proven === undefined) throw new Error('Nothing was proven');
    expect(deathWithEvidence(proven, REVOKED, undefined, google)).toBeUndefined();
    const denied = diagnosed({ error: 'access_denied' }, {});
    expect(deathWithEvidence(denied, REVOKED, undefined, google)).toBeUndefined();
  });
});

describe('prints of a token', () => {
  const TOKEN = '1//0abcdefghijklmnopqrstuvwxyz';
  // echo -n TOKEN | openssl sha512 -binary | openssl sha512 -binary | base64
  const TWICE = 'EOiK4/AZqIs/aeU1dL/hnZm7+cSA4HDViXLJx+aIi/Gcq+olzAApjCYGdi6LRKGAypPGxAyYda5kB10sQGJuqg==';

  it('RI-14: prints of a token are digests, the same for every alphabet of Base64, and no part of it', () => {
    const [byPrefix, byHash] = printsOfToken(TOKEN);
    expect(tokenPrint({ by: 'prefix', value: TOKEN.slice(0, 16) })).toBe(byPrefix);
    expect(tokenPrint({ by: 'hash_base64_sha512_sha512', value: TWICE })).toBe(byHash);
    expect(TOKEN).not.toContain(String(byPrefix).slice(0, 8));
    const url = tokenPrint({ by: 'hash_base64_sha512_sha512', value: 'a-b_c' });
    expect(tokenPrint({ by: 'hash_base64_sha512_sha512', value: 'a+b/c==' })).toBe(url);
  });

  it('RI-14: prints of a token are kept of a connection in part, and only where its provider ever names a token', () => {
    const kept = keptPrints(TOKEN, true);
    expect(kept).toBe(printsOfToken(TOKEN).map(keptPrint).join(' '));
    // 12 bytes of each: short, and no two tokens are taken for one another.
    expect(kept).toMatch(/^[\w-]{16} [\w-]{16}$/);
    expect(printsOfToken(TOKEN).map((print) => Buffer.from(keptPrint(print), 'base64url').toString('hex'))).toEqual(
      printsOfToken(TOKEN).map((print) => print.slice(0, 24)),
    );
    for (const [token, endsAreStated] of [
      [TOKEN, false],
      [TOKEN, undefined],
      ['', true],
      [undefined, true],
    ] as const) {
      expect(keptPrints(token, endsAreStated)).toBeUndefined();
    }
  });
});
