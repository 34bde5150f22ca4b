import { expect, it } from 'vitest';
import type { DayQuota, ProjectQuota } from '../../../packages/client/src/index.ts';
import {
  billingSentences,
  partQuotaBars,
  quotaBars,
  quotasRunningOut,
  toolSentences,
} from '../../../packages/dashboard/src/model/quota.ts';

const day = (share: number, forecastShare: number, limit = 400_000_000): DayQuota => ({
  used: share * limit,
  limit,
  share,
  forecast: forecastShare * limit,
  forecastShare,
});
const NONE: DayQuota = { used: 5, limit: undefined, share: undefined, forecast: 9, forecastShare: undefined };
const project = (parts: Partial<ProjectQuota>): ProjectQuota => ({
  provider: 'google-drive',
  cloudProject: '123',
  integrations: [],
  units: NONE,
  bytesOut: NONE,
  busiestMinute: undefined,
  unitsPerMinuteAndUser: undefined,
  ...parts,
});

it('PC-25: the overview shows each limit of Google’s day, the fullest first, with what is used and expected', () => {
  const bars = quotaBars(
    [
      project({ units: day(0.3033, 0.665), bytesOut: day(0.009, 0.02, 1e12) }),
      project({ provider: 'google-calendar', units: day(0.5, 0.7, 1_000_000) }),
    ],
    String,
  );
  expect(bars.map(({ label, says }) => [label, says])).toEqual([
    ['Calendar requests, project 123', '50 % of today’s 1M used (500K); 70 % expected by the end of the day (700K).'],
    ['Drive units, project 123', '30 % of today’s 400M used (121.3M); 66 % expected by the end of the day (266M).'],
    [
      'Drive bytes out, project 123',
      'Less than 1 % of today’s 1 TB used (9 GB); 2 % expected by the end of the day (20 GB).',
    ],
  ]);
});

it('PC-25: a share below one percent is said to be that, wherever it stands in the sentence', () => {
  const [bar] = quotaBars([project({ units: day(0, 0.001) })], String);
  expect(bar?.says).toBe('0 % of today’s 400M used (0); less than 1 % expected by the end of the day (400K).');
});

it.each([
  [0.1, 0.79, 'fine'],
  [0.1, 0.8, 'near'],
  [0.85, 0.9, 'near'],
  [0.2, 1, 'over'],
  [1.3, 1.4, 'over'],
] as const)('PC-25: a limit that is used to %d and will be to %d is %s', (share, forecastShare, state) => {
  expect(quotaBars([project({ units: day(share, forecastShare) })], String)).toMatchObject([{ share, state }]);
});

it('PC-25: the overview says what of a day feeds and checks took, and when its shares were passed', () => {
  const [units, bytesOut] = quotaBars(
    [
      project({
        units: day(0.81, 0.9),
        bytesOut: day(0.5, 0.6, 1e12),
        backgroundUnits: 2_880_000,
        countedIn: 'requests',
        reached: [
          { of: 'units', percent: 50, at: '10:00' },
          { of: 'bytes_out', percent: 50, at: '11:00' },
          { of: 'units', percent: 80, at: '12:00' },
        ],
      }),
    ],
    (at) => `${at} h`,
    String,
    ['feeds', 'checks'],
  );
  expect([units?.label, units?.details]).toEqual([
    'Drive requests, project 123',
    '2.9M of it by feeds and checks. Passed 50 % at 10:00 h, 80 % at 12:00 h.',
  ]);
  expect(bytesOut?.details).toBe('Passed 50 % at 11:00 h.');
});

it('GA-28: 2xx answers are said apart from calls, and those above the allowance without a price that is not known', () => {
  const counted = { calls: { used: 2_000, forecast: 4_000 }, answered: { used: 1_900, forecast: 3_800 } };
  expect(quotaBars([project({ units: day(0.1, 0.2), ...counted })], String)[0]?.details).toBe(
    '1.9K of 2K calls had a 2xx answer.',
  );
  const scaled = {
    provider: 'google-calendar',
    billingAccount: '01ABCD-234567-89EFAB',
    cloudProjects: ['42'],
    answered: { used: 900_000, forecast: 1_200_000 },
    allowance: 1_000_000,
    aboveAllowance: { used: 0, forecast: 200_000 },
    usd: undefined,
    chargedFrom: '2027-04-01',
    pricesReadOn: '2026-11-28',
  };
  expect(
    billingSentences([
      scaled,
      { ...scaled, billingAccount: undefined, allowance: undefined, aboveAllowance: undefined },
    ]),
  ).toEqual([
    'Billing account 01ABCD-234567-89EFAB, Calendar: 1.2M calls with a 2xx answer expected today. 200K of them above the allowance of 1M. Their price is not known (as of 2026-11-28).',
    'Project 42, Calendar: 1.2M calls with a 2xx answer expected today. Google’s daily allowance is not known. Their price is not known (as of 2026-11-28).',
  ]);
  expect(billingSentences(undefined)).toEqual([]);
});

it('GA-25: what is left of the common half at an MCP server is never more than what is left of the day', () => {
  const tools = {
    ...{ provider: 'google-calendar', cloudProject: '42', integrations: ['assistant'] },
    ...{ used: 300, limit: 1_000, share: 0.3, keys: 4, perKey: 125, common: { used: 120, limit: 500 } },
  };
  const leftOf = (changes: Partial<typeof tools>) => toolSentences([{ ...tools, ...changes }])[0]?.split('; ')[1];
  expect(leftOf({})).toBe('380 more are left, first come, first served.');
  expect(leftOf({ used: 1_000 })).toBe('0 more are left, first come, first served.');
  expect(leftOf({ common: { used: 503, limit: 500 } })).toBe('0 more are left, first come, first served.');
});

it('PC-25: limits below 1 % that last the day are counted as well, and all others are shown', () => {
  const bars = quotaBars(
    [
      project({ units: day(0.009, 0.1), bytesOut: day(0.009, 1) }),
      project({ provider: 'google-calendar', units: day(0.01, 0.02) }),
    ],
    String,
  );
  const { shown, well } = partQuotaBars(bars);
  expect([shown.map(({ id }) => id), well]).toEqual([['google-calendar 123 units', 'google-drive 123 bytes_out'], 1]);
});

it('PC-25: a quota that runs out is named with its integrations, unless the gateway reports it already', () => {
  const bars = quotaBars([project({ units: day(0.4, 1.4), integrations: ['drive'] })], String, () => 'Sales');
  expect(quotasRunningOut(bars, []).map(({ names }) => names)).toEqual([['Sales']]);
  const reported = Object({ kind: 'budget', reason: 'quota.units', id: '123' });
  expect(quotasRunningOut(bars, [reported])).toEqual([]);
});
