import { clockRows } from './rows/clock.ts';
import { describeRows } from './support/describe-rows.ts';

// Not a day ahead: a process would take its own time limit, given by another clock, for passed. That case is a unit test.
for (const minutes of [5, 10, -5, -1440]) {
  describeRows(`clocks off by ${minutes} minutes`, clockRows, { clockOffsetMs: minutes * 60_000 });
}
