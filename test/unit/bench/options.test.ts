import { expect, test } from 'vitest';
import { parseDayOptions } from '../../../dev/bench/day/options.ts';
import { parseFeedOptions } from '../../../dev/bench/feeds/options.ts';
import { parseMemoryOptions } from '../../../dev/bench/memory-size/options.ts';
import { MEASURE_NAMES, parseOptions } from '../../../dev/bench/options.ts';
import { parseScaleOptions } from '../../../dev/bench/scale/options.ts';
import { parseSweepOptions } from '../../../dev/bench/sweep/options.ts';

test('without arguments everything is measured at length and nothing is written', () => {
  const nothing = { help: false, quick: false, jsonFile: undefined, resume: false, page: false };
  expect(parseOptions([])).toEqual({ ...nothing, measures: MEASURE_NAMES });
  expect(parseOptions(['--resume', '--page'])).toMatchObject({ resume: true, page: true });
  expect(parseFeedOptions([])).toMatchObject({ feeds: [1_000, 10_000, 100_000], due: 1_000, watched: 50, rate: 1_000 });
  expect(parseMemoryOptions([]).sizes).toEqual([256, 384, 512, 1024, 1769]);
});

test('names several measurements in the order given, and sizes once each from the smallest', () => {
  const measures = ['memory', 'cpu'];
  const chosen = { help: false, measures, quick: true, jsonFile: 'out.json', resume: false, page: false };
  expect(parseOptions(['--only', 'memory, cpu', '--quick', '--json', 'out.json'])).toEqual(chosen);
  const feeds = { only: ['storm', 'brakes'], seconds: 10 };
  expect(parseFeedOptions(['--only', 'storm,brakes', '--seconds', '10'])).toMatchObject(feeds);
  const sizes = { sizes: [384, 640], quick: true };
  expect(parseMemoryOptions(['--sizes', '640, 384,640', '--quick'])).toMatchObject(sizes);
});

const PARSERS: Record<string, (args: string[]) => unknown> = {
  bench: parseOptions,
  'bench:feeds': parseFeedOptions,
  'bench:memory': parseMemoryOptions,
  'bench:day': parseDayOptions,
  'bench:sweep': parseSweepOptions,
  'bench:scale': parseScaleOptions,
};

test.each<[command: string, args: string, message: RegExp]>([
  ['bench', '--only speed', /--only takes cpu, book, calls, cold, memory, not "speed"/],
  ['bench', '--page --quick', /--page takes a whole run/],
  ['bench', '--page --only cpu', /--page takes a whole run/],
  ['bench', '--fast', /--fast[\s\S]*npm run bench -- --help/],
  ['bench', 'cpu', /cpu[\s\S]*npm run bench -- --help/],
  ['bench:feeds', '--only all', /--only takes some of reads/],
  ['bench:feeds', '--feeds 10', /cannot hold 1000/],
  ['bench:feeds', '--seconds 601', /at most 600/],
  ['bench:memory', '--sizes 0', /whole number from 1/],
  ['bench:memory', '--sizes all', /whole number from 1/],
  ['bench:memory', '--rounds 3', /npm run bench:memory -- --help/],
  ['bench:day', '--only work,rain', /not "rain"/],
  ['bench:day', '--connections 0', /--connections/],
  ['bench:sweep', '--rows 10,x', /not "x"/],
  ['bench:sweep', '--rows 10 --due 11', /cannot hold 11/],
  ['bench:scale', '--sizes 10:x', /not "x"/],
  ['bench:scale', '--heap much', /--heap takes a whole number/],
  ['bench:sweep', '--speed', /bench:sweep -- --help/],
])('%s refuses %s and says what is possible', (command, args, message) => {
  expect(() => PARSERS[command]?.(args.split(' '))).toThrow(message);
});
