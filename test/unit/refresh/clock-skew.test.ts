import { expect, test } from 'vitest';
import { fake } from '../../../dev/support/fake.ts';
import { correctedClock, learnSkew, NO_SKEW } from '../../../lambdas/gateway/platform/clock.ts';
import { START_SEC } from './support/connection.ts';

const TRUE_MS = START_SEC * 1000;
const header = new Date(TRUE_MS).toUTCString();

test('one odd answer corrects nothing', () => {
  const odd = learnSkew(NO_SKEW, new Date(TRUE_MS + 86_400_000).toUTCString(), TRUE_MS);
  expect(odd.correctionMs).toBe(0);
  expect(learnSkew(odd, header, TRUE_MS).correctionMs).toBe(0);
});

test('an answer without a readable date teaches nothing', () => {
  expect(learnSkew(NO_SKEW, undefined, TRUE_MS)).toBe(NO_SKEW);
  expect(learnSkew(NO_SKEW, 'yesterday', TRUE_MS)).toBe(NO_SKEW);
});

test('a correction ends when the clock is set right', () => {
  const off = learnSkew(learnSkew(NO_SKEW, header, TRUE_MS + 300_000), header, TRUE_MS + 300_000);
  expect(off.correctionMs).toBe(-300_000);
  const righted = learnSkew(learnSkew(off, header, TRUE_MS), header, TRUE_MS);
  expect(righted.correctionMs).toBe(0);
});

test.each([
  [900, 0],
  [30_000, 0],
  [30_001, -30_001],
  [-30_000, 0],
  [-30_001, 30_001],
])('a clock that is %i ms ahead is corrected by %i ms', (aheadMs, correctionMs) => {
  const seen = learnSkew(NO_SKEW, header, TRUE_MS + aheadMs);
  expect(learnSkew(seen, header, TRUE_MS + aheadMs).correctionMs).toBe(correctionMs);
});

test('two answers agree within five seconds of each other', () => {
  const seen = learnSkew(NO_SKEW, header, TRUE_MS + 100_000);
  expect(learnSkew(seen, header, TRUE_MS + 105_000)).toEqual({ correctionMs: -105_000, lastSeenMs: -105_000 });
  expect(learnSkew(seen, header, TRUE_MS + 105_001)).toEqual({ correctionMs: 0, lastSeenMs: -105_001 });
});

test('a correction stays what it is while the clock drifts within five seconds of it', () => {
  const off = { correctionMs: -100_000, lastSeenMs: -100_000 };
  expect(learnSkew(off, header, TRUE_MS + 105_000).correctionMs).toBe(-100_000);
  const drifting = { ...off, lastSeenMs: -103_000 };
  expect(learnSkew(drifting, header, TRUE_MS + 105_001).correctionMs).toBe(-105_001);
  const one = { correctionMs: -100_000, lastSeenMs: undefined };
  expect(learnSkew(one, header, TRUE_MS)).toEqual({ correctionMs: -100_000, lastSeenMs: 0 });
});

test('F27: a clock that is a day ahead shows the true time after two answers', async () => {
  const { clock, listenTo } = correctedClock({ nowMs: () => TRUE_MS + 86_400_000 });
  const upstream = listenTo(
    fake({ send: async () => ({ status: 200, headers: [['Date', header]], body: undefined }) }),
  );
  await upstream.send(fake({}));
  await upstream.send(fake({}));
  expect(Math.abs(clock.nowMs() - TRUE_MS)).toBeLessThan(1_000);
});
