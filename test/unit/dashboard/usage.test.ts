import { describe, expect, it } from 'vitest';
import type { Usage } from '../../../packages/client/src/index.ts';
import { usageRemarks } from '../../../packages/dashboard/src/model/usage.ts';

const NOW = Date.parse('2026-03-02T12:00:00Z');
const usage = (told: Partial<Usage>): Usage => ({
  ...{ from: '2026-02-17', to: '2026-03-02', rows: [] },
  ...{ countedUntil: '2026-03-02T11:57:00Z', missingCalls: 0, incomplete: [] },
  ...told,
});

describe('BK-23: what is not among the counts of calls', () => {
  it('what is not among the counts of calls is nothing when all was counted: the chart says until when', () => {
    expect(usageRemarks(usage({}), NOW)).toEqual({
      covers: 'Counted until Mar 2, 2026, 11:57 AM UTC.',
      warnings: [],
    });
  });

  it('what is not among the counts of calls is shown before the first count, without a warning', () => {
    const { covers, warnings } = usageRemarks(usage({ countedUntil: undefined }), NOW);
    expect(covers).toBe('No call is counted yet; a call is counted within five minutes of its end.');
    expect(warnings).toEqual([]);
  });

  it.each([
    [1, '1 call of these days'],
    [1234, '1,234 calls of these days'],
  ])('names how many left no line: %i', (missingCalls, words) => {
    expect(usageRemarks(usage({ missingCalls }), NOW).covers).toContain(`${words}, of any account, left no line`);
  });

  it('warns from a quarter of an hour on that counting is late', () => {
    expect(usageRemarks(usage({ countedUntil: '2026-03-02T11:45:00Z' }), NOW).warnings).toEqual([]);
    expect(usageRemarks(usage({ countedUntil: '2026-03-02T11:44:00Z' }), NOW).warnings).toEqual([
      'Calls since Mar 2, 2026, 11:44 AM UTC are not counted yet. Normally it takes five minutes.',
    ]);
  });

  it('warns of times whose calls are lost: three in full, the number of all others', () => {
    const gap = (hour: number) => ({ from: `2026-03-01T0${hour}:00:00Z`, to: `2026-03-01T0${hour}:30:00Z` });
    expect(usageRemarks(usage({ incomplete: [gap(1)] }), NOW).warnings).toEqual([
      'Calls from Mar 1, 2026, 1:00 AM UTC to Mar 1, 2026, 1:30 AM UTC are missing: the proxy’s log no longer had them when they were to be counted.',
    ]);
    const { warnings } = usageRemarks(usage({ incomplete: [1, 2, 3, 4, 5].map(gap) }), NOW);
    expect(warnings).toHaveLength(4);
    expect(warnings[3]).toBe('Calls of 2 more times are missing for the same reason.');
  });
});
