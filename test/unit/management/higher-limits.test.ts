import { describe, expect, it } from 'vitest';
import { PROVIDERS } from '../../../lambdas/gateway/providers/catalogue.ts';
import { higherLimitRows } from '../../../lambdas/management/overview/higher-limits.ts';
import { integrationRow } from './support/rows.ts';

const DAY_SEC = 86_400;
const END_SEC = Date.parse('2027-04-01T00:00:00Z') / 1000;
const calendar = (integrationId: string, displayName: string, project: string, perMinute: number | undefined) =>
  integrationRow({
    integrationId,
    displayName,
    provider: 'google-calendar',
    credentialsSource: 'own',
    clientId: `${project}-a.apps.googleusercontent.com`,
    ...(perMinute === undefined ? {} : { quota: { perMinute } }),
  });
const ALL = [
  calendar('one', 'Sales', '42', 1_000_000),
  calendar('two', 'Support', '42', 1_000_000),
  calendar('three', 'Other', '43', undefined),
];

describe('higher limits that end', () => {
  it.each([
    [90, 'warning'],
    [8, 'warning'],
    [7, 'error'],
    [1, 'error'],
  ])(
    'GA-28: higher limits that end are one row per Cloud project with the names of its integrations %i days before',
    (days, severity) => {
      const rows = higherLimitRows(ALL, PROVIDERS, END_SEC - days * DAY_SEC);
      expect(rows.map(({ explanation: _, steps: __, ...row }) => row)).toEqual([
        expect.objectContaining({ title: 'Higher limits of Sales, Support end on 1 April 2027', count: 2, severity }),
      ]);
      expect(rows[0]?.explanation).toMatch(days === 1 ? /^In 1 day / : new RegExp(`^In ${days} days `));
    },
  );

  it('GA-28: higher limits that end end on the day that is stated, and never in another tier without one', () => {
    const scaled = {
      ...calendar('one', 'Sales', '42', undefined),
      quota: { perMinute: 1_000_000, tier: 'scaled', until: '2028-01-01' },
    };
    const internal = {
      ...calendar('two', 'Support', '43', undefined),
      quota: { perMinute: 1_000_000, tier: 'internal' },
    };
    const titles = (nowSec: number) => higherLimitRows([scaled, internal], PROVIDERS, nowSec).map(({ title }) => title);
    expect(titles(END_SEC - DAY_SEC)).toEqual([]);
    expect(titles(Date.parse('2027-12-30') / 1000)).toEqual(['Higher limits of Sales end on 1 January 2028']);
  });

  it.each([
    ['more than 90 days before', END_SEC - 90 * DAY_SEC - 1],
    ['once they have ended', END_SEC],
  ])('GA-28: higher limits that end are no row %s', (_when, nowSec) => {
    expect(higherLimitRows(ALL, PROVIDERS, nowSec)).toEqual([]);
  });
});
