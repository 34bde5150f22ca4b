/** Processor time that the book of calls takes of a warm call, over that of writing one line. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { BookRounds } from '../book-process.ts';
import { type Finding, range, times } from '../report.ts';
import { ratioOf, spreadOf } from '../statistics.ts';

/** House plan of the book: what it may add to a call. */
const GOAL_US = 20;
/** What limits of a key may add to it. */
const JUDGEMENT_GOAL_US = 2;

const roundsSchema = z.object({
  book: z.array(z.number()),
  line: z.array(z.number()),
  lineBytes: z.number(),
  judgement: z.array(z.number()),
}) satisfies z.ZodType<BookRounds>;

const microseconds = (us: number) => `${us.toFixed(1)} µs`;

/** Measures `begin` to `ended` of a call that succeeds, its line on standard output included, in a process of its own. */
export async function measureBook(quick: boolean, progress: (text: string) => void): Promise<Finding[]> {
  progress('begin and ended, and a line alone, in turns');
  const { book, line, lineBytes, judgement } = await roundsOf(quick ? 3 : 9, quick ? 5_000 : 20_000);
  const [own, ratio, judged] = [spreadOf(book), ratioOf(book, line), spreadOf(judgement)];
  const details = { lineBytes, rounds: book.length, microsecondsOfALine: spreadOf(line) };
  return [
    {
      measure: 'CPU of the book of calls, begin to ended',
      subject: 'a warm call that succeeds',
      value: microseconds(own.median),
      range: range(own, microseconds),
      goal: `at most ${GOAL_US} µs`,
      within: own.median <= GOAL_US,
      details,
    },
    {
      measure: 'CPU of the book of calls, over one line of that length',
      subject: 'a warm call that succeeds',
      value: times(ratio.median),
      range: range(ratio, times),
      goal: '',
      within: undefined,
      details: { ...details, ratio },
    },
    {
      measure: 'CPU of the judgement of a limited key',
      subject: 'methods, integration, connection and units a day',
      value: microseconds(judged.median),
      range: range(judged, microseconds),
      goal: `at most ${JUDGEMENT_GOAL_US} µs`,
      within: judged.median <= JUDGEMENT_GOAL_US,
      details: { rounds: judgement.length },
    },
  ];
}

async function roundsOf(rounds: number, calls: number): Promise<BookRounds> {
  const script = fileURLToPath(new URL('../book-process.ts', import.meta.url));
  // Its lines are read, as the platform reads those of a function.
  const child = spawn(process.execPath, [script, String(rounds), String(calls)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  child.stdout?.resume();
  const told = once(child, 'message').then(([message]) => roundsSchema.parse(message));
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The process of the book ended with ${code} before it had measured`);
  });
  try {
    return await Promise.race([told, ended]);
  } finally {
    // Whichever comes second is of no interest.
    for (const other of [told, ended]) other.catch(() => {});
  }
}
