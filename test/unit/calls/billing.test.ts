import { expect, it } from 'vitest';
import { billableOf } from '../../../lambdas/gateway/calls/billing.rules.ts';

const PRICES = { readOn: '2027-05-01', chargedFrom: '2027-04-01', answersADay: 1_000, usdPerMillionAnswers: undefined };
const PROJECTS = [
  { spent: 900, atEnd: 2_000 },
  { spent: 50, atEnd: 501_000 },
];

it('GA-28: answers above a billing account’s allowance have a price only where the data file has one', () => {
  expect(billableOf(PROJECTS, PRICES)).toEqual({
    answered: { spent: 950, atEnd: 503_000 },
    above: { spent: 0, atEnd: 502_000 },
    usd: undefined,
  });
  expect(billableOf(PROJECTS, { ...PRICES, usdPerMillionAnswers: 3 }).usd).toEqual({ spent: 0, atEnd: 1.51 });
});

it('GA-28: nothing is said to be above an allowance that is not known', () => {
  const { above, usd } = billableOf(PROJECTS, { ...PRICES, answersADay: undefined, usdPerMillionAnswers: 3 });
  expect([above, usd]).toEqual([undefined, undefined]);
});
