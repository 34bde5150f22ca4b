import fc from 'fast-check';
import { test } from 'vitest';
import { histories, play } from './histories.ts';
import { historiesAsked } from './support/histories-asked.ts';

/** `npm run test:feeds` plays ten thousand. */
const HISTORIES = historiesAsked(200);

test('CF-21, CF-24, CF-32: after any history of changes, lost messages, killed processes, turns that meet, clocks that jump, dead grants and forgotten positions a consumer ends with what Google has', {
  tags: ['drawn'],
  timeout: HISTORIES.timeout,
}, async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (steps) => {
      await play(steps);
    }),
    { numRuns: HISTORIES.numRuns, ...HISTORIES.seed },
  );
});
