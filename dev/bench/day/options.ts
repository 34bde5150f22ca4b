/** The command line of `npm run bench:day`. */

import { ASSUMPTIONS } from '../../../packages/cli/costs/prices.ts';
import { readArguments, wholeNumber } from '../arguments.ts';
import { MIXES, type Mix } from './mixes.ts';

/** Which days, for how many connections. */
export interface DayOptions {
  readonly help: boolean;
  readonly connections: number;
  readonly mixes: readonly Mix[];
  readonly seed: number;
  readonly perSliceMinute: number;
  readonly jsonFile: string | undefined;
}

export const DAY_USAGE = `Simulates a day of connections by the gateway's own rules of when to refresh, minute by minute, and says what it asks of
the provider, the table and the schedule. Needs 250 MB per 10 million connections; the same seed gives the same day.

  npm run bench:day -- [options]

  --connections NUMBER   default 10000000
  --only NAMES           some of ${MIXES.map(({ name }) => name).join(', ')}, separated by commas
  --per-slice NUMBER     refreshes of one instance in a minute, default ${ASSUMPTIONS.refreshesPerSliceMinute} (packages/cli/costs/prices.ts)
  --seed NUMBER          default 1
  --json FILE            write every number to FILE
  --help                 show this text`;

const OPTIONS = {
  connections: { type: 'string' },
  only: { type: 'string' },
  'per-slice': { type: 'string' },
  seed: { type: 'string' },
  json: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Reads the arguments. @throws Error naming what is wrong and where the usage is */
export function parseDayOptions(args: readonly string[]): DayOptions {
  const { values } = readArguments(args, OPTIONS, 'npm run bench:day');
  const names = values.only?.split(',').map((name) => name.trim()) ?? MIXES.map(({ name }) => name);
  return {
    help: values.help ?? false,
    connections: wholeNumber('--connections', values.connections ?? '10000000'),
    mixes: names.map(mixNamed),
    seed: wholeNumber('--seed', values.seed ?? '1'),
    perSliceMinute: wholeNumber('--per-slice', values['per-slice'] ?? String(ASSUMPTIONS.refreshesPerSliceMinute)),
    jsonFile: values.json,
  };
}

function mixNamed(name: string): Mix {
  const known = MIXES.find((mix) => mix.name === name);
  if (known === undefined) {
    throw new Error(`--only takes ${MIXES.map((mix) => mix.name).join(', ')}, not "${name}".`);
  }
  return known;
}
