/** The command line of `npm run bench:scale`. */
import { readArguments, wholeNumber } from '../arguments.ts';

/** Connections and their calls in a month. */
export interface ScaleSize {
  readonly connections: number;
  readonly callsPerMonth: number;
}

export interface ScaleOptions {
  readonly help: boolean;
  readonly sizes: readonly ScaleSize[];
  readonly seed: number;
  readonly heapMb: number;
  readonly jsonFile: string | undefined;
  /** Lines come late, answers and replies are lost, and two processes tick at once. */
  readonly faults: boolean;
  /** Instead of counting calls, shows which partition keys changes of connections write to. */
  readonly keys: boolean;
}

const DEFAULT_SIZES = '10000:1000000,100000:100000000,1000000:1000000000';
/** An hour of ten million lines. Their number costs little: the work grows with the connections of each minute. */
const REPLAYED_SIZES = '1000:7200000000';

export const SCALE_USAGE = `Counts an hour of calls, and the day of 24 such hours, by the gateway's own roll-up. The log and the table are in memory, and the
heap of the process is limited like the function's. Compares every connection's sum with the calls that were made.

  npm run bench:scale -- [options]

  --sizes LIST   connections:calls a month, separated by commas, default ${DEFAULT_SIZES},
                 with --faults ${REPLAYED_SIZES}: ten million lines
  --heap MB      limit of the heap, default 180, which a function of 256 MB has room for
  --seed NUMBER  default 1
  --faults       lines come late, answers of the log and replies of the table are lost, two processes tick at once;
                 the day has the one hour
  --keys         counts no calls, and shows which partition keys of the table changes of connections write to
  --json FILE    write every number to FILE
  --help         show this text`;

const OPTIONS = {
  sizes: { type: 'string' },
  heap: { type: 'string' },
  seed: { type: 'string' },
  json: { type: 'string' },
  faults: { type: 'boolean' },
  keys: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Reads the arguments. @throws Error naming what is wrong and where the usage is */
export function parseScaleOptions(args: readonly string[]): ScaleOptions {
  const { values } = readArguments(args, OPTIONS, 'npm run bench:scale');
  return {
    help: values.help ?? false,
    sizes: (values.sizes ?? (values.faults === true ? REPLAYED_SIZES : DEFAULT_SIZES)).split(',').map(sizeOf),
    heapMb: wholeNumber('--heap', values.heap ?? '180'),
    seed: wholeNumber('--seed', values.seed ?? '1'),
    jsonFile: values.json,
    faults: values.faults ?? false,
    keys: values.keys ?? false,
  };
}

function sizeOf(text: string): ScaleSize {
  const [connections = '', calls = ''] = text.split(':');
  return { connections: wholeNumber('--sizes', connections), callsPerMonth: wholeNumber('--sizes', calls) };
}
