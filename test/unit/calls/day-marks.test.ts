import { expect, it } from 'vitest';
import { MemoryTable } from '../../../dev/support/memory-table.ts';
import { dayMarks } from '../../../lambdas/gateway/calls/day-marks.store.ts';
import { thresholdTeller } from '../../../lambdas/gateway/calls/tell-once.ts';
import { markedQuota } from '../../../lambdas/gateway/calls/threshold.rules.ts';
import { newItemWriter } from '../../../lambdas/gateway/events/event.store.ts';
import { newEvent } from '../../../lambdas/gateway/events/lifecycle-event.rules.ts';

it('PC-25: a share of the day that was told is read by project, API, day and share, and by nobody else', async () => {
  const { table } = new MemoryTable();
  const nowMs = Date.parse('2026-03-01T20:00:00Z');
  const random = { bytes: (length: number) => new Uint8Array(length), number: () => 0 };
  const event = newEvent({ nowMs: () => nowMs }, random, 'QuotaReached', {
    subject: { accountId: 'acme' },
    sequence: 0,
    says: {},
    requestId: 'r',
  });
  const what = markedQuota('google-drive', '42', 'units');
  const mark = { accountId: 'acme', what, day: '2026-03-01', percent: 80, goneAfterEpochSec: 2_000_000_000 } as const;
  await thresholdTeller(newItemWriter(table)).tell(mark, event);
  const marks = dayMarks(table);
  const project = { provider: 'google-drive', cloudProject: '42' };
  const asked = [
    marks.isReached('acme', project, 80, nowMs),
    marks.isReached('acme', project, 100, nowMs),
    marks.isReached('acme', { ...project, cloudProject: '43' }, 80, nowMs),
    marks.isReached('acme', { ...project, provider: 'google-calendar' }, 80, nowMs),
    marks.isReached('other', project, 80, nowMs),
    // Google's day begins at eight in the morning, UTC.
    marks.isReached('acme', project, 80, nowMs + 12 * 3_600_000),
    marks.isReached('acme', project, 80, nowMs + 11 * 3_600_000),
  ];
  expect(await Promise.all(asked)).toEqual([true, false, false, false, false, false, true]);
});
