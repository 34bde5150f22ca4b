import { clockRows } from './rows/clock.ts';
import { describeRows } from './support/describe-rows.ts';

for (const minutes of [5, -5, 1440, -1440]) {
  describeRows(`clocks off by ${minutes} minutes`, clockRows, { clockOffsetMs: minutes * 60_000 });
}
