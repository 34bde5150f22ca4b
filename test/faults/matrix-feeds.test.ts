import { vi } from 'vitest';
import { deliveryRows } from './rows/deliveries.ts';
import { feedClockRows } from './rows/feed-clock.ts';
import { feedRows } from './rows/feeds.ts';
import { describeRows } from './support/describe-rows.ts';

// Dozens of connections and feeds of one row take their time where they share two processors with others.
vi.setConfig({ testTimeout: 300_000 });
describeRows('feeds and deliveries', [...feedRows, ...deliveryRows], { rules: true });
// Ahead by less than the time limit of a function, which a clock of its own gives: that of the inbox is 15 seconds.
for (const [name, seconds, clockOf] of [
  ['feeds off by 2 minutes', 120, ['feeds', 'deliver']],
  ['feeds and their inbox off by 5 seconds', 5, ['feeds', 'inbox', 'deliver']],
  ['feeds off by -10 minutes', -600, ['feeds', 'inbox', 'deliver']],
] as const) {
  describeRows(`clocks of ${name}`, feedClockRows, { clockOffsetMs: seconds * 1000, clockOf, rules: true });
}
