// @module-tag long
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';

const COUNT_HOUR = join(PROJECT_ROOT, 'dev/bench/scale/count-hour.ts');

/** `npm run bench:scale -- --faults` replays ten million, in seconds. */
test.each([1, 2])(
  'a hundred thousand lines are counted once each, with late lines, lost answers and replies, and two ticks at once: seed %i (BK-22, BK-23)',
  async (seed) => {
    const args = [COUNT_HOUR, '1000', '72000000', String(seed), '1'];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(JSON.parse(stdout)).toMatchObject({ callsCounted: 100_000, wrong: 0 });
  },
);
