/** The command line of `npm run bench:memory`. */
import { readArguments, wholeNumber } from '../arguments.ts';

/** Which sizes to measure, how long, and where the numbers go. */
export interface MemoryOptions {
  readonly help: boolean;
  /** MB, each once, from the smallest. */
  readonly sizes: readonly number[];
  /** Fewer rounds: a look, not a result. */
  readonly quick: boolean;
  readonly jsonFile: string | undefined;
}

const SIZES = [256, 384, 512, 1024, 1769] as const;

export const MEMORY_USAGE = `Measures the proxy under the shares of a processor that Lambda gives functions of several sizes. Loopback only, about three
minutes; nothing is written unless asked for. Needs cgroups whose CPU controller may be written: root, or
systemd-run --user --scope -p Delegate=yes npm run bench:memory

  npm run bench:memory -- [options]

  --sizes MB     sizes in MB, separated by commas (${SIZES.join(',')})
  --quick        fewer rounds: a look, not a result
  --json FILE    write every number to FILE
  --help         show this text`;

const OPTIONS = {
  sizes: { type: 'string' },
  quick: { type: 'boolean' },
  json: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Reads the arguments. @throws Error naming what is wrong and where the usage is. */
export function parseMemoryOptions(args: readonly string[]): MemoryOptions {
  const { values } = readArguments(args, OPTIONS, 'npm run bench:memory');
  const sizes = values.sizes?.split(',').map((text) => wholeNumber('--sizes', text.trim())) ?? SIZES;
  return {
    help: values.help ?? false,
    sizes: [...new Set(sizes)].toSorted((a, b) => a - b),
    quick: values.quick ?? false,
    jsonFile: values.json,
  };
}
