/** The command line of `npm run bench:sweep`. */
import { parseArgs } from 'node:util';

/** What to measure. */
export interface SweepOptions {
  readonly help: boolean;
  /** Sizes of the emulated table. */
  readonly rows: readonly number[];
  /** Connections that are due in each of them, and in the stand-in table. */
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

/** Reads the arguments. @throws Error naming what is wrong and where the usage is */
export function parseSweepOptions(args: readonly string[]): SweepOptions {
  const { values } = readArguments(args);
  const due = whole('--due', values.due ?? '1000');
  const rows = (values.rows ?? '10000,1000000').split(',').map((text) => whole('--rows', text));
  for (const size of rows) if (size < due) throw new Error(`A table of ${size} rows cannot hold ${due} that are due.`);
  return { help: values.help ?? false, rows, due, jsonFile: values.json };
}

function whole(option: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new Error(`${option} takes whole numbers from 1, not "${text}".`);
  return number;
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      strict: true,
      allowPositionals: false,
      options: {
        rows: { type: 'string' },
        due: { type: 'string' },
        json: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (cause) {
    throw new Error(`${cause instanceof Error ? cause.message : cause}\nSee npm run bench:sweep -- --help`, { cause });
  }
}
