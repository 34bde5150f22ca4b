import { describe, expect, it } from 'vitest';
import { fake } from '../../../dev/support/fake.ts';
import type { ReachedShare } from '../../../lambdas/gateway/calls/ports.ts';
import { PROVIDERS } from '../../../lambdas/gateway/providers/catalogue.ts';
import { quotaRisks } from '../../../lambdas/management/integrations/quota-risks.ts';
import { integrationRow } from './support/rows.ts';

const CALENDAR = integrationRow({
  integrationId: 'calendar',
  provider: 'google-calendar',
  credentialsSource: 'own',
  clientId: '42-a.apps.googleusercontent.com',
});
const DAY = 1_000_000;
const NOW = Date.parse('2026-12-01');

const told = (percent: string, day: string, changes: Record<string, string> = {}): ReachedShare => ({
  says: {
    provider: 'google-calendar',
    cloud_project: '42',
    quota: 'units',
    percent,
    most: String(DAY),
    day,
    ...changes,
  },
  integrationId: undefined,
  connectionId: undefined,
  reportedAtEpochSec: Date.parse(day) / 1000,
});

function risksOf(shares: readonly ReachedShare[], integration = CALENDAR, nowMs = NOW) {
  return quotaRisks(
    {
      providers: PROVIDERS,
      clock: { nowMs: () => nowMs },
      clientIds: fake({ clientIdOf: async () => undefined }),
      reachedShares: { ofAccount: async () => shares },
    },
    integration,
  );
}

describe('what readiness says of quotas', () => {
  it('PC-3: a project without a quota of its own whose day was nearly used up is to look what it has', async () => {
    expect(await risksOf([told('50', '2026-03-01')])).toEqual([]);
    const [risk, ...others] = await risksOf([
      told('80', '2026-03-02'),
      told('100', '2026-03-01'),
      told('100', '2026-03-03', { cloud_project: '43' }),
      told('100', '2026-03-03', { provider: 'google-drive' }),
    ]);
    expect(others).toEqual([]);
    expect(risk).toMatch(
      /^On 2026-03-01 calls used all of the 1,000,000 units that are the daily threshold of new Cloud projects/,
    );
    expect(risk).toContain('set them as quota');
    expect(risk).toContain('depends on the project’s tier');
  });

  it('PC-3: a report about an earlier quota is no risk, and the project’s own quota is named as such', async () => {
    const own = { ...CALENDAR, quota: { perDay: 2_000_000 } };
    expect(await risksOf([told('100', '2026-03-01')], own)).toEqual([]);
    const [risk] = await risksOf([told('80', '2026-03-01', { most: '2000000' })], own);
    expect(risk).toMatch(
      /used 80 % of the 2,000,000 units that are the daily threshold of Cloud project 42 .*Correct quota/,
    );
  });

  it('PC-3: names the date on which Google ends limits above the Standard tier', async () => {
    expect(await risksOf([], { ...CALENDAR, quota: { perMinute: 9_000, perDay: null } })).toEqual([]);
    const [risk] = await risksOf([], { ...CALENDAR, quota: { perMinute: 20_000 } });
    expect(risk).toMatch(/^quota is higher than Google’s Standard tier and has no until\. .*1 April 2027/);
  });

  it('GA-28: names the stated end of limits, and afterwards that the Standard tier counts', async () => {
    const own = { ...CALENDAR, quota: { perMinute: 20_000, tier: 'scaled', until: '2028-02-01' } };
    expect(await risksOf([], own)).toEqual([expect.stringMatching(/end on 1 February 2028 \(tier scaled\)/)]);
    expect(await risksOf([], own, Date.parse('2028-02-01'))).toEqual([
      expect.stringMatching(/ended on 1 February 2028, and the gateway counts Google’s Standard tier/),
    ]);
    expect(await risksOf([], { ...CALENDAR, quota: { perMinute: 20_000, tier: 'internal' } })).toEqual([]);
  });
});
