import fc from 'fast-check';
import { test } from 'vitest';
import { drawn } from '../../support/draws.ts';
import { histories, play } from './histories.ts';

/** `npm run test:feeds` plays ten thousand. */
const HISTORIES = Number(process.env.FEED_HISTORIES ?? drawn(200));

test('CF-21, CF-24, CF-32: after any history of changes, lost messages, killed processes, turns that meet, clocks that jump, dead grants and forgotten positions a consumer ends with what Google has', {
  tags: ['drawn'],
  timeout: Math.max(240_000, HISTORIES * 100),
}, async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (steps) => {
      await play(steps);
    }),
    { numRuns: HISTORIES },
  );
});
