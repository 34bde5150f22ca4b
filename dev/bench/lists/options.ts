/** The command line of `npm run bench:lists`. */
import { readArguments, wholeNumber } from '../arguments.ts';

/** What to measure. */
export interface ListsOptions {
  readonly help: boolean;
  readonly connections: number;
  /** Answers of each question. */
  readonly rounds: number;
  /** Leaves the gateway running, for a walk through the dashboard. */
  readonly serve: boolean;
  readonly jsonFile: string | undefined;
}

export const LISTS_USAGE = `Measures lists and searches of an account with many connections, over HTTP against the local gateway, and counts what
each asks of the table. 100,000 connections take 600 MB below the system's temporary folder for a while, and some minutes.

  npm run bench:lists -- [options]

  --connections NUMBER   default 100000
  --rounds NUMBER        answers of each question, default 40
  --serve                prints the dashboard's address afterwards and serves it until Ctrl-C
  --json FILE            write every number to FILE
  --help                 show this text`;

const OPTIONS = {
  connections: { type: 'string' },
  rounds: { type: 'string' },
  serve: { type: 'boolean' },
  json: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Reads the arguments. @throws Error naming what is wrong and where the usage is */
export function parseListsOptions(args: readonly string[]): ListsOptions {
  const { values } = readArguments(args, OPTIONS, 'npm run bench:lists');
  return {
    help: values.help ?? false,
    connections: wholeNumber('--connections', values.connections ?? '100000'),
    rounds: wholeNumber('--rounds', values.rounds ?? '40'),
    serve: values.serve ?? false,
    jsonFile: values.json,
  };
}
