import { describe, expect, it } from 'vitest';
import { endOfOwnLimits, lacksEnd, projectQuota } from '../../../lambdas/gateway/providers/project-quota.rules.ts';

const STANDARD = { perMinute: 10_000, perMinuteAndUser: 600, perDay: 1_000_000 };
const HIGHER = { perMinute: 20_000, perMinuteAndUser: 300, perDay: null };
const END = Date.parse('2027-04-01');

describe('limits of a Cloud project above the Standard tier', () => {
  it('GA-28: limits of a Cloud project above the Standard tier count until 1 April 2027, and from then on where they are lower than Standard', () => {
    expect(projectQuota(STANDARD, HIGHER, END - 1)).toEqual({
      countsRequests: false,
      perMinute: 20_000,
      perMinuteAndUser: 300,
    });
    expect(projectQuota(STANDARD, HIGHER, END)).toEqual({
      countsRequests: false,
      perMinute: 10_000,
      perMinuteAndUser: 300,
      perDay: 1_000_000,
    });
  });

  it.each(['scaled', 'internal'])(
    'GA-28: limits of a Cloud project above the Standard tier do not end in the tier %s, unless a day is stated',
    (tier) => {
      expect(endOfOwnLimits(STANDARD, { ...HIGHER, tier })).toBeUndefined();
      expect(projectQuota(STANDARD, { ...HIGHER, tier }, END)?.perMinute).toBe(20_000);
      const stated = { ...HIGHER, tier, until: '2027-06-30' };
      expect(projectQuota(STANDARD, stated, Date.parse('2027-06-30'))?.perMinute).toBe(10_000);
    },
  );

  it('GA-28: limits of a Cloud project above the Standard tier lack an end where neither the tier nor a day says one', () => {
    expect(lacksEnd(STANDARD, HIGHER)).toBe(true);
    expect(lacksEnd(STANDARD, { ...HIGHER, tier: 'standard' })).toBe(true);
    for (const stated of [{ tier: 'scaled' }, { tier: 'internal' }, { until: '2027-04-01' }, { perMinute: 5_000 }]) {
      expect(lacksEnd(STANDARD, { ...HIGHER, ...stated })).toBe(false);
    }
  });

  it('GA-28: limits of a project that counts requests end on a stated day only, and units count from then on', () => {
    const requests = { countedIn: 'requests', perMinute: 12_000, perDay: null };
    expect(projectQuota(STANDARD, requests, END)).toMatchObject({ countsRequests: true, perMinute: 12_000 });
    expect(projectQuota(STANDARD, { ...requests, until: '2027-04-01' }, END)).toEqual({
      ...STANDARD,
      countsRequests: false,
    });
  });
});
