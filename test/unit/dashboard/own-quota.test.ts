import { expect, it } from 'vitest';
import {
  draftOfQuota,
  quotaOfDraft,
  quotaProblem,
  untilProblem,
} from '../../../packages/dashboard/src/model/own-quota.ts';

it('PC-3, GA-25, GA-28: the form of a quota has what is saved, and asks for the same', () => {
  const quotas = [
    { countedIn: 'requests', perMinute: 12_000, perMinuteAndUser: 12_000, perDay: null, bytesOutPerDay: null },
    { perDay: 2_000_000 },
    { perMinute: 20_000, tier: 'scaled', billingAccount: '01ABCD-234567-89EFAB', until: '2028-01-01' },
    { toolRequestsPerDay: 10_000, toolKeys: 3 },
  ] as const;
  for (const quota of quotas) expect(quotaOfDraft(draftOfQuota(quota))).toEqual(quota);
  expect(quotaOfDraft(draftOfQuota(undefined))).toBeNull();
});

it('PC-3: numbers are taken as Google’s console writes them, and what is none is said to be wrong', () => {
  expect(quotaOfDraft({ ...draftOfQuota(undefined), perMinute: ' 12,000 ', perDay: 'None' })).toEqual({
    perMinute: 12_000,
    perDay: null,
  });
  for (const typed of ['', '1', '12,000', '12\u202f000']) expect(quotaProblem('perMinute', typed)).toBeUndefined();
  for (const typed of ['0', '-1', '1.5', 'many', 'none']) expect(quotaProblem('perMinute', typed)).toBeDefined();
  expect(quotaProblem('perDay', 'none')).toBeUndefined();
});

it('GA-28: a day that is not in the calendar is said to be wrong before the API refuses it', () => {
  for (const typed of ['', ' 2027-04-01 ', '2028-02-29']) expect(untilProblem(typed)).toBeUndefined();
  for (const typed of ['2027-02-31', '2027-02-29', '2027-13-01', '2027-4-1', 'April']) {
    expect(untilProblem(typed)).toBe('Enter a day such as 2027-04-01.');
  }
});
