import { expect, it } from 'vitest';
import { createOutages } from '../../../packages/dashboard/src/data/outages.ts';

it('an outage is shown by the oldest value, and is over when the last one is taken away', () => {
  const outages = createOutages();
  const seen: (number | undefined)[] = [];
  outages.subscribe(() => seen.push(outages.current()?.sinceMs));
  const endNewer = outages.report({ sinceMs: 2, error: undefined });
  const endOlder = outages.report({ sinceMs: 1, error: undefined });
  endOlder();
  endNewer();
  expect(seen).toEqual([2, 1, 2, undefined]);
});
