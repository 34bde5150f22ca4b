/** The command line of `npm run bench`. */
import { readArguments } from './arguments.ts';

export const MEASURE_NAMES = ['cpu', 'book', 'calls', 'cold', 'memory'] as const;
export type MeasureName = (typeof MEASURE_NAMES)[number];

/** What to measure, how long, and where the numbers go. */
export interface BenchOptions {
  readonly help: boolean;
  readonly measures: readonly MeasureName[];
  /** Fewer rounds and calls: a look, not a result. */
  readonly quick: boolean;
  readonly jsonFile: string | undefined;
}

export const USAGE = `Measures the gateway's speed and memory as ratios inside one run. Loopback only; nothing is written unless asked for.

  npm run bench -- [options]

  --only NAMES   some of ${MEASURE_NAMES.join(', ')}, separated by commas
  --quick        fewer rounds: a look, not a result
  --json FILE    write every number to FILE, such as dev/bench/results.json
  --help         show this text`;

const OPTIONS = {
  only: { type: 'string' },
  quick: { type: 'boolean' },
  json: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Reads the arguments. @throws Error naming what is wrong and where the usage is. */
export function parseOptions(args: readonly string[]): BenchOptions {
  const { values } = readArguments(args, OPTIONS, 'npm run bench');
  const named = values.only === undefined ? [...MEASURE_NAMES] : values.only.split(',').map((name) => name.trim());
  const measures = named.map((name) => {
    const known = MEASURE_NAMES.find((measure) => measure === name);
    if (known === undefined) throw new Error(`--only takes ${MEASURE_NAMES.join(', ')}, not "${name}".`);
    return known;
  });
  return { help: values.help ?? false, measures, quick: values.quick ?? false, jsonFile: values.json };
}
