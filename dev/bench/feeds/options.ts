/** The command line of `npm run bench:feeds`. */
import { readArguments, wholeNumber } from '../arguments.ts';

/** What can be measured. */
const FEED_PARTS = ['reads', 'messages', 'throughput', 'storm', 'brakes'] as const;
export type FeedPart = (typeof FEED_PARTS)[number];

/** What to measure. */
export interface FeedOptions {
  readonly help: boolean;
  readonly only: readonly FeedPart[];
  /** How many feeds the emulated table holds, one run each. */
  readonly feeds: readonly number[];
  /** Feeds that are due in each of them. */
  readonly due: number;
  /** Of the storm: feeds that get messages, messages a second on all of them together, seconds. */
  readonly watched: number;
  readonly rate: number;
  readonly seconds: number;
  readonly jsonFile: string | undefined;
}

export const FEEDS_USAGE = `Measures the change feed: what a due feed costs in reads and writes however many feeds there are, and a message, how many feeds one
instance pulls in a minute, what a storm of messages leads to, and where the brakes hold. Google is played in memory and answers after
200 ms; nothing leaves this computer. The tables take some hundred megabytes below the system's temporary folder for a while.

  npm run bench:feeds -- [options]

  --only LIST        some of reads, messages, throughput, storm, brakes
  --feeds LIST       feeds in the emulated table, default 1000,10000,100000
  --due NUMBER       feeds of them that are due, default 1000
  --watched NUMBER   feeds in the storm, default 50
  --rate NUMBER      messages a second in the storm, default 1000
  --seconds NUMBER   how long the storm lasts, default 150, at most 600
  --json FILE        write every number to FILE
  --help             show this text`;

const OPTIONS = {
  only: { type: 'string' },
  feeds: { type: 'string' },
  due: { type: 'string' },
  watched: { type: 'string' },
  rate: { type: 'string' },
  seconds: { type: 'string' },
  json: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** A command that somebody forgot ends by itself. */
const SECONDS_MAX = 600;

/** Reads the arguments. @throws Error naming what is wrong and where the usage is */
export function parseFeedOptions(args: readonly string[]): FeedOptions {
  const { values } = readArguments(args, OPTIONS, 'npm run bench:feeds');
  const only = values.only === undefined ? FEED_PARTS : values.only.split(',').map(partOf);
  const due = wholeNumber('--due', values.due ?? '1000');
  const feeds = (values.feeds ?? '1000,10000,100000').split(',').map((text) => wholeNumber('--feeds', text));
  for (const count of feeds)
    if (count < due) throw new Error(`A table of ${count} feeds cannot hold ${due} that are due.`);
  const seconds = wholeNumber('--seconds', values.seconds ?? '150');
  if (seconds > SECONDS_MAX) throw new Error(`--seconds takes at most ${SECONDS_MAX}.`);
  return {
    help: values.help ?? false,
    only,
    feeds,
    due,
    watched: wholeNumber('--watched', values.watched ?? '50'),
    rate: wholeNumber('--rate', values.rate ?? '1000'),
    seconds,
    jsonFile: values.json,
  };
}

function partOf(text: string): FeedPart {
  const part = FEED_PARTS.find((one) => one === text);
  if (part === undefined) throw new Error(`--only takes some of ${FEED_PARTS.join(', ')}, not "${text}".`);
  return part;
}
