/** The command line of `npm run bench:sweep`. */
import { readArguments, wholeNumber } from '../arguments.ts';

/** What to measure. */
export interface SweepOptions {
  readonly help: boolean;
  /** Sizes of the emulated table. */
  readonly rows: readonly number[];
  /** Connections that are due in each of them, and in the table in memory. */
  readonly due: number;
  readonly jsonFile: string | undefined;
}

export const SWEEP_USAGE = `Measures the refresh sweep: what one instance does in a minute, and what one due connection costs in reads and
writes whatever the size of the table. A token endpoint on loopback answers after 200 ms. A million rows take 9 GB below the
system's temporary folder for a while, and some minutes.

  npm run bench:sweep -- [options]

  --rows LIST    sizes of the emulated table, default 10000,1000000
  --due NUMBER   connections that are due, default 1000
  --json FILE    write every number to FILE
  --help         show this text`;

const OPTIONS = {
  rows: { type: 'string' },
  due: { type: 'string' },
  json: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Reads the arguments. @throws Error naming what is wrong and where the usage is */
export function parseSweepOptions(args: readonly string[]): SweepOptions {
  const { values } = readArguments(args, OPTIONS, 'npm run bench:sweep');
  const due = wholeNumber('--due', values.due ?? '1000');
  const rows = (values.rows ?? '10000,1000000').split(',').map((text) => wholeNumber('--rows', text));
  for (const size of rows) if (size < due) throw new Error(`A table of ${size} rows cannot hold ${due} that are due.`);
  return { help: values.help ?? false, rows, due, jsonFile: values.json };
}
