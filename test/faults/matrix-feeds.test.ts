import { vi } from 'vitest';
import { deliveryRows } from './rows/deliveries.ts';
import { feedClockRows } from './rows/feed-clock.ts';
import { feedRows } from './rows/feeds.ts';
import { describeRows } from './support/describe-rows.ts';

// Dozens of connections and feeds of one row take their time where they share two processors with others.
vi.setConfig({ testTimeout: 300_000 });
describeRows('feeds and deliveries', [...feedRows, ...deliveryRows], { rules: true });
// Ahead by less than the time limit of a function, which a clock of its own gives.
for (const minutes of [2, -10]) {
  const clocks = { clockOffsetMs: minutes * 60_000, clockOf: ['feeds', 'inbox', 'deliver'] };
  describeRows(`clocks of feeds off by ${minutes} minutes`, feedClockRows, { ...clocks, rules: true });
}
