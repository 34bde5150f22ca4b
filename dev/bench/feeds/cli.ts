/** `npm run bench:feeds`: measures the change feed, prints tables, and writes JSON where asked. */

import { SWEEP_CONCURRENCY } from '../../../lambdas/gateway/core/limits.ts';
import { runBenchmark, writeNumbers } from '../arguments.ts';
import { conditions, currentLoad, runFacts } from '../report.ts';
import { quantile } from '../statistics.ts';
import { FEEDS_USAGE, type FeedOptions, type FeedPart, parseFeedOptions } from './options.ts';
import { measureStorm, type Storm } from './storm.ts';
import {
  type MemorySweep,
  type MessagesRun,
  measureMessages,
  measureReads,
  type ReadsRun,
  sweepInMemory,
} from './sweeps.ts';

/** Feeds that one instance pulls: a run of a few seconds would mostly be its own beginning and end. */
const IN_MEMORY = 10_000;
/** Feeds that get messages over the emulated table, one after the other. */
const IN_MESSAGES = 100;
/** So many projects share them that no quota is what is measured. */
const PROJECTS = 100;

async function run(options: FeedOptions): Promise<void> {
  if (options.help) return void process.stdout.write(`${FEEDS_USAGE}\n`);
  const loadBefore = currentLoad();
  const found: Partial<Record<FeedPart, unknown>> = {};
  for (const part of options.only) {
    const { table, numbers } = await PARTS[part](options);
    process.stdout.write(`${table}\n\n`);
    found[part] = numbers;
  }
  const facts = runFacts(false, loadBefore);
  process.stdout.write(`${conditions(facts)}\n`);
  await writeNumbers(options.jsonFile, { run: facts, ...found });
}

type Part = (options: FeedOptions) => Promise<{ readonly table: string; readonly numbers: unknown }>;

const PARTS: Readonly<Record<FeedPart, Part>> = {
  async reads({ feeds, due }) {
    const runs: ReadsRun[] = [];
    for (const count of feeds) {
      runs.push(await measureReads(count, due, (text) => progress(`${count} feeds: ${text}`)));
    }
    return { table: readsTable(runs), numbers: runs };
  },
  async messages() {
    const found = await measureMessages(IN_MESSAGES, (text) => progress(`messages: ${text}`));
    return { table: messagesTable(found), numbers: found };
  },
  async throughput() {
    progress(`${IN_MEMORY} feeds in memory are due`);
    const swept = await sweepInMemory(IN_MEMORY, PROJECTS, 'well');
    return { table: throughputTable(swept), numbers: swept };
  },
  async storm({ watched, rate, seconds }) {
    progress(`${rate} messages a second on ${watched} feeds for ${seconds} s`);
    const storm = await measureStorm(watched, rate, seconds);
    return { table: stormTable(storm), numbers: { ...storm, lagsMs: undefined } };
  },
  async brakes({ due }) {
    progress(`${due} feeds are due, and Google fails`);
    const failing = await sweepInMemory(due, 1, 'failing');
    progress(`${due} feeds are due, those of one of two projects without quota`);
    const limited = await sweepInMemory(due, 2, 'no_quota');
    return { table: brakesTable(due, failing, limited), numbers: { failing, limited } };
  },
};

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}

function readsTable(runs: readonly ReadsRun[]): string {
  return table(
    [
      'Per due feed',
      'Engine file',
      'GetItem',
      'Query',
      'Index entries read',
      'UpdateItem',
      'Read units',
      'Write units',
    ],
    runs.map(({ feeds, due, megabytes, use: { requests, scanned, readUnits, writeUnits } }) => {
      const { GetItem = 0, Query = 0, UpdateItem = 0 } = requests;
      const each = [GetItem, Query, scanned, UpdateItem, readUnits, writeUnits].map((count) =>
        (count / due).toFixed(3),
      );
      return [`${feeds.toLocaleString('en-US')} feeds`, `${Math.round(megabytes)} MB`, ...each];
    }),
  );
}

function messagesTable({ messages, pulls, ofMessages, ofAll }: MessagesRun): string {
  const read = ofAll.readUnits - ofMessages.readUnits;
  const written = ofAll.writeUnits - ofMessages.writeUnits;
  return table(
    ['Each', 'Read units', 'Write units'],
    [
      ['message', (ofMessages.readUnits / messages).toFixed(2), (ofMessages.writeUnits / messages).toFixed(2)],
      ['pull with a batch', (read / pulls).toFixed(2), (written / pulls).toFixed(2)],
    ],
  );
}

function throughputTable({ pulls, seconds, cpuMs }: MemorySweep): string {
  return table(
    [`Pulled, ${SWEEP_CONCURRENCY} at a time`, 'Seconds', 'A minute', 'CPU each'],
    [
      [
        String(pulls),
        seconds.toFixed(1),
        String(Math.round((pulls / seconds) * 60)),
        `${(cpuMs / pulls).toFixed(2)} ms`,
      ],
    ],
  );
}

function stormTable(storm: Storm): string {
  const { watched, seconds, messages, woken, pulls, batches, mostWorkers, mostPullsAtOnce, lagsMs } = storm;
  const lag = (share: number) => `${(quantile(lagsMs, share) / 1000).toFixed(1)} s`;
  return table(
    ['Storm', 'Found'],
    [
      ['Messages, each with a change', `${messages} in ${seconds} s on ${watched} feeds`],
      ['Messages that woke a process', String(woken)],
      ['Pulls; batches', `${pulls}; ${batches}`],
      ['Seconds between two pulls of a feed', ((seconds * watched) / pulls).toFixed(2)],
      ['Changes stored, each once', String(lagsMs.length)],
      ['From change to stored: half; 99 of 100; longest', `${lag(0.5)}; ${lag(0.99)}; ${lag(1)}`],
      ['Processes at once; calls to Google at once', `${mostWorkers}; ${mostPullsAtOnce}`],
    ],
  );
}

function brakesTable(due: number, failing: MemorySweep, limited: MemorySweep): string {
  const row = (name: string, { pulls, pullsOfOthers, report }: MemorySweep) => [
    name,
    String(pulls - pullsOfOthers),
    String(pullsOfOthers),
    JSON.stringify(report.turns).replace(/["{}]/g, '').replace(/:/g, ' ').replace(/,/g, ', '),
  ];
  return table(
    [`${due} due`, 'Calls of the troubled project', 'Calls of others', 'Turns'],
    [row('Google fails', failing), row('one of two Cloud projects has no quota', limited)],
  );
}

function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |`);
  return [
    `| ${heading.join(' | ')} |`,
    `|---|${heading
      .slice(1)
      .map(() => '---:')
      .join('|')}|`,
    ...lines,
  ].join('\n');
}

await runBenchmark(() => run(parseFeedOptions(process.argv.slice(2))));
