import { expect, test } from 'vitest';
import { parseDayOptions } from '../../../bench/day/options.ts';
import { parseFeedOptions } from '../../../bench/feeds/options.ts';
import { parseMemoryOptions } from '../../../bench/memory-size/options.ts';
import { MEASURE_NAMES, parseOptions } from '../../../bench/options.ts';
import { parseSweepOptions } from '../../../bench/sweep/options.ts';

test('without arguments everything is measured at length and nothing is written', () => {
  expect(parseOptions([])).toEqual({ help: false, measures: MEASURE_NAMES, quick: false, jsonFile: undefined });
  expect(parseFeedOptions([])).toMatchObject({ feeds: [1_000, 10_000, 100_000], due: 1_000, watched: 50, rate: 1_000 });
  expect(parseMemoryOptions([]).sizes).toEqual([256, 512, 1024, 1769]);
});

test('names several measurements in the order given, and sizes once each from the smallest', () => {
  const chosen = { help: false, measures: ['memory', 'cpu'], quick: true, jsonFile: 'out.json' };
  expect(parseOptions(['--only', 'memory, cpu', '--quick', '--json', 'out.json'])).toEqual(chosen);
  const feeds = { only: ['storm', 'brakes'], seconds: 10 };
  expect(parseFeedOptions(['--only', 'storm,brakes', '--seconds', '10'])).toMatchObject(feeds);
  const sizes = { sizes: [384, 640], quick: true };
  expect(parseMemoryOptions(['--sizes', '640, 384,640', '--quick'])).toMatchObject(sizes);
});

test.each<[parse: (args: string[]) => unknown, args: string[], message: RegExp]>([
  [parseOptions, ['--only', 'speed'], /--only takes cpu, calls, cold, memory, not "speed"/],
  [parseOptions, ['--fast'], /--fast[\s\S]*npm run bench -- --help/],
  [parseOptions, ['cpu'], /cpu[\s\S]*npm run bench -- --help/],
  [parseFeedOptions, ['--only', 'all'], /--only takes some of reads/],
  [parseFeedOptions, ['--feeds', '10'], /cannot hold 1000/],
  [parseFeedOptions, ['--seconds', '601'], /at most 600/],
  [parseMemoryOptions, ['--sizes', '0'], /whole number from 1/],
  [parseMemoryOptions, ['--sizes', 'all'], /whole number from 1/],
  [parseMemoryOptions, ['--rounds', '3'], /npm run bench:memory -- --help/],
  [parseDayOptions, ['--only', 'work,rain'], /not "rain"/],
  [parseDayOptions, ['--connections', '0'], /--connections/],
  [parseSweepOptions, ['--rows', '10,x'], /not "x"/],
  [parseSweepOptions, ['--rows', '10', '--due', '11'], /cannot hold 11/],
  [parseSweepOptions, ['--speed'], /bench:sweep -- --help/],
])('%o refuses %j and says what is possible', (parse, args, message) => {
  expect(() => parse(args)).toThrow(message);
});
