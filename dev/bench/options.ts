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
  /** Keeps what runs of the last hour have measured, as after an interruption. */
  readonly resume: boolean;
  /** Writes the results into dev/bench/README.md. */
  readonly page: boolean;
}

export const USAGE = `Measures the gateway's speed and memory as ratios inside one run. Loopback only; nothing is written unless asked for.

  npm run bench -- [options]

  --only NAMES   some of ${MEASURE_NAMES.join(', ')}, separated by commas
  --quick        fewer rounds: a look, not a result
  --resume       measure only what a run of the last hour has not, such as one that was interrupted
  --page         write the results into dev/bench/README.md; not with --quick or --only
  --json FILE    write every number to FILE, such as dev/bench/results.json
  --help         show this text`;

const OPTIONS = {
  only: { type: 'string' },
  quick: { type: 'boolean' },
  json: { type: 'string' },
  resume: { type: 'boolean' },
  page: { type: 'boolean' },
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
  const { help = false, quick = false, resume = false, page = false, json: jsonFile } = values;
  if (page && (quick || values.only !== undefined)) {
    throw new Error('--page takes a whole run: leave out --quick and --only.\nSee npm run bench -- --help');
  }
  return { help, measures, quick, jsonFile, resume, page };
}
