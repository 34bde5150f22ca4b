import { expect, test } from 'vitest';
import { parseFeedOptions } from '../../../bench/feeds/options.ts';

test('the benchmark of feeds measures everything at three sizes unless told otherwise, and ends by itself', () => {
  expect(parseFeedOptions([])).toMatchObject({ feeds: [1_000, 10_000, 100_000], due: 1_000, watched: 50, rate: 1_000 });
  expect(parseFeedOptions(['--only', 'storm,brakes', '--seconds', '10'])).toMatchObject({
    only: ['storm', 'brakes'],
    seconds: 10,
  });
  expect(() => parseFeedOptions(['--only', 'all'])).toThrow(/--only takes some of reads/);
  expect(() => parseFeedOptions(['--feeds', '10'])).toThrow(/cannot hold 1000/);
  expect(() => parseFeedOptions(['--seconds', '601'])).toThrow(/at most 600/);
});
