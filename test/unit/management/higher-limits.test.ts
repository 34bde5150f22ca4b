import { describe, expect, it } from 'vitest';
import { HIGHER_LIMITS_SHOWN_SEC } from '../../../lambdas/gateway/core/limits.ts';
import { PROVIDERS } from '../../../lambdas/gateway/providers/catalogue.ts';
import { higherLimitRows } from '../../../lambdas/management/overview/higher-limits.ts';
import { integrationRow } from './support/rows.ts';

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

describe('higher limits that Google ends', () => {
  it('are one row per Cloud project with the names of its integrations, in the months before', () => {
    const rows = higherLimitRows(ALL, PROVIDERS, END_SEC - 3600);
    expect(rows.map(({ title, count, severity }) => ({ title, count, severity }))).toEqual([
      { title: 'Higher limits of Sales, Support end on 1 April 2027', count: 2, severity: 'warning' },
    ]);
  });

  it.each([
    ['long before', END_SEC - HIGHER_LIMITS_SHOWN_SEC - 1],
    ['once they have ended', END_SEC],
  ])('are no row %s', (_when, nowSec) => {
    expect(higherLimitRows(ALL, PROVIDERS, nowSec)).toEqual([]);
  });
});
