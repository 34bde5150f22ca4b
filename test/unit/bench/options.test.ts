import { expect, test } from 'vitest';
import { MEASURE_NAMES, parseOptions } from '../../../bench/options.ts';

test('without arguments everything is measured at length and nothing is written', () => {
  expect(parseOptions([])).toEqual({ help: false, measures: MEASURE_NAMES, quick: false, jsonFile: undefined });
});

test('names several measurements in the order given', () => {
  expect(parseOptions(['--only', 'memory, cpu', '--quick', '--json', 'out.json'])).toEqual({
    help: false,
    measures: ['memory', 'cpu'],
    quick: true,
    jsonFile: 'out.json',
  });
});

test.each([
  [['--only', 'speed'], /--only takes cpu, calls, cold, memory, not "speed"/],
  [['--fast'], /--fast[\s\S]*npm run bench -- --help/],
  [['cpu'], /cpu[\s\S]*npm run bench -- --help/],
])('refuses %j and says what is possible', (args, message) => {
  expect(() => parseOptions(args)).toThrow(message);
});
