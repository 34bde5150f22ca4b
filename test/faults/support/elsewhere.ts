import { join } from 'node:path';
import { readTestTitles, type TestTitle } from '../../../dev/tools/test-titles.ts';

const PROJECT_ROOT = join(import.meta.dirname, '..', '..', '..');
/** Numbers of the fault list; those that were given up are never used again. */
const LAST_FAULT = 114;
const RETIRED = new Set([43, 56, 57, 58]);

/** Tests that show a fault under another id or none, by file and title. */
const UNDER_OTHER_TITLES: Readonly<Record<string, readonly [file: string, title: string][]>> = {
  F24: [
    ['integration/connect/authorization.test.ts', 'OA-3: 50 parallel callbacks with one state make one token call'],
    ['integration/connect/sessions.test.ts', 'CS-1: two flows of one session yield one connection'],
  ],
  F26: [
    [
      'integration/connect/authorization.test.ts',
      'OA-3: a state older than ten minutes is refused although its row is still there',
    ],
  ],
  F28: [['unit/refresh/interleavings.test.ts', 'I1-I4, I8 hold for four refreshers, any time, any crash']],
  F40: [
    ['integration/proxy/answers.test.ts', 'PR-9: compressed bytes stay compressed'],
    [
      'unit/platform/egress/read-capped.test.ts',
      'answers the gateway decodes itself are never unpacked: a small body cannot become a large one',
    ],
  ],
  F41: [
    [
      'unit/platform/egress/address-guard.test.ts',
      'refuses the whole answer for one private address among public ones',
    ],
    ['unit/platform/egress/egress.test.ts', 'PX-16: %s is refused before anything is sent'],
  ],
  F63: [['integration/local-pool.test.ts', 'throttles the call that finds the queue full']],
  F86: [
    [
      'infrastructure/constructs/refresh-schedule.test.ts',
      'covers each shard of the due index exactly once with %i slices',
    ],
  ],
  F94: [
    [
      'integration/local-lifecycle.test.ts',
      'leaves no process, no port and no lock, and the data stays for the next start',
    ],
    ['integration/local-lifecycle.test.ts', 'leaves no function process and no engine behind'],
  ],
};

/** Faults that no test shows yet, and why. */
const OPEN: Readonly<Record<string, string>> = {
  F60: 'the function’s own end before its time limit of 15 minutes is not awaited by a test; the runner’s 504 is (F92)',
  F68: 'slow uploads are cut by the front door, which only a deployment shows; the local front stands a client that leaves',
};

/**
 * The faults that the matrix does not run: where a test shows each of them, or why none does.
 *
 * @param inMatrix ids with a row
 * @throws Error for a test that is not there any more, and for a fault that is nowhere
 */
export function describeElsewhere(inMatrix: ReadonlySet<string>): string {
  const titles = readTestTitles(PROJECT_ROOT, 'test').filter(({ file }) => !file.startsWith('test/faults/'));
  const rows: string[] = [];
  for (const id of faultIds()) {
    if (inMatrix.has(id)) continue;
    const tests = [...titles.filter(({ title }) => new RegExp(`\\b${id}\\b`).test(title)), ...named(titles, id)];
    const reason = OPEN[id];
    if (tests.length > 0) rows.push(`| ${id} | ${tests.map(link).join('<br>')} |`);
    else if (reason !== undefined) rows.push(`| ${id} | open: ${reason} |`);
    else throw new Error(`No test shows ${id}, and nothing says why`);
  }
  return ['| Row | Shown by |', '|---|---|', ...rows].join('\n');
}

/** The fault that a line of a table is about, such as `F01` of `| F01-strict | … |`. */
export function faultOf(line: string): string | undefined {
  return /^\| (F\d{2,3})\b/.exec(line)?.[1];
}

/** Every number of the fault list that is in use, as `F01`. */
export function faultIds(): string[] {
  return Array.from({ length: LAST_FAULT }, (_, i) => i + 1)
    .filter((number) => !RETIRED.has(number))
    .map((number) => `F${String(number).padStart(2, '0')}`);
}

function named(titles: readonly TestTitle[], id: string): TestTitle[] {
  return (UNDER_OTHER_TITLES[id] ?? []).map(([file, title]) => {
    const found = titles.find((one) => one.file === `test/${file}` && one.title === title);
    if (found === undefined) throw new Error(`${id}: test/${file} has no test ${JSON.stringify(title)}`);
    return found;
  });
}

function link({ file, title }: TestTitle): string {
  return `[${title.replaceAll('|', '\\|')}](../${file})`;
}
